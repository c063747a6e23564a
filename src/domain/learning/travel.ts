import { latLngToCell } from 'h3-js';
import { VEHICLE_TYPES, type VehicleType } from '../couriers/courier.ts';
import { distanceM, type Coordinates } from '../geo/geo.ts';
import { STREET_FACTOR } from '../geo/street.ts';
import { SPEED_MPS } from '../deliveries/way.ts';
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
};

/** Sums over legs. Older legs have faded. */
export type LegSums = { readonly metres: number; readonly seconds: number; readonly seen: number };

/**
 * Sums over the legs whose way the routing server knew, each bounded as in `routedSumsOf`. Older legs have faded.
 */
export type RoutedSums = { readonly routedS: number; readonly seconds: number; readonly seen: number };

/**
 * H3 resolution of learned speeds: cells of about 5 km², wide enough for a few legs each hour, narrower than a town.
 */
export const SPEED_RESOLUTION = 7;
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
 * How many legs the wider experience weighs. Speeds of single legs scatter by a third of their mean. The mean of ten is
 * off by a tenth and weighs as much as the experience from around.
 */
const PRIOR_LEGS = 10;
/**
 * The least and the greatest stretch that a single leg counts as. Legs of a fleet scatter by a third around a stretch of 1 to
 * 1.5, so a leg beyond this has a pause, a shortcut or a wrong vehicle in it.
 */
const [LEAST_LEG_STRETCH, MOST_LEG_STRETCH] = [0.4, 3];
/** The greatest weight of a leg, in seconds of the routing server: twice a usual leg, so a long one does not outweigh many. */
const MOST_WEIGHT_S = 600;
/** A whole fleet is not twice as quick as the streets allow, and parking and lights do not make it over 2.5 times as slow. */
const [LEAST_STRETCH, MOST_STRETCH] = [0.5, 2.5];

/** The default speed in metres per second along a straight line. */
export function crowSpeedMps(vehicle: VehicleType): number {
  return SPEED_MPS[vehicle] / STREET_FACTOR;
}

/** The ways of a process that has learned nothing and knows no routing server. */
export const UNLEARNED_WAYS: Ways = {
  speedsAt: (places) => Float64Array.from(places.flatMap(() => VEHICLE_TYPES.map(crowSpeedMps))),
  routedS: () => NaN,
  stretchAt: () => 1,
};

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
  const { from, to, startedAt, arrivedAt, vehicle, liveMode } = leg;
  const metres = distanceM(from, to);
  const seconds = (arrivedAt - startedAt) / 1000;
  if (metres < LEAST_LEG_M || seconds < LEAST_LEG_S) return 'short';
  if (!isRide(metres, seconds, vehicle)) return 'absurd';
  const cell = latLngToCell(from.lat, from.lng, SPEED_RESOLUTION);
  return { cell, hour: hourOfWeek(startedAt), vehicle, liveMode, metres, seconds };
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
 * Speeds of a vehicle from one cell, in metres per second along a straight line, by hour of the week. Each speed
 * combines the hour's own legs with wider experience, which weighs more if the legs are few. The hour leans on its day
 * part, the day part on the whole week, and the week on the default. So an hour without legs has its day part's speed,
 * and a cell without legs the default. The mean is taken over paces and not over speeds, since the caller wants a time.
 */
export function speedsByHour(vehicle: VehicleType, hours: ReadonlyMap<number, LegSums>): Float64Array {
  const sums = [...hours].map(([hour, { metres, ...rest }]) => [hour, { ...rest, length: metres }] as const);
  return pacesByHour(sums, 1 / crowSpeedMps(vehicle)).map((pace) => 1 / pace);
}

/**
 * Seconds that couriers need for each second of the routing server, from one cell by hour of the week. The hours lean on
 * each other as those of speeds do, and the week on 1. Between 0.5 and 2.5.
 */
export function stretchByHour(hours: ReadonlyMap<number, RoutedSums>): Float64Array {
  const sums = [...hours].map(([hour, { routedS, ...rest }]) => [hour, { ...rest, length: routedS }] as const);
  return pacesByHour(sums, 1).map((stretch) => Math.min(Math.max(stretch, LEAST_STRETCH), MOST_STRETCH));
}

/** Sums over legs. `length` is in the unit in which their ways are measured. */
type Sums = { readonly length: number; readonly seconds: number; readonly seen: number };

/** Seconds per unit of length, by hour of the week. `before` is the pace that is believed without legs. */
function pacesByHour(hours: readonly (readonly [number, Sums])[], before: number): Float64Array {
  const week = { length: 0, seconds: 0, seen: 0 };
  const parts = Array.from({ length: DAY_PARTS }, () => ({ length: 0, seconds: 0, seen: 0 }));
  for (const [hour, sums] of hours) {
    add(week, sums);
    for (const shift of [-1, 0, 1]) add(parts[dayPartOf(hour, shift)], sums);
  }
  const weekPace = paceOf(week, before);
  const paces = Float64Array.from({ length: HOURS_OF_WEEK }, (_, hour) =>
    paceOf(parts[dayPartOf(hour, 0)] ?? week, weekPace),
  );
  for (const [hour, sums] of hours) paces[hour] = paceOf(sums, paces[hour] ?? weekPace);
  return paces;
}

function add(to: { -readonly [K in keyof Sums]: Sums[K] } | undefined, { length, seconds, seen }: Sums): void {
  if (to === undefined) return;
  to.length += length;
  to.seconds += seconds;
  to.seen += seen;
}

/** Seconds per unit of length by the sums, moved towards the pace believed before. */
function paceOf({ length, seconds, seen }: Sums, before: number): number {
  return seen === 0 ? before : (seen * (seconds / length) + PRIOR_LEGS * before) / (seen + PRIOR_LEGS);
}

/** A day part is an hour with the hours before and after, on all days of a kind: Monday to Friday, or the weekend. */
const DAY_PARTS = 48;

/** The day part of the hour that lies `shift` hours away on the same day. */
function dayPartOf(hour: number, shift: number): number {
  const isWeekend = hour >= 5 * 24;
  return ((hour + shift + 24) % 24) + (isWeekend ? 24 : 0);
}
