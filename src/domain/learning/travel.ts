import { cellToParent, latLngToCell } from 'h3-js';
import { VEHICLE_TYPES, type VehicleType } from '../couriers/courier.ts';
import { distanceM, type Coordinates } from '../geo/geo.ts';
import { STREET_FACTOR } from '../geo/street.ts';
import { SET_OFF_S, SPEED_MPS } from '../deliveries/way.ts';
import type { Ways } from './ways.ts';

/**
 * The way of a courier between two stops, or from the place of the assignment to the first; service time in ms. Each
 * mode learns apart.
 */
export type Leg = {
  readonly from: Coordinates;
  readonly to: Coordinates;
  readonly startedAt: number;
  readonly arrivedAt: number;
  readonly vehicle: VehicleType;
  readonly liveMode: boolean;
  /** Seconds from the collection of goods to the start. Absent if the start is not known so well. */
  readonly setOffS?: number;
};

/**
 * The sample that a leg gives: straight-line metres and seconds, by the cell and the hour of the week (UTC) of its
 * start.
 */
export type LegSample = {
  readonly cell: string;
  readonly hour: number;
  readonly vehicle: VehicleType;
  readonly liveMode: boolean;
  readonly metres: number;
  readonly seconds: number;
  /** The routing server's seconds for the same way. Absent if it knew none. */
  readonly routedS?: number;
  /** Seconds from the collection of goods to the start. Absent if the start is not known so well. */
  readonly setOffS?: number;
};

/** Sums over legs. Older legs have faded. */
export type LegSums = { readonly metres: number; readonly seconds: number; readonly seen: number };

/**
 * Sums over the legs whose way the routing server knew, each bounded as in `routedSumsOf`. Older legs have faded.
 */
export type RoutedSums = { readonly routedS: number; readonly seconds: number; readonly seen: number };

/** Sums over the times that couriers took to set off with goods, each bounded as in `setOffSumsOf`. Older ones have faded. */
export type SetOffSums = { readonly seconds: number; readonly seen: number };

/** H3 resolution of the cells that learn: about 5 km², wide enough for a few legs each hour, narrower than a town. */
export const CELL_RESOLUTION = 7;
/** H3 resolution of their areas: about 250 km², a city with 49 cells. */
const AREA_RESOLUTION = 5;
export const HOURS_OF_WEEK = 168;
/** Epoch ms 0 was the start of a Thursday. Weeks count from Monday. */
const HOURS_BEFORE_EPOCH = 72;
const HOUR_MS = 3_600_000;

/** A shorter leg is mostly parking and stairs, and a fix is off by tens of metres. */
const LEAST_LEG_M = 200;
/** The ends of a leg are known to a few seconds, which is over a tenth of any shorter leg. */
const LEAST_LEG_S = 60;
/** A speed this many times above or below the default does not come from a ride: a pause, a motorway, a wrong clock. */
const ABSURD_FACTOR = 5;
/**
 * The least and the greatest stretch that a single leg counts as. Legs of a fleet scatter by a third around a stretch of 1 to
 * 1.5, so a leg beyond this has a pause, a shortcut or a wrong vehicle in it.
 */
const [LEAST_LEG_STRETCH, MOST_LEG_STRETCH] = [0.4, 3];
/** The greatest weight of a leg, in seconds of the routing server: twice a usual leg, so a long one does not outweigh many. */
const MOST_WEIGHT_S = 600;
/** The longest that a single departure counts as, in seconds. A courier who stays longer is waiting for something else. */
const MOST_SET_OFF_S = 300;
/** The default speed in metres per second along a straight line. */
export function crowSpeedMps(vehicle: VehicleType): number {
  return SPEED_MPS[vehicle] / STREET_FACTOR;
}

/** The ways of a process that has learned nothing and knows no routing server. */
export const UNLEARNED_WAYS: Ways = {
  speedsAt: (places) => Float64Array.from(places.flatMap(() => VEHICLE_TYPES.map(crowSpeedMps))),
  routedS: () => NaN,
  stretchAt: () => 1,
  setOffS: () => SET_OFF_S,
};

/** The area around a cell, which learns from the legs of all its cells. */
export function areaOf(cell: string): string {
  return cellToParent(cell, AREA_RESOLUTION);
}

/** The hour of the week in UTC, 0 (Monday, midnight) to 167. */
export function hourOfWeek(at: number): number {
  return (Math.floor(at / HOUR_MS) + HOURS_BEFORE_EPOCH) % HOURS_OF_WEEK;
}

/** Says whether this many straight-line metres in this many seconds can be a ride of this vehicle. */
export function isRide(metres: number, seconds: number, vehicle: VehicleType): boolean {
  const timesDefault = metres / seconds / crowSpeedMps(vehicle);
  return timesDefault <= ABSURD_FACTOR && timesDefault >= 1 / ABSURD_FACTOR;
}

/** The sample that a leg gives, or why it gives none: too short to measure, or at a speed that is not a ride. */
export function judgeLeg(leg: Leg): LegSample | 'short' | 'absurd' {
  const { from, to, startedAt, arrivedAt, vehicle, liveMode, setOffS } = leg;
  const metres = distanceM(from, to);
  const seconds = (arrivedAt - startedAt) / 1000;
  if (metres < LEAST_LEG_M || seconds < LEAST_LEG_S) return 'short';
  if (!isRide(metres, seconds, vehicle)) return 'absurd';
  const cell = latLngToCell(from.lat, from.lng, CELL_RESOLUTION);
  const sample = { cell, hour: hourOfWeek(startedAt), vehicle, liveMode, metres, seconds };
  return setOffS === undefined ? sample : { ...sample, setOffS };
}

/**
 * The sample with the routing server's seconds for its way. A stretch beyond `ABSURD_FACTOR` comes from a pause or from
 * another way, so such a sample stays without them.
 */
export function withRoute(sample: LegSample, routedS: number): LegSample {
  const stretch = sample.seconds / routedS;
  return stretch <= ABSURD_FACTOR && stretch >= 1 / ABSURD_FACTOR ? { ...sample, routedS } : sample;
}

/**
 * The figures that a leg adds to the sums of its stretch; null if the routing server knew no way. They are bounded in
 * stretch and weight, so that a single courier cannot steer the arrivals of all others.
 */
export function routedSumsOf({ seconds, routedS }: LegSample): RoutedSums | null {
  if (routedS === undefined) return null;
  const stretch = Math.min(Math.max(seconds / routedS, LEAST_LEG_STRETCH), MOST_LEG_STRETCH);
  const weightS = Math.min(routedS, MOST_WEIGHT_S);
  return { routedS: weightS, seconds: weightS * stretch, seen: 1 };
}

/**
 * The figures that a leg adds to the sums of set-offs; null if it is not known when its courier set off. The clocks of the two
 * processes that stored collection and departure may differ, so the time may be below 0.
 */
export function setOffSumsOf({ setOffS }: LegSample): SetOffSums | null {
  return setOffS === undefined ? null : { seconds: Math.min(Math.max(setOffS, 0), MOST_SET_OFF_S), seen: 1 };
}
