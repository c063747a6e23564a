import { VEHICLE_TYPES, type Courier } from '../couriers/courier.ts';
import { stopsToGo, type Delivery } from '../deliveries/delivery.ts';
import { distanceM, type Coordinates } from '../geo/geo.ts';
import { STOP_SERVICE_S } from '../deliveries/way.ts';

/** A courier as one run sees them: the last known place, and their deliveries, oldest first. */
export type RunCourier = {
  readonly courier: Courier;
  readonly place: Coordinates;
  readonly assigned: readonly Delivery[];
};

/** Where and when (epoch ms) a courier can set out for another pickup location. */
export type Start = { readonly place: Coordinates; readonly at: number };

/** When the goods are ready at a pickup, epoch ms. */
export type ReadyAt = (delivery: Delivery) => number;

/** The speeds of couriers. */
export type Speeds = {
  /**
   * Metres per second along a straight line, learned from legs of this mode that began there in that hour of the week.
   * Without legs it is the default. The speed from place p for `VEHICLE_TYPES[v]` is at `p * VEHICLE_TYPES.length + v`.
   */
  speedsAt(places: readonly Coordinates[], at: number, liveMode: boolean): Float64Array;
};

/** Seconds of a courier's way at the speed learned for the place where they set out. */
export function wayS(travel: Speeds, now: number, courier: Courier, from: Coordinates, to: Coordinates): number {
  const speeds = travel.speedsAt([from], now, courier.liveMode);
  return distanceM(from, to) / speeds[VEHICLE_TYPES.indexOf(courier.vehicleType)]!;
}

/** Where and when a courier has finished all their deliveries: here and now if they have none. */
export function startOf(
  { courier, place, assigned }: RunCourier,
  { now, readyAt, travel }: { readonly now: number; readonly readyAt: ReadyAt; readonly travel: Speeds },
): Start {
  let at = now;
  let from = place;
  for (const delivery of assigned) {
    for (const stop of stopsToGo(delivery)) {
      at += wayS(travel, now, courier, from, stop.place) * 1000;
      if (stop.index === 0) at = Math.max(at, readyAt(delivery));
      at += STOP_SERVICE_S * 1000;
      from = stop.place;
    }
  }
  return { place: from, at };
}
