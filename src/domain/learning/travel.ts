import { latLngToCell } from 'h3-js';
import type { VehicleType } from '../couriers/courier.ts';
import { distanceM, type Coordinates } from '../geo/geo.ts';
import { STREET_FACTOR } from '../geo/street.ts';
import { SPEED_MPS } from '../deliveries/way.ts';

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
};

/** Sums over legs. Older legs have faded. */
export type LegSums = { readonly metres: number; readonly seconds: number; readonly seen: number };

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

/** The default speed in metres per second along a straight line. */
export function crowSpeedMps(vehicle: VehicleType): number {
  return SPEED_MPS[vehicle] / STREET_FACTOR;
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
  const { from, to, startedAt, arrivedAt, vehicle, liveMode } = leg;
  const metres = distanceM(from, to);
  const seconds = (arrivedAt - startedAt) / 1000;
  if (metres < LEAST_LEG_M || seconds < LEAST_LEG_S) return 'short';
  if (!isRide(metres, seconds, vehicle)) return 'absurd';
  const cell = latLngToCell(from.lat, from.lng, SPEED_RESOLUTION);
  return { cell, hour: hourOfWeek(startedAt), vehicle, liveMode, metres, seconds };
}

/**
 * Speeds of a vehicle from one cell, in metres per second along a straight line, by hour of the week. Each speed
 * combines the hour's own legs with wider experience, which weighs more if the legs are few. The hour leans on its day
 * part, the day part on the whole week, and the week on the default. So an hour without legs has its day part's speed,
 * and a cell without legs the default. The mean is taken over paces and not over speeds, since the caller wants a time.
 */
export function speedsByHour(vehicle: VehicleType, hours: ReadonlyMap<number, LegSums>): Float64Array {
  const week: Sums = { metres: 0, seconds: 0, seen: 0 };
  const parts = Array.from({ length: DAY_PARTS }, (): Sums => ({ metres: 0, seconds: 0, seen: 0 }));
  for (const [hour, sums] of hours) {
    add(week, sums);
    for (const shift of [-1, 0, 1]) add(parts[dayPartOf(hour, shift)], sums);
  }
  const weekPace = paceOf(week, 1 / crowSpeedMps(vehicle));
  const partPaces = parts.map((part) => paceOf(part, weekPace));
  return Float64Array.from(
    { length: HOURS_OF_WEEK },
    (_, hour) => 1 / paceOf(hours.get(hour), partPaces[dayPartOf(hour, 0)] ?? weekPace),
  );
}

type Sums = { -readonly [K in keyof LegSums]: LegSums[K] };

function add(to: Sums | undefined, { metres, seconds, seen }: LegSums): void {
  if (to === undefined) return;
  to.metres += metres;
  to.seconds += seconds;
  to.seen += seen;
}

/** Seconds per metre by the sums, moved towards the pace believed before. */
function paceOf(sums: LegSums | undefined, before: number): number {
  if (sums === undefined || sums.seen === 0) return before;
  return (sums.seen * (sums.seconds / sums.metres) + PRIOR_LEGS * before) / (sums.seen + PRIOR_LEGS);
}

/** A day part is an hour with the hours before and after, on all days of a kind: Monday to Friday, or the weekend. */
const DAY_PARTS = 48;

/** The day part of the hour that lies `shift` hours away on the same day. */
function dayPartOf(hour: number, shift: number): number {
  const isWeekend = hour >= 5 * 24;
  return ((hour + shift + 24) % 24) + (isWeekend ? 24 : 0);
}
