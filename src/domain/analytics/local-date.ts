import { Temporal } from 'temporal-polyfill';
import { UTC } from '../vendors/time-zone.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar date of an instant in a time zone, as `2026-01-31`. */
export function dateIn(zone: string, at: number): string {
  if (zone === UTC) return new Date(at).toISOString().slice(0, 10);
  return formatOf(zone).format(at);
}

/** The instant at which a date begins in a time zone, epoch ms. */
export function startOfDate(zone: string, date: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;
}

/**
 * The instant of a local time on a date, as `04:30`, epoch ms. A time that the clock skips counts as the time after the
 * gap, and one that comes twice as the first.
 */
export function timeOnDate(zone: string, date: string, time: string): number {
  const plainTime = Temporal.PlainTime.from(time);
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds;
}

/** Makes each format once, since that takes long. There are at most as many as time zones in the world. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  // The Swedish form of a date is that of ISO 8601.
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...parts });
  formats.set(zone, made);
  return made;
}
