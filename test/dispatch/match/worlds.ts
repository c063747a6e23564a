/** Worlds of the matcher for tests: small ones laid out by hand, and such as chance makes. */
import fc from 'fast-check';
import { makeBoard, type Board } from '../../../src/dispatch/match/board.ts';
import type { KeptChain } from '../../../src/dispatch/match/carry-over.ts';
import { makeInserter, type Inserter } from '../../../src/dispatch/match/search/insert.ts';
import { groupPeers } from '../../../src/dispatch/match/search/peers.ts';
import { rulesOf, type Rules } from '../../../src/dispatch/match/rules.ts';
import { listCouriers } from '../../../src/dispatch/match/shortlist.ts';
import { ACCEPTANCE_BANDS_M, enter, NOBODY, type World } from '../../../src/dispatch/match/world.ts';
import { defaultSettings } from '../../../src/settings.ts';

/** Metres east and north. */
export type Spot = readonly [number, number];

export type CourierPlan = {
  readonly at: Spot;
  readonly startS?: number;
  readonly untilS?: number;
  readonly vehicle?: number;
  readonly group?: number;
  readonly capacity?: number;
  readonly isAsked?: boolean;
  readonly idleS?: number;
  readonly accepts?: number;
};

export type OrderPlan = {
  readonly at: Spot;
  readonly doors?: readonly Spot[];
  /** Orders of one counter stand at one place; without it each has its own. */
  readonly counter?: number;
  readonly placedS?: number;
  readonly readyS?: number;
  readonly readySpreadS?: number;
  readonly targetS?: number;
  readonly latestS?: number;
  readonly pickupByS?: number;
  readonly searchUntilS?: number;
  readonly group?: number;
  readonly vehicles?: number;
  readonly heldBy?: number;
};

export type Layout = {
  readonly couriers: readonly CourierPlan[];
  readonly orders: readonly OrderPlan[];
  readonly barred?: readonly (readonly [order: number, courier: number])[];
  readonly demand?: readonly { readonly at: Spot; readonly orders: number; readonly group?: number }[];
  readonly preparationS?: readonly number[];
  readonly legs?: readonly (readonly [from: number, to: number, seconds: number])[];
  /** Metres a second from each place on, the courier's vehicle by number; 10 for all. */
  readonly speeds?: (place: number, vehicle: number) => number;
};

const VEHICLES = 2;
export const ACCESS_S = 60;
export const PERIOD_S = 5;

/** The world of a layout: couriers are `c0`, `c1`, …, orders `o0`, `o1`, …; a way of 10 m takes a second. */
export function aWorld({ couriers, orders, barred = [], demand = [], ...rest }: Layout): World {
  const { preparationS = [], legs = [], speeds = () => 10 } = rest;
  const spots: Spot[] = couriers.map(({ at }) => at);
  const add = (spot: Spot): number => spots.push(spot) - 1;
  const places = orders.map(({ at }) => add(at));
  const doors = orders.map(({ at, doors: own = [[at[0], at[1] + 1000]] }) => own.map(add));
  const counters = demand.map(({ at }) => add(at));
  const floats = <T>(items: readonly T[], value: (item: T) => number): Float64Array => Float64Array.from(items, value);
  const placedS = floats(orders, (order) => order.placedS ?? 0);
  const targetS = floats(orders, (order) => order.targetS ?? (order.placedS ?? 0) + 2400);
  const isHolding = couriers.map((_, courier) => orders.some(({ heldBy }) => heldBy === courier));
  return {
    periodS: PERIOD_S,
    pickupAccessS: ACCESS_S,
    doorAccessS: ACCESS_S,
    stepS: 1,
    places: {
      x: floats(spots, ([x]) => x),
      y: floats(spots, ([, y]) => y),
      metresPerStep: Float64Array.from({ length: spots.length * VEHICLES }, (_, at) =>
        speeds(Math.floor(at / VEHICLES), at % VEHICLES),
      ),
      vehicles: VEHICLES,
    },
    couriers: {
      ids: couriers.map((_, index) => `c${index}`),
      startS: floats(couriers, ({ startS }) => startS ?? 0),
      untilS: floats(couriers, ({ untilS }) => untilS ?? Infinity),
      vehicle: Uint8Array.from(couriers, ({ vehicle }) => vehicle ?? 0),
      group: Uint8Array.from(couriers, ({ group }) => group ?? 0),
      capacity: Uint8Array.from(couriers, ({ capacity }) => capacity ?? 3),
      isFree: Uint8Array.from(couriers, ({ startS = 0, isAsked }, index) =>
        startS <= 0 && isAsked !== true && !isHolding[index]! ? 1 : 0,
      ),
      isAsked: Uint8Array.from(couriers, ({ isAsked }) => (isAsked === true ? 1 : 0)),
      idleS: floats(couriers, ({ idleS }) => idleS ?? 0),
      accepts: Float64Array.from(couriers.flatMap(({ accepts }) => ACCEPTANCE_BANDS_M.map(() => accepts ?? 1))),
    },
    orders: {
      ids: orders.map((_, index) => `o${index}`),
      place: Int32Array.from(places),
      counter: Int32Array.from(orders, ({ counter }, index) => counter ?? COUNTERS + index),
      doorsFrom: Int32Array.from({ length: orders.length + 1 }, (_, end) => doors.slice(0, end).flat().length),
      doors: Int32Array.from(doors.flat()),
      placedS,
      readyS: floats(orders, (order) => order.readyS ?? 0),
      readySpreadS: floats(orders, (order) => order.readySpreadS ?? 0),
      targetS,
      latestS: floats(orders, (order) => order.latestS ?? (order.placedS ?? 0) + 5400),
      pickupByS: floats(orders, (order) => order.pickupByS ?? Infinity),
      searchUntilS: floats(orders, (order) => order.searchUntilS ?? Infinity),
      group: Uint8Array.from(orders, ({ group }) => group ?? 0),
      vehicles: Uint16Array.from(orders, ({ vehicles }) => vehicles ?? 3),
      heldBy: Int32Array.from(orders, ({ heldBy }) => heldBy ?? NOBODY),
    },
    barred: Int32Array.from(barred.flat()),
    demand: [...new Set(demand.map(({ group = 0 }) => group))].map((group) => {
      const own = demand.flatMap((one, index) => ((one.group ?? 0) === group ? [{ ...one, index }] : []));
      return {
        group,
        place: Int32Array.from(own, ({ index }) => counters[index]!),
        orders: floats(own, (one) => one.orders),
        windowS: 5400,
        preparationS: Float64Array.from(preparationS).sort(),
      };
    }),
    legs: Float64Array.from(legs.flat()),
  };
}

/** Counters below this number are shared, in layouts of chance and by hand. */
const COUNTERS = 4;

/** The server's rules, changed by what a test names. */
export function someRules(over: { readonly [K in keyof Rules]?: Partial<Rules[K]> } = {}): Rules {
  const rules = rulesOf(defaultSettings(), 1, 100);
  return {
    weights: { ...rules.weights, ...over.weights },
    limits: { ...rules.limits, ...over.limits },
    asking: { ...rules.asking, ...over.asking },
    search: { ...rules.search, ...over.search },
  };
}

/** An empty board of the world, with what it takes to put orders on it. */
export function openBoard(world: World, rules: Rules = someRules()): Inserter & { readonly board: Board } {
  const arena = enter(world);
  const board = makeBoard(arena, rules);
  return makeInserter(board, listCouriers(board), groupPeers(world.orders.counter, world.orders.ids.length));
}

/** All that a plan costs, seconds: the chains and what is left. */
export function totalS({ costS, courierOf, leaveS }: Board): number {
  const left = [...courierOf.keys()].filter((order) => courierOf[order] === NOBODY);
  return costS.reduce((sum, cost) => sum + cost, 0) + left.reduce((sum, order) => sum + leaveS[order]!, 0);
}

const spot = fc.tuple(fc.integer({ min: 0, max: 6000 }), fc.integer({ min: 0, max: 6000 }));
const courierPlan: fc.Arbitrary<CourierPlan> = fc.record({
  at: spot,
  startS: fc.constantFrom(0, 0, 0, 120, 900),
  untilS: fc.constantFrom(Infinity, Infinity, 1500, 4000),
  vehicle: fc.integer({ min: 0, max: VEHICLES - 1 }),
  group: fc.constantFrom(0, 0, 0, 1),
  capacity: fc.integer({ min: 1, max: 4 }),
  idleS: fc.constantFrom(0, 60, 3000),
  accepts: fc.constantFrom(1, 0.8, 0.3),
});

type LooseOrder = OrderPlan & { readonly counter: number; readonly wantsHolder: number };
const orderPlan: fc.Arbitrary<LooseOrder> = fc.record({
  at: spot,
  doors: fc.array(spot, { minLength: 1, maxLength: 3 }),
  counter: fc.integer({ min: 0, max: COUNTERS - 1 }),
  placedS: fc.integer({ min: -1200, max: 0 }),
  readyS: fc.integer({ min: -600, max: 1800 }),
  readySpreadS: fc.constantFrom(0, 0, 600),
  pickupByS: fc.constantFrom(Infinity, Infinity, 600),
  searchUntilS: fc.constantFrom(Infinity, Infinity, 300, 900),
  group: fc.constantFrom(0, 0, 0, 1),
  vehicles: fc.constantFrom(3, 3, 3, 1, 2),
  wantsHolder: fc.integer({ min: 0, max: 30 }),
});

/** Layouts of up to 8 couriers and 14 orders at 4 counters, some of them held or being asked for. */
export const layouts: fc.Arbitrary<Layout> = fc
  .record({
    couriers: fc.array(courierPlan, { minLength: 1, maxLength: 8 }),
    counters: fc.array(spot, { minLength: COUNTERS, maxLength: COUNTERS }),
    loose: fc.array(orderPlan, { minLength: 1, maxLength: 14 }),
    barred: fc.array(fc.tuple(fc.nat(13), fc.nat(7)), { maxLength: 4 }),
    asked: fc.nat(15),
    speed: fc.constantFrom(10, 6),
  })
  .map(({ couriers, counters, loose, barred, asked, speed }) => {
    const counterOf = new Map<number, number>();
    const orders = loose.map(({ wantsHolder: holder, ...order }): OrderPlan => {
      // A courier who is on the way goes to one pickup, for orders that suit them.
      const isHeld = holder < couriers.length && (counterOf.get(holder) ?? order.counter) === order.counter;
      if (isHeld) counterOf.set(holder, order.counter);
      const group = isHeld ? couriers[holder]!.group! : order.group!;
      return { ...order, at: counters[order.counter]!, group, ...(isHeld ? { heldBy: holder, vehicles: 3 } : {}) };
    });
    return {
      couriers: couriers.map((courier, index) => ({ ...courier, isAsked: index === asked && counterOf.has(index) })),
      orders,
      barred: barred.filter(([order, courier]) => order < orders.length && courier < couriers.length),
      demand: counters.map((at, index) => ({ at, orders: index + 1 })),
      preparationS: [300, 600, 900],
      // Slower in the west: a way is not always the shorter for leaving a stop out.
      speeds: (place, vehicle) => (place % 3 === 0 ? speed : 10) * (1 + vehicle / 2),
    };
  });

/** A plan of the last run that has little to do with this world. */
export function keptPlans({ couriers, orders }: Layout): fc.Arbitrary<KeptChain[]> {
  const ids = fc.shuffledSubarray(orders.map((_, index) => `o${index}`));
  return fc.tuple(ids, fc.array(fc.nat(couriers.length), { minLength: 20, maxLength: 20 })).map(([chosen, seats]) => {
    const chains = new Map<string, string[][]>();
    for (const [index, id] of chosen.entries()) {
      const courier = `c${seats[index]!}`;
      chains.set(courier, [...(chains.get(courier) ?? []), [id]]);
    }
    return [...chains].map(([courier, bundles]) => ({ courier, bundles }));
  });
}
