import { acceptanceOf } from '../../domain/acceptance.ts';
import { LOAD_KG, VEHICLE_TYPES, type Courier, type VehicleType } from '../../domain/courier.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { STOP_SERVICE_S, STREET_FACTOR } from '../../domain/eta.ts';
import { planeAround, type Coordinates } from '../../domain/geo.ts';
import { promisedAt } from '../../domain/lateness.ts';
import { pausedUntil } from '../../domain/offer.ts';
import type { RunInput } from './run-input.ts';
import { askedIn, counterOf, seatsOf, type Seat } from './seats.ts';
import { ACCEPTANCE_BANDS_M, NOBODY, type Demand, type World } from './world.ts';

type Order = { readonly delivery: Delivery; readonly heldBy: number };

/** How far back the demand is counted, ms: 90 min, the length of a lunch or dinner. */
export const RECENT_MS = 5_400_000;

/** Puts a run into columns, with a seat for each courier. `pool` are the deliveries to plan for, of those searched for. */
export function takeSnapshot(
  input: RunInput,
  pool: readonly Delivery[],
): { readonly world: World; readonly seats: Seat[] } {
  const asked = askedIn(input, pool);
  const seats = seatsOf(input, asked);
  const orders = [
    ...pool.filter(({ id }) => !asked.has(id)).map((delivery): Order => ({ delivery, heldBy: NOBODY })),
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

/** Speeds are learned by mode: each vehicle has two, live and test. */
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

/** Ways to counters that a routing server told, of those that were looked at before. */
function legsIn(
  { travel, looked }: RunInput,
  seats: readonly Seat[],
  orders: World['orders'],
  places: readonly Coordinates[],
): Float64Array {
  if (!travel.hasRouter) return new Float64Array(0);
  const couriers = new Map(seats.map(({ entry }, index) => [entry.courier.id as string, index]));
  const numbers = new Map(orders.ids.map((id, index) => [id, index]));
  const ways = looked.flatMap(({ courierId, deliveryId }) => {
    const [courier, order] = [couriers.get(courierId), numbers.get(deliveryId)];
    return courier === undefined || order === undefined ? [] : [{ courier, to: orders.place[order]! }];
  });
  const seconds = travel.legs(
    ways.map(({ courier, to }) => ({
      from: places[courier]!,
      to: places[to]!,
      vehicle: seats[courier]!.entry.courier.vehicleType,
    })),
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
      couriers.flatMap(({ id }) =>
        ACCEPTANCE_BANDS_M.map((belowM) => acceptanceOf(acceptance.get(id), belowM * STREET_FACTOR, now)),
      ),
    ),
  };
}

function groupOf(liveMode: boolean, kind: Courier['kind']): number {
  return (liveMode ? 2 : 0) + (kind === 'robo' ? 1 : 0);
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
  const counters = numbered(deliveries.map(counterOf));
  const targetS = column((delivery) => inS(promisedAt(delivery, settings.search.promiseMs)));
  const doorsFrom = new Int32Array(orders.length + 1);
  const doors = deliveries.flatMap(({ dropOffs }, index) => {
    doorsFrom[index + 1] = doorsFrom[index]! + dropOffs.length;
    return dropOffs.map(({ place }) => addPlace(place));
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
    searchUntilS: column(({ state, searchUntilAt }) => (state === 'searching' ? inS(searchUntilAt) : Infinity)),
    group: Uint8Array.from(deliveries, ({ liveMode, robo }) => groupOf(liveMode, robo === null ? 'courier' : 'robo')),
    vehicles: Uint16Array.from(deliveries, vehiclesOf),
    heldBy: Int32Array.from(orders, ({ heldBy }) => heldBy),
  };
}

/** Vehicles that may carry a delivery, a bit each in either mode: those that were asked for and can bear its weight. */
function vehiclesOf({ vehicleTypes, metadata }: Delivery): number {
  const fits = (vehicle: VehicleType): boolean =>
    (vehicleTypes.length === 0 || vehicleTypes.includes(vehicle)) && (metadata.weight ?? 0) <= LOAD_KG[vehicle];
  const bit = (vehicle: VehicleType): number => (1 << speedOf(vehicle, true)) + (1 << speedOf(vehicle, false));
  return VEHICLE_TYPES.reduce((bits, vehicle) => bits + (fits(vehicle) ? bit(vehicle) : 0), 0);
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

/** Pairs to keep apart: who gave a delivery back, declined it or let an offer pass just now, or is being asked already. */
function barredIn(
  { now, closedOffers, openOffers }: RunInput,
  seats: readonly Seat[],
  orders: readonly Order[],
): Int32Array {
  const couriers = new Map(seats.map(({ entry }, index) => [entry.courier.id, index]));
  const numbers = new Map(orders.map(({ delivery }, index) => [delivery.id, index]));
  const paused = closedOffers.filter((offer) => (pausedUntil(offer) ?? 0) > now);
  const parallel = openOffers.filter(({ isExclusive }) => !isExclusive);
  const pairs = [
    ...[...paused, ...parallel].map(({ deliveryId, courierId }) => ({ deliveryId, courierId })),
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

function demandOf({ recent, readyAt }: RunInput, addPlace: (place: Coordinates) => number): Demand {
  const counters = new Map<string, { place: Coordinates; count: number }>();
  for (const { pickup } of recent) {
    const key = `${pickup.place.lat.toFixed(4)} ${pickup.place.lng.toFixed(4)}`;
    const known = counters.get(key) ?? { place: pickup.place, count: 0 };
    known.count += 1;
    counters.set(key, known);
  }
  const all = [...counters.values()];
  const preparationS = recent.map((one) => Math.max(0, readyAt(one) - one.times.createdAt) / 1000);
  return {
    place: Int32Array.from(all, ({ place }) => addPlace(place)),
    orders: Float64Array.from(all, ({ count }) => count),
    windowS: RECENT_MS / 1000,
    preparationS: Float64Array.from(preparationS).sort(),
  };
}
