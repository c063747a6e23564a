import { VEHICLE_TYPES, type VehicleType } from '../couriers/courier.ts';
import { distanceM, type Coordinates } from '../geo/geo.ts';

/** A way that a courier may take: from where they are or will be, to a stop. Each mode learns apart. */
export type Ride = {
  readonly from: Coordinates;
  readonly to: Coordinates;
  readonly vehicle: VehicleType;
  readonly liveMode: boolean;
};

/** The knowledge of a process about ways. Nothing here waits, and nothing throws. */
export type Ways = {
  /**
   * Metres per second along a straight line, learned from legs of this mode that began there in that hour of the week,
   * or else around it. Without legs it is the default. The speed from place p for `VEHICLE_TYPES[v]` is at `p * VEHICLE_TYPES.length + v`.
   */
  speedsAt(places: readonly Coordinates[], at: number, liveMode: boolean): Float64Array;
  /**
   * Seconds by the routing server's last answer for this way, or for one that begins beside it. NaN if there is none. A
   * missing or old answer is requested in the background, so a later call has it.
   */
  routedS(ride: Ride): number;
  /**
   * Seconds that couriers take for each second of the routing server, learned from legs of this vehicle and mode that began
   * there in that hour of the week, or else around it; 1 without such legs.
   */
  stretchAt(ride: Ride, at: number): number;
  /**
   * Seconds from the collection of goods until the courier departs, learned from departures of this vehicle and mode from
   * there, or else around it. Without them it is the default.
   */
  setOffS(start: Omit<Ride, 'to'>): number;
};

/**
 * Seconds of a way that begins at `at`, service time in ms. The routing server's seconds count, times the stretch. Without
 * them the straight line counts, at the learned speed.
 * @param pace the pace of a known route near this way, in seconds of a routing server per metre of the straight line. It
 *   counts before the learned speed. NaN if there is none.
 */
export function rideS(ways: Ways, ride: Ride, at: number, pace = NaN): number {
  const metres = distanceM(ride.from, ride.to);
  const answeredS = ways.routedS(ride);
  const routedS = Number.isNaN(answeredS) ? pace * metres : answeredS;
  if (!Number.isNaN(routedS)) return routedS * ways.stretchAt(ride, at);
  const speeds = ways.speedsAt([ride.from], at, ride.liveMode);
  return metres / (speeds[VEHICLE_TYPES.indexOf(ride.vehicle)] ?? NaN);
}
