/** A half-open range of calendar dates, as `2026-01-31`. */
export type DateSpan = { readonly from: string; readonly to: string };

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
