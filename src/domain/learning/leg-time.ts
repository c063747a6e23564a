import type { VehicleType } from '../couriers/courier.ts';
import { distanceM, isSamePlace, type Coordinates } from '../geo/geo.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Assigned, StopToGo } from '../deliveries/stops/itinerary.ts';
import { byVisit, type Stop } from '../deliveries/stops/stop.ts';
import { leavesFrom } from '../deliveries/lifecycle.ts';
import { pricedVehicle, SPEED_MPS, STOP_SERVICE_S } from '../deliveries/way.ts';
import { isRide } from './travel.ts';
import { rideS, type Ways } from './ways.ts';

/** Stops nearer to each other say nothing about the way to other places: it depends on a single crossing. Metres. */
const LEAST_SPAN_M = 300;

type Priced = Pick<
  Delivery,
  'courier' | 'distanceSource' | 'dropOffs' | 'durationS' | 'liveMode' | 'pickup' | 'vehicleTypes'
>;

/**
 * Seconds of a courier's way to a stop of the delivery; it begins at `at`, service time in ms. Without a courier it is the
 * way of the vehicle that the delivery was priced for.
 *
 * The delivery keeps the seconds of the route that it was priced by. With one drop-off they are those of the way from the
 * pickup to it, in every process and at any time, unless the drop-off has moved since. For other ways the pace of that route
 * stands in until the routing server has answered.
 */
export function legS(ways: Ways, delivery: Priced, from: Coordinates, to: Coordinates, at: number): number {
  const { pickup, dropOffs, liveMode } = delivery;
  const priced = pricedVehicle(delivery.vehicleTypes);
  const vehicle = vehicleOf(delivery);
  const ride = { from, to, vehicle, liveMode };
  const routedS = routeSOf(delivery);
  const [first] = dropOffs;
  const isWholeRoute =
    first !== undefined &&
    dropOffs.length === 1 &&
    isSamePlace(from, pricedPlace(pickup)) &&
    isSamePlace(to, pricedPlace(first));
  if (isWholeRoute && vehicle === priced && routedS !== null) return routedS * ways.stretchAt(ride, at);
  return rideS(ways, ride, at, paceOf(delivery, routedS, priced) * (SPEED_MPS[priced] / SPEED_MPS[vehicle]));
}

/** Seconds between the collection at a pickup and the departure of this delivery's courier. */
export function setOffS(ways: Ways, delivery: Priced, { place: from }: Assigned['pickup']): number {
  return ways.setOffS({ from, vehicle: vehicleOf(delivery), liveMode: delivery.liveMode });
}

/**
 * When this delivery's courier is expected to depart with the goods of `one`, epoch ms; the delivery itself or another one of
 * theirs. `now` if that time has passed, if they have departed, or if they have not collected the goods.
 */
function departsAt(ways: Ways, delivery: Priced, { state, times, pickup }: Assigned, now: number): number {
  if (!leavesFrom(state, 'depart') || times.pickedUpAt === null) return now;
  return Math.max(now, times.pickedUpAt + setOffS(ways, delivery, pickup) * 1000);
}

/** When a courier sets out for the first of their stops: after the departure with what they have collected. Epoch ms. */
export function setsOutAt(
  ways: Ways,
  delivery: Priced,
  { assigned, first, now }: { assigned: readonly Assigned[]; first: StopToGo | undefined; now: number },
): number {
  if (first?.stop.index === 0) return now;
  return Math.max(now, ...assigned.map((one) => departsAt(ways, delivery, one, now)));
}

function vehicleOf({ courier, vehicleTypes }: Pick<Delivery, 'courier' | 'vehicleTypes'>): VehicleType {
  return courier?.vehicle_type ?? pricedVehicle(vehicleTypes);
}

/** Where the stop was when the route was found. A drop-off may move afterwards, and the route stays. */
function pricedPlace({ firstPlace, place }: Stop): Coordinates {
  return firstPlace ?? place;
}

/** The routing server's seconds for the route that the delivery was priced by; null if it was priced by an estimate. */
function routeSOf({ distanceSource, durationS, dropOffs }: Priced): number | null {
  return distanceSource === 'route' ? Math.max(0, durationS - STOP_SERVICE_S * dropOffs.length) : null;
}

/**
 * Seconds of that route per metre of the straight lines between its stops; NaN if there is none. A route around a river or
 * a railway says nothing about other ways, so a pace that is not one of a ride does not count.
 */
function paceOf({ pickup, dropOffs }: Priced, routedS: number | null, priced: VehicleType): number {
  if (routedS === null) return NaN;
  let metres = 0;
  let last = pickup;
  for (const stop of byVisit(dropOffs)) {
    metres += distanceM(pricedPlace(last), pricedPlace(stop));
    last = stop;
  }
  return metres >= LEAST_SPAN_M && isRide(metres, routedS, priced) ? routedS / metres : NaN;
}
