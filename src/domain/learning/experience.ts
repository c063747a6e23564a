import { VEHICLE_TYPES, type VehicleType } from '../couriers/courier.ts';
import { SET_OFF_S } from '../deliveries/way.ts';
import { crowSpeedMps, HOURS_OF_WEEK, type LegSums, type RoutedSums, type SetOffSums } from './travel.ts';

/**
 * The lesson of the legs from one cell or area, for ways along straight lines or for ways along streets. Couriers need
 * `own + share * around` seconds for each expected one, where `around` is what they need by the wider experience. So a
 * change of an area shows at once in all its cells. Both rows have an entry for each hour of the week and, in it, for
 * each vehicle. They have single precision, as a process remembers many.
 */
export type Experience = { readonly own: Float32Array; readonly share: Float32Array };

/**
 * How many legs the wider experience weighs. Speeds of single legs scatter by a third of their mean. The mean of ten is
 * off by a tenth and weighs in a cell as much as the experience from around. An area is slower to learn, because it speaks
 * for dozens of cells, and because each leg of a cell counts in its area too.
 */
export const PRIOR_LEGS = { cell: 10, area: 50 } as const;
/** Whose legs these are. */
type Scope = keyof typeof PRIOR_LEGS;
/** The legs of a vehicle, by the hour of the week, in a cell or in an area. */
type Legs<Sums> = {
  readonly of: Scope;
  readonly vehicle: VehicleType;
  readonly hours: ReadonlyMap<number, Sums>;
};
/** A whole fleet is not twice as quick as the streets allow, and parking and lights do not make it over 2.5 times as slow. */
const [LEAST_STRETCH, MOST_STRETCH] = [0.5, 2.5];

const VEHICLES = VEHICLE_TYPES.length;
const CROW_SPEEDS_MPS = Float64Array.from(VEHICLE_TYPES, crowSpeedMps);

/** The experience of a cell or an area without legs: all is as around it. */
export const NO_EXPERIENCE: Experience = {
  own: new Float32Array(HOURS_OF_WEEK * VEHICLES),
  share: new Float32Array(HOURS_OF_WEEK * VEHICLES).fill(1),
};

/** The experience with these legs of a vehicle, along straight lines. The default speed is the expected one. */
export function withStraight(before: Experience, { of, vehicle, hours }: Legs<LegSums>): Experience {
  const mps = crowSpeedMps(vehicle);
  const sums = [...hours].map(([hour, { metres, ...rest }]) => [hour, { ...rest, expectedS: metres / mps }] as const);
  return withPaces(before, vehicle, pacesByHour(sums, PRIOR_LEGS[of]));
}

/** The experience with these legs of a vehicle, along streets. The routing server's seconds are the expected ones. */
export function withRouted(before: Experience, { of, vehicle, hours }: Legs<RoutedSums>): Experience {
  const sums = [...hours].map(([hour, { routedS, ...rest }]) => [hour, { ...rest, expectedS: routedS }] as const);
  return withPaces(before, vehicle, pacesByHour(sums, PRIOR_LEGS[of]));
}

/**
 * Writes the speeds from a cell into `speeds`, beginning at `from`, for each vehicle in the order of `VEHICLE_TYPES`: in
 * metres per second along a straight line, by the experience of the cell and of its area. A speed combines the hour's own
 * legs with wider experience, which weighs more if the legs are few. The hour leans on its day part, the day part on the
 * whole week, and the week on the area's speed of that hour. The area's hours lean on each other in the same way, and its
 * week on the default. So an hour without legs has its day part's speed, and a cell without legs its area's. The mean is
 * taken over paces and not over speeds, since the caller wants a time.
 */
export function writeSpeeds(
  speeds: Float64Array,
  from: number,
  hour: number,
  { cell, area }: { readonly cell: Experience; readonly area: Experience },
): void {
  for (let vehicle = 0; vehicle < VEHICLES; vehicle += 1)
    speeds[from + vehicle] = (CROW_SPEEDS_MPS[vehicle] ?? NaN) / paceAt(hour * VEHICLES + vehicle, cell, area);
}

/**
 * Seconds that couriers need from a cell for each second of the routing server, by the experience of the cell and of its
 * area. The hours and cells lean on each other as those of speeds do, and the area's week on 1. Between 0.5 and 2.5.
 */
export function stretchOf(vehicle: VehicleType, hour: number, cell: Experience, area: Experience): number {
  const pace = paceAt(hour * VEHICLES + VEHICLE_TYPES.indexOf(vehicle), cell, area);
  return Math.min(Math.max(pace, LEAST_STRETCH), MOST_STRETCH);
}

const NO_SET_OFFS: SetOffSums = { seconds: 0, seen: 0 };
/**
 * The weight of the wider experience, in departures, for a cell and for an area. Single departures scatter by half of their
 * mean, so the mean of ten is off by a sixth. It is below the 50 departures that a row remembers, so a row with many
 * departures decides.
 */
const PRIOR_DEPARTURES = 10;

/**
 * Seconds until couriers depart after they have collected goods, by the departures from a cell and those from its area. The
 * cell leans on the area, and the area on the default.
 */
export function setOffOf(cell = NO_SET_OFFS, area = NO_SET_OFFS): number {
  return leanSetOff(cell, leanSetOff(area, SET_OFF_S));
}

function leanSetOff({ seconds, seen }: SetOffSums, aroundS: number): number {
  return (seconds + PRIOR_DEPARTURES * aroundS) / (seen + PRIOR_DEPARTURES);
}

/** Seconds for each expected one. */
function paceAt(entry: number, cell: Experience, area: Experience): number {
  const around = (area.own[entry] ?? 0) + (area.share[entry] ?? 1);
  return (cell.own[entry] ?? 0) + (cell.share[entry] ?? 1) * around;
}

/** Sums over legs. */
type Sums = { readonly expectedS: number; readonly seconds: number; readonly seen: number };
/** The experience of one hour and vehicle. */
type Pace = { readonly own: number; readonly share: number };

function withPaces(before: Experience, vehicle: VehicleType, paces: readonly Pace[]): Experience {
  const [own, share] = [before.own.slice(), before.share.slice()];
  for (const [hour, pace] of paces.entries()) {
    const entry = hour * VEHICLES + VEHICLE_TYPES.indexOf(vehicle);
    own[entry] = pace.own;
    share[entry] = pace.share;
  }
  return { own, share };
}

function pacesByHour(hours: readonly (readonly [number, Sums])[], priorLegs: number): readonly Pace[] {
  const leaning = (sums: Sums, wider: Pace): Pace => leaningOn(sums, wider, priorLegs);
  const week = { expectedS: 0, seconds: 0, seen: 0 };
  const parts = Array.from({ length: DAY_PARTS }, () => ({ expectedS: 0, seconds: 0, seen: 0 }));
  for (const [hour, sums] of hours) {
    add(week, sums);
    for (const shift of [-1, 0, 1]) add(parts[dayPartOf(hour, shift)], sums);
  }
  const ofWeek = leaning(week, { own: 0, share: 1 });
  const paces = Array.from({ length: HOURS_OF_WEEK }, (_, hour) => leaning(parts[dayPartOf(hour, 0)] ?? week, ofWeek));
  for (const [hour, sums] of hours) paces[hour] = leaning(sums, paces[hour] ?? ofWeek);
  return paces;
}

function add(to: { -readonly [K in keyof Sums]: Sums[K] } | undefined, { expectedS, seconds, seen }: Sums): void {
  if (to === undefined) return;
  to.expectedS += expectedS;
  to.seconds += seconds;
  to.seen += seen;
}

/** The pace of the sums, moved towards the wider one. */
function leaningOn({ expectedS, seconds, seen }: Sums, wider: Pace, priorLegs: number): Pace {
  if (seen === 0) return wider;
  const all = seen + priorLegs;
  return {
    own: (seen * (seconds / expectedS) + priorLegs * wider.own) / all,
    share: (priorLegs * wider.share) / all,
  };
}

/** A day part is an hour with the hours before and after, on all days of a kind: Monday to Friday, or the weekend. */
const DAY_PARTS = 48;

/** The day part of the hour that lies `shift` hours away on the same day. */
function dayPartOf(hour: number, shift: number): number {
  const isWeekend = hour >= 5 * 24;
  return ((hour + shift + 24) % 24) + (isWeekend ? 24 : 0);
}
