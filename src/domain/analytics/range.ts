/** A half-open range of calendar dates, as `2026-01-31`. */
export type DateSpan = { readonly from: string; readonly to: string };

/** The ends of a range as a caller sends them: dates, or times with their zone, of ISO 8601. */
export type AskedSpan = { readonly from: string; readonly to: string };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Says whether the text has the form of a date, and not that of a time. */
export function isDate(text: string): boolean {
  return DATE.test(text);
}

/** The first date that a range may have, and the one after the last. Dates with more than four digits of a year do not sort as texts. */
export const FIRST_DATE = '2000-01-01';
export const AFTER_LAST_DATE = '2200-01-01';
/** Most dates of a range. */
export const MOST_DATES = 92;
/** Dates of a request that names no range. */
const USUAL_DATES = 30;
const DAY_MS = 24 * 60 * 60_000;

/** The number of dates in a range; negative if it ends before it begins. */
export function countDates({ from, to }: DateSpan): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** The date so many days later. */
export function shiftDate(date: string, days: number): string {
  const shifted = new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
  // A loop over dates would not end: texts of years with more than four digits sort before others.
  if (!isDate(shifted)) throw new RangeError(`no date is ${days} days from ${date}`);
  return shifted;
}

/** The last 30 dates, of which the given one is the last. */
export function lastDates(today: string): DateSpan {
  return { from: shiftDate(today, 1 - USUAL_DATES), to: shiftDate(today, 1) };
}

/** The Monday of the ISO week of a date. */
export function mondayOf(date: string): string {
  // 1970-01-05 was a Monday.
  const days = Math.round(Date.parse(date) / DAY_MS) - 4;
  return shiftDate(date, -(((days % 7) + 7) % 7));
}

/** The ISO week of a date, from Monday to Sunday, as `2026-01-05/P1W`. */
export function weekOf(date: string): string {
  return `${mondayOf(date)}/P1W`;
}

/** Whole weeks, and single dates before and after them, which together are this range: at most 23 for 92 dates. */
export function coverOf({ from, to }: DateSpan): string[] {
  const cover: string[] = [];
  for (let date = from; date < to;) {
    const week = weekOf(date);
    const next = shiftDate(date, 7);
    const isWhole = week.startsWith(date) && next <= to;
    cover.push(isWhole ? week : date);
    date = isWhole ? next : shiftDate(date, 1);
  }
  return cover;
}
