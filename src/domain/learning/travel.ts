import { latLngToCell } from 'h3-js';
import type { VehicleType } from '../couriers/courier.ts';
import { SPEED_MPS } from '../deliveries/eta.ts';
import { distanceM, type Coordinates } from '../geo/geo.ts';
import { STREET_FACTOR } from '../geo/street.ts';

/**
 * The way of a courier between two stops, or from where he was assigned to the first; service time in ms. What is learned
 * from legs in one mode stays there.
 */
export type Leg = {
  readonly from: Coordinates;
  readonly to: Coordinates;
  readonly startedAt: number;
  readonly arrivedAt: number;
  readonly vehicle: VehicleType;
  readonly liveMode: boolean;
};

/** What a leg teaches: metres as the crow flies and seconds, of the cell and the hour of the week (UTC) it began in. */
export type LegSample = {
  readonly cell: string;
  readonly hour: number;
  readonly vehicle: VehicleType;
  readonly liveMode: boolean;
  readonly metres: number;
  readonly seconds: number;
};

/** Sums over legs; older ones have faded. */
export type LegSums = { readonly metres: number; readonly seconds: number; readonly seen: number };

/** H3 resolution of what is learned: cells of about 5 km², wide enough for a few legs each hour, narrower than a town. */
export const SPEED_RESOLUTION = 7;
export const HOURS_OF_WEEK = 168;
/** Epoch ms 0 was the beginning of a Thursday; weeks are counted from Monday. */
const HOURS_BEFORE_EPOCH = 72;
const HOUR_MS = 3_600_000;

/** A shorter leg is mostly parking and doors, and a fix is off by tens of metres. */
const LEAST_LEG_M = 200;
/** Each end of a leg is known to a few seconds, which is a tenth of a minute and more of anything shorter. */
const LEAST_LEG_S = 60;
/** A speed this many times above or below the default is no ride: a pause, a lift on a motorway, a clock that is wrong. */
const ABSURD_FACTOR = 5;
/**
 * Legs that the wider experience counts for: where the speeds of single legs scatter by a third of their mean, the mean of
 * ten is off by a tenth, and is worth as much as what is known from around.
 */
const PRIOR_LEGS = 10;

/** Metres per second along the crow's line where nothing was learned. */
export function crowSpeedMps(vehicle: VehicleType): number {
  return SPEED_MPS[vehicle] / STREET_FACTOR;
}

/** The hour of the week in UTC, 0 (Monday, midnight) to 167. */
export function hourOfWeek(at: number): number {
  return (Math.floor(at / HOUR_MS) + HOURS_BEFORE_EPOCH) % HOURS_OF_WEEK;
}

/** Says whether so many metres of the crow's line in so many seconds are a ride of this vehicle, be it fast or slow. */
export function isRide(metres: number, seconds: number, vehicle: VehicleType): boolean {
  const timesDefault = metres / seconds / crowSpeedMps(vehicle);
  return timesDefault <= ABSURD_FACTOR && timesDefault >= 1 / ABSURD_FACTOR;
}

/** What a leg teaches, or why it teaches nothing: too short to be measured, or at a speed that is no ride. */
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
 * Speeds of a vehicle from one cell, in metres per second along the crow's line, by hour of the week. Each is what the
 * hour's own legs say, drawn towards the wider experience by as much as they are few: the hour towards its day part, that
 * towards the whole week, and the week towards the default. So an hour without a leg has its day part's speed, and a cell
 * without one the default. Paces are averaged, not speeds, since it is a time that is wanted.
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

/** Seconds per metre that the sums say, drawn towards the pace that was believed before. */
function paceOf(sums: LegSums | undefined, before: number): number {
  if (sums === undefined || sums.seen === 0) return before;
  return (sums.seen * (sums.seconds / sums.metres) + PRIOR_LEGS * before) / (sums.seen + PRIOR_LEGS);
}

/** A day part is an hour with the one before and after, on all days of a kind: Monday to Friday, or the weekend. */
const DAY_PARTS = 48;

/** The day part around the hour of the week that lies `shift` hours away on the same day. */
function dayPartOf(hour: number, shift: number): number {
  const isWeekend = hour >= 5 * 24;
  return ((hour + shift + 24) % 24) + (isWeekend ? 24 : 0);
}
