import type { Courier } from '../couriers/courier.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { isSameStay, itineraryOf } from '../deliveries/stops/itinerary.ts';
import type { Coordinates } from '../geo/geo.ts';
import { STOP_SERVICE_S } from '../deliveries/way.ts';
import { setsOutAt } from '../learning/leg-time.ts';
import { rideS, type Ways } from '../learning/ways.ts';

/** A courier as one run sees them: the last known place, and their deliveries. */
export type RunCourier = {
  readonly courier: Courier;
  readonly place: Coordinates;
  readonly assigned: readonly Delivery[];
};

/** Where and when (epoch ms) a courier can set out for another pickup location. */
export type Start = { readonly place: Coordinates; readonly at: number };

/** When the goods are ready at a pickup, epoch ms. */
export type ReadyAt = (delivery: Delivery) => number;

/** Seconds of a courier's way that begins at `at`, as `rideS` counts them. */
export function wayS(
  ways: Ways,
  at: number,
  { vehicleType: vehicle, liveMode }: Pick<Courier, 'vehicleType' | 'liveMode'>,
  from: Coordinates,
  to: Coordinates,
): number {
  return rideS(ways, { from, to, vehicle, liveMode }, at);
}

/** Where and when a courier has finished all their deliveries: here and now if they have none. */
export function startOf(
  { courier, place, assigned }: RunCourier,
  { now, readyAt, travel }: { readonly now: number; readonly readyAt: ReadyAt; readonly travel: Ways },
): Start {
  const itinerary = itineraryOf(assigned, place);
  const [first] = itinerary;
  let at = first === undefined ? now : setsOutAt(travel, first.delivery, { assigned, first, now });
  let from = place;
  for (const [index, { delivery, stop }] of itinerary.entries()) {
    at += wayS(travel, now, courier, from, stop.place) * 1000;
    if (stop.index === 0) at = Math.max(at, readyAt(delivery));
    if (!isSameStay(stop, itinerary[index + 1]?.stop)) at += STOP_SERVICE_S * 1000;
    from = stop.place;
  }
  return { place: from, at };
}
