import { Temporal } from 'temporal-polyfill';

/** A span of one day's wall-clock time, `HH:MM`. An end before the start is on the next day. */
export type Period = { readonly start: string; readonly end: string };

/** Days of the week: 1 is Monday, 7 is Sunday. */
export type DayHours = { readonly day: number; readonly periods: readonly Period[] };
/** A date, `YYYY-MM-DD`, that differs from its day of the week. Without periods it is closed. */
export type DateHours = { readonly date: string; readonly periods: readonly Period[] };

/** When couriers can collect goods. A period belongs to the date on which it starts, also past midnight. */
export type Hours = {
  /** An IANA time zone. */
  readonly timezone: string;
  /** The opening periods of each day; a day that is not listed is closed. Null: open all day, every day. */
  readonly weekly: readonly DayHours[] | null;
  readonly exceptions: readonly DateHours[];
};

/** The hours of one location. They count as long as the vendor's hours are of the same edition. */
export type LocationHours = Hours & { readonly edition: number };

type Site = { readonly hours: LocationHours | null };
type Owner = { readonly hours: Hours | null; readonly hoursEdition: number };

/** How far ahead an opening is looked for, days: a store that is closed for longer than a year has no next opening. */
const FARTHEST_DAYS = 400;
const ALL_DAY: readonly Period[] = [{ start: '00:00', end: '24:00' }];

/** The hours that count at a location; null: it is always open. */
export function hoursOf(owner: Owner, { hours }: Site): Hours | null {
  return hours !== null && hours.edition === owner.hoursEdition ? hours : owner.hours;
}

/** Says whether a location with these hours is open at an instant, epoch ms. */
export function isOpenAt(hours: Hours, at: number): boolean {
  const today = dateOf(hours, at);
  // A night belongs to the date before. When clocks go back at midnight, the next date has begun already.
  return [-1, 0, 1].some((days) => spansOn(hours, today.add({ days })).some((span) => span.from <= at && at < span.to));
}

/** The first instant from `at` on at which the location is open, epoch ms; null if it is closed for over a year. */
export function nextOpening(hours: Hours, at: number): number | null {
  if (isOpenAt(hours, at)) return at;
  const today = dateOf(hours, at);
  for (let days = -1; days <= FARTHEST_DAYS; days += 1) {
    const openings = spansOn(hours, today.add({ days })).filter(({ from, to }) => from > at && from < to);
    if (openings.length > 0) return Math.min(...openings.map(({ from }) => from));
  }
  return null;
}

/** Says whether the text names an IANA time zone that this server knows. An offset such as `+02:00` does not. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    // Temporal knows fewer zones. It refuses old names such as `EAT`.
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text);
    return true;
  } catch {
    // Both throw for an unknown zone. Here that is an answer and not a fault.
    return false;
  }
}

/** The name of a known time zone as IANA spells it, such as `Europe/Berlin` for `europe/berlin`. Old names stay. */
export function spellTimeZone(zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
}

/**
 * Two periods of a week, or of one day, of which the later one starts before the earlier one ends, with their places in
 * the list; null if none.
 */
export function findOverlap(
  days: readonly { readonly day: number; readonly periods: readonly Period[] }[],
): { readonly first: readonly [number, number]; readonly second: readonly [number, number] } | null {
  const spans = days
    .flatMap(({ day, periods }, at) =>
      periods.map((period, index) => ({ place: [at, index] as const, ...minutesOf(period, day) })),
    )
    .toSorted((a, b) => a.from - b.from);
  const [earliest] = spans;
  for (const [index, span] of spans.entries()) {
    // Sunday night runs into Monday morning. One day is too short for it.
    const wrapped = earliest !== undefined ? { ...earliest, from: earliest.from + WEEK_MIN } : undefined;
    const next = spans[index + 1] ?? wrapped;
    if (next !== undefined && next.from < span.to) return { first: span.place, second: next.place };
  }
  return null;
}

const DAY_MIN = 1440;
const WEEK_MIN = 7 * DAY_MIN;

function minutesOf({ start, end }: Period, day: number): { from: number; to: number } {
  const from = minuteOf(start);
  const to = minuteOf(end);
  return { from: day * DAY_MIN + from, to: day * DAY_MIN + (to < from ? to + DAY_MIN : to) };
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

function dateOf({ timezone }: Hours, at: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate();
}

/** The periods that start on a date, as instants. */
function spansOn({ timezone, weekly, exceptions }: Hours, date: Temporal.PlainDate): { from: number; to: number }[] {
  const exception = exceptions.find((other) => other.date === date.toString());
  const usual = weekly === null ? ALL_DAY : (weekly.find(({ day }) => day === date.dayOfWeek)?.periods ?? []);
  return (exception?.periods ?? usual).map(({ start, end }) => ({
    from: instantOf(timezone, date, minuteOf(start), 'earlier'),
    to: instantOf(timezone, date, minuteOf(end) + (end < start ? DAY_MIN : 0), 'later'),
  }));
}

/**
 * The instant at which the clock of the zone shows this minute of the date. A time that clocks skip is the moment of the
 * change. If clocks show it twice, `which` decides: a period starts with the first and ends with the second.
 */
function instantOf(timezone: string, date: Temporal.PlainDate, minute: number, which: 'earlier' | 'later'): number {
  const shown = date
    .add({ days: Math.floor(minute / DAY_MIN) })
    .toPlainDateTime({ hour: Math.floor((minute % DAY_MIN) / 60), minute: minute % 60 });
  const zoned = shown.toZonedDateTime(timezone, { disambiguation: which });
  if (zoned.toPlainDateTime().equals(shown)) return zoned.epochMilliseconds;
  const before = shown.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? zoned).epochMilliseconds;
}
