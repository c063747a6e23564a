/** A half-open range of calendar dates, as `2026-01-31`. */
export type DateSpan = { readonly from: string; readonly to: string };

/** The ends of a range as a caller sends them: dates, or times with their zone, of ISO 8601. */
export type AskedSpan = { readonly from: string; readonly to: string };

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Says whether the text has the form of a date, and not that of a time. */
export function isDate(text: string): boolean {
  return DATE.test(text);
}

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
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
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
