import { leavesFrom } from '../../../domain/deliveries/lifecycle.ts';
import { RECENT_MS, type RecentOrder } from '../../../domain/regions/region-now.ts';
import { acceptanceIn, BAND_NAMES } from '../../../domain/offers/acceptance.ts';
import { canCarry, VEHICLE_TYPES, type Courier, type VehicleType } from '../../../domain/couriers/courier.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { planeAround, type Coordinates, placeKey } from '../../../domain/geo/geo.ts';
import { promisedAt } from '../../../domain/deliveries/lateness.ts';
import { pausedUntil } from '../../../domain/offers/offer.ts';
import { byVisit } from '../../../domain/deliveries/stops/stop.ts';
import type { RunInput } from './run-input.ts';
import { offeredIn, pickupKey, seatsOf, type Seat } from './seats.ts';
import { NOBODY, type Demand, type World } from '../../match/world.ts';
import { STOP_SERVICE_S } from '../../../domain/deliveries/way.ts';

type Order = { readonly delivery: Delivery; readonly heldBy: number };

/** Puts a run into columns, with a seat for each courier. `pool` has the deliveries to plan. */
export function takeSnapshot(
  input: RunInput,
  pool: readonly Delivery[],
): { readonly world: World; readonly seats: Seat[] } {
  const offeredTo = offeredIn(input, pool);
  const seats = seatsOf(input, offeredTo);
  const orders = [
    ...pool.filter(({ id }) => !offeredTo.has(id)).map((delivery): Order => ({ delivery, heldBy: NOBODY })),
    ...seats.flatMap(({ head }, heldBy) => head.map((delivery): Order => ({ delivery, heldBy }))),
  ];
  const places: Coordinates[] = seats.map(({ start }) => start.place);
  const addPlace = (place: Coordinates): number => places.push(place) - 1;
  const columns = columnsOf(input, orders, addPlace);
  const demand = demandOf(input, addPlace);
  const world = {
    periodS: input.settings.dispatch.periodMs / 1000,
    pickupAccessS: STOP_SERVICE_S / 2,
    doorAccessS: STOP_SERVICE_S / 2,
    stepS: 1,
    couriers: couriersOf(input, seats),
    orders: columns,
    barred: barredIn(input, seats, orders),
    demand,
    legs: legsIn(input, seats, columns, places),
    places: { ...planeAround(places), metresPerStep: speedsIn(input, places), vehicles: SPEEDS },
  };
  return { world, seats };
}

/** Speeds are learned by mode, so each vehicle has two: live and test. */
const SPEEDS = VEHICLE_TYPES.length * 2;

function speedOf(vehicle: VehicleType, liveMode: boolean): number {
  return VEHICLE_TYPES.indexOf(vehicle) + (liveMode ? 0 : VEHICLE_TYPES.length);
}

function speedsIn({ now, travel, couriers }: RunInput, places: readonly Coordinates[]): Float64Array {
  const speeds = new Float64Array(places.length * SPEEDS).fill(1);
  for (const liveMode of new Set(couriers.map(({ courier }) => courier.liveMode))) {
    const own = travel.speedsAt(places, now, liveMode);
    for (let place = 0; place < places.length; place += 1) {
      const row = own.subarray(place * VEHICLE_TYPES.length, (place + 1) * VEHICLE_TYPES.length);
      speeds.set(row, place * SPEEDS + (liveMode ? 0 : VEHICLE_TYPES.length));
    }
  }
  return speeds;
}

/**
 * Ways of the last run's candidates to pickup locations, by the answers of a routing server. They are valid while it is
 * away.
 */
function legsIn(
  { now, travel, candidates }: RunInput,
  seats: readonly Seat[],
  orders: World['orders'],
  places: readonly Coordinates[],
): Float64Array {
  const couriers = new Map(seats.map(({ entry }, index) => [entry.courier.id as string, index]));
  const numbers = new Map(orders.ids.map((id, index) => [id, index]));
  const ways = candidates.flatMap(({ courierId, deliveryId }) => {
    const [courier, order] = [couriers.get(courierId), numbers.get(deliveryId)];
    return courier === undefined || order === undefined ? [] : [{ courier, to: orders.place[order]! }];
  });
  const seconds = travel.legs(
    ways.map(({ courier, to }) => {
      const { vehicleType: vehicle, liveMode } = seats[courier]!.entry.courier;
      return { from: places[courier]!, to: places[to]!, vehicle, liveMode };
    }),
    now,
  );
  return Float64Array.from(
    ways.flatMap(({ courier, to }, index) => (Number.isNaN(seconds[index]) ? [] : [courier, to, seconds[index]!])),
  );
}

function couriersOf({ now, acceptance }: RunInput, seats: readonly Seat[]): World['couriers'] {
  const couriers = seats.map(({ entry }) => entry.courier);
  return {
    ids: couriers.map(({ id }) => id),
    startS: Float64Array.from(seats, ({ start }) => (start.at - now) / 1000),
    untilS: new Float64Array(seats.length).fill(Infinity),
    vehicle: Uint8Array.from(couriers, ({ vehicleType, liveMode }) => speedOf(vehicleType, liveMode)),
    group: Uint8Array.from(couriers, ({ liveMode, kind }) => groupOf(liveMode, kind)),
    capacity: Uint8Array.from(couriers, ({ capacity }) => capacity),
    isFree: Uint8Array.from(seats, ({ entry, isAsked }) => (entry.courier.active.length === 0 && !isAsked ? 1 : 0)),
    isAsked: Uint8Array.from(seats, ({ isAsked }) => (isAsked ? 1 : 0)),
    idleS: Float64Array.from(couriers, ({ active, idleSinceAt }) =>
      active.length === 0 ? Math.max(0, now - idleSinceAt) / 1000 : 0,
    ),
    accepts: Float64Array.from(
      couriers.flatMap(({ id }) => BAND_NAMES.map((band) => acceptanceIn(acceptance.get(id), band, now))),
    ),
  };
}

function groupOf(liveMode: boolean, kind: Courier['kind']): number {
  return (liveMode ? 2 : 0) + (kind === 'robo' ? 1 : 0);
}

function groupOfDelivery({ liveMode, robo }: Delivery): number {
  return groupOf(liveMode, robo === null ? 'courier' : 'robo');
}

function columnsOf(
  input: RunInput,
  orders: readonly Order[],
  addPlace: (place: Coordinates) => number,
): World['orders'] {
  const { now, settings, readyAt, isEstimate } = input;
  const inS = (at: number | null | undefined): number =>
    at === null || at === undefined ? Infinity : (at - now) / 1000;
  const deliveries = orders.map(({ delivery }) => delivery);
  const column = (value: (delivery: Delivery) => number): Float64Array => Float64Array.from(deliveries, value);
  const counters = numbered(deliveries.map(pickupKey));
  const targetS = column((delivery) => inS(promisedAt(delivery, settings.search.promiseMs)));
  const doorsFrom = new Int32Array(orders.length + 1);
  const doors = deliveries.flatMap(({ dropOffs }, index) => {
    doorsFrom[index + 1] = doorsFrom[index]! + dropOffs.length;
    return byVisit(dropOffs).map(({ place }) => addPlace(place));
  });
  return {
    ids: deliveries.map(({ id }) => id),
    place: Int32Array.from(deliveries, ({ pickup }) => addPlace(pickup.place)),
    counter: Int32Array.from(counters),
    doorsFrom,
    doors: Int32Array.from(doors),
    placedS: column(({ searchFromAt }) => inS(searchFromAt)),
    readyS: column((delivery) => inS(readyAt(delivery))),
    readySpreadS: column((delivery) => (isEstimate(delivery) ? settings.dispatch.readySpreadMs / 1000 : 0)),
    targetS,
    latestS: targetS.map((atS) => atS + settings.dispatch.tooLateAfterMs / 1000),
    pickupByS: column(({ pickup }) => inS(pickup.window?.deadlineAt)),
    searchUntilS: column(({ state, searchUntilAt }) => (leavesFrom(state, 'assign') ? inS(searchUntilAt) : Infinity)),
    group: Uint8Array.from(deliveries, groupOfDelivery),
    vehicles: Uint16Array.from(deliveries, vehiclesOf),
    heldBy: Int32Array.from(orders, ({ heldBy }) => heldBy),
  };
}

/**
 * The vehicles that may carry a delivery, one bit each: those of its mode that were requested and can carry its weight.
 */
function vehiclesOf(delivery: Delivery): number {
  const fitting = VEHICLE_TYPES.filter((vehicle) => canCarry(vehicle, delivery));
  return fitting.reduce((bits, vehicle) => bits | (1 << speedOf(vehicle, delivery.liveMode)), 0);
}

/** Numbers equal keys alike, from 0 on. */
function numbered(keys: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return keys.map((key) => {
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  });
}

/** Pairs to keep apart: couriers who gave a delivery back, declined it, or just let its offer expire. */
function barredIn({ now, closedOffers }: RunInput, seats: readonly Seat[], orders: readonly Order[]): Int32Array {
  const couriers = new Map(seats.map(({ entry }, index) => [entry.courier.id, index]));
  const numbers = new Map(orders.map(({ delivery }, index) => [delivery.id, index]));
  const paused = closedOffers.filter((offer) => (pausedUntil(offer) ?? 0) > now);
  const pairs = [
    ...paused,
    ...orders.flatMap(({ delivery: { id, formerCouriers } }) =>
      formerCouriers.map((courierId) => ({ deliveryId: id, courierId })),
    ),
  ];
  return Int32Array.from(
    pairs.flatMap(({ deliveryId, courierId }) => {
      const [order, courier] = [numbers.get(deliveryId), couriers.get(courierId)];
      return order === undefined || courier === undefined ? [] : [order, courier];
    }),
  );
}

/** Recent orders by group, and within it by pickup location. */
function demandOf({ recent }: RunInput, addPlace: (place: Coordinates) => number): Demand[] {
  const groups = Map.groupBy(recent, ({ delivery }) => groupOfDelivery(delivery));
  return [...groups].map(([group, orders]) => {
    const counters = [...Map.groupBy(orders, ({ delivery }) => placeKey(delivery.pickup.place)).values()];
    return {
      group,
      place: Int32Array.from(counters, ([first]) => addPlace(first!.delivery.pickup.place)),
      orders: Float64Array.from(counters, ({ length }) => length),
      windowS: RECENT_MS / 1000,
      preparationS: Float64Array.from(orders, preparationS).sort(),
    };
  });
}

function preparationS({ delivery, readyAt }: RecentOrder): number {
  return Math.max(0, readyAt - delivery.times.createdAt) / 1000;
}
