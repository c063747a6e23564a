// One minute of a day as the matcher's world.
import { RECENT_MS } from '../../../src/domain/regions/region-now.ts';
import { ACCEPTANCE_BANDS_M, NOBODY, type World } from '../../../src/dispatch/match/world.ts';
import type { Day } from '../../day/day.ts';
import type { Crew } from './crew.ts';

/** The state of a minute that does not follow from the day. */
export type Minute = {
  readonly minute: number;
  /** Minutes until the next run, and how many minutes ahead couriers count who are not free yet. */
  readonly everyMin: number;
  readonly aheadMin: number;
  readonly crew: Crew;
  /** Orders that wait, and those placed in the last `RECENT_MIN`, by their index in the day. */
  readonly waiting: readonly number[];
  readonly recent: readonly number[];
  /** Couriers who refused, by order. */
  readonly refusedBy: ReadonlyMap<number, ReadonlySet<number>>;
  /** The matcher's estimates: when an order is ready, how uncertain that is, and how likely a courier accepts. */
  readonly readyMin: (order: number) => number;
  readonly readySpreadMin: (order: number) => number;
  readonly acceptance: (courier: number) => number;
};

/** The window of the demand that is expected to continue. */
export const RECENT_MIN = RECENT_MS / 60_000;
const STEP_S = 60;

/** Makes the world. Ids are the day's indexes as text. */
export function worldOf(day: Day, now: Minute): World {
  const { minute, crew } = now;
  const { parameters } = day;
  const couriers = [...crew.members.keys()].filter((courier) => {
    const { offMin, freeMin, away } = crew.members[courier]!;
    return offMin >= minute && (away !== null || freeMin <= minute + now.aheadMin);
  });
  const members = couriers.map((courier) => crew.members[courier]!);
  const held = members.flatMap(({ away }, number) => (away?.orders ?? []).map(({ order }) => ({ order, number })));
  const orders = [...now.waiting, ...held.map(({ order }) => order)];
  const restaurants = new Map(day.restaurants.map(({ id }, index) => [id, index]));
  const counterOf = (order: number): number => restaurants.get(day.orders[order]!.restaurant.id)!;
  const points = [
    ...members.map(({ at, away }) => away?.from ?? at),
    ...day.restaurants.map(({ at }) => at),
    ...orders.map((order) => day.orders[order]!.at),
  ];
  const firstDoor = members.length + day.restaurants.length;
  const numbers = new Map(couriers.map((courier, number) => [courier, number]));
  return {
    periodS: now.everyMin * STEP_S,
    pickupAccessS: (parameters.pickupServiceMin / 2) * STEP_S,
    doorAccessS: (parameters.dropOffServiceMin / 2) * STEP_S,
    stepS: STEP_S,
    places: {
      x: Float64Array.from(points, ({ x }) => x),
      y: Float64Array.from(points, ({ y }) => y),
      metresPerStep: new Float64Array(points.length).fill(parameters.metresPerMin),
      vehicles: 1,
    },
    couriers: couriersOf(now, couriers),
    orders: ordersOf(day, now, orders, { counterOf, firstCounter: members.length, firstDoor, held }),
    barred: Int32Array.from(
      orders.flatMap((order, number) =>
        [...(now.refusedBy.get(order) ?? [])].flatMap((courier) => {
          const other = numbers.get(courier);
          return other === undefined ? [] : [number, other];
        }),
      ),
    ),
    demand: demandOf(now, members.length, counterOf, day),
    legs: new Float64Array(0),
  };
}

function couriersOf({ minute, crew, acceptance }: Minute, couriers: readonly number[]): World['couriers'] {
  const members = couriers.map((courier) => crew.members[courier]!);
  const inS = (at: number): number => (at - minute) * STEP_S;
  return {
    ids: couriers.map(String),
    startS: Float64Array.from(members, ({ away, freeMin }) => inS(away?.departMin ?? Math.max(minute, freeMin))),
    untilS: Float64Array.from(members, ({ offMin }) => inS(offMin)),
    vehicle: new Uint8Array(members.length),
    group: new Uint8Array(members.length),
    capacity: new Uint8Array(members.length).fill(255),
    isFree: Uint8Array.from(members, ({ away, freeMin }) => (away === null && freeMin <= minute ? 1 : 0)),
    isAsked: new Uint8Array(members.length),
    idleS: Float64Array.from(members, ({ away, freeMin }) =>
      away === null ? Math.max(0, minute - freeMin) * STEP_S : 0,
    ),
    accepts: Float64Array.from(couriers.flatMap((courier) => ACCEPTANCE_BANDS_M.map(() => acceptance(courier)))),
  };
}

type Numbering = {
  readonly counterOf: (order: number) => number;
  /** The first index of the restaurants' places, and of the drop-offs' places. */
  readonly firstCounter: number;
  readonly firstDoor: number;
  /** Orders that couriers are on the way to. They come last. */
  readonly held: readonly { readonly number: number }[];
};

function ordersOf(day: Day, now: Minute, orders: readonly number[], numbering: Numbering): World['orders'] {
  const { counterOf, firstCounter, firstDoor, held } = numbering;
  const { parameters } = day;
  const inS = (at: number): number => (at - now.minute) * STEP_S;
  const placedS = orders.map((order) => inS(day.orders[order]!.placedMin));
  return {
    ids: orders.map(String),
    place: Int32Array.from(orders, (order) => firstCounter + counterOf(order)),
    counter: Int32Array.from(orders, counterOf),
    doorsFrom: Int32Array.from({ length: orders.length + 1 }, (_, index) => index),
    doors: Int32Array.from(orders, (_, index) => firstDoor + index),
    placedS: Float64Array.from(placedS),
    readyS: Float64Array.from(orders, (order) => inS(now.readyMin(order))),
    readySpreadS: Float64Array.from(orders, (order) => now.readySpreadMin(order) * STEP_S),
    targetS: Float64Array.from(placedS, (atS) => atS + parameters.targetMin * STEP_S),
    latestS: Float64Array.from(placedS, (atS) => atS + parameters.mostMin * STEP_S),
    pickupByS: new Float64Array(orders.length).fill(Infinity),
    searchUntilS: new Float64Array(orders.length).fill(Infinity),
    group: new Uint8Array(orders.length),
    vehicles: new Uint16Array(orders.length).fill(1),
    heldBy: Int32Array.from(orders, (_, index) => held[index - now.waiting.length]?.number ?? NOBODY),
  };
}

function demandOf(
  { recent, readyMin }: Minute,
  couriers: number,
  counterOf: (order: number) => number,
  day: Day,
): World['demand'] {
  const counts = new Map<number, number>();
  for (const order of recent) counts.set(counterOf(order), (counts.get(counterOf(order)) ?? 0) + 1);
  const preparations = recent.map((order) => (readyMin(order) - day.orders[order]!.placedMin) * STEP_S);
  return [
    {
      group: 0,
      place: Int32Array.from(counts.keys(), (counter) => couriers + counter),
      orders: Float64Array.from(counts.values()),
      windowS: RECENT_MIN * STEP_S,
      preparationS: Float64Array.from(preparations).sort(),
    },
  ];
}
