import { dateIn, startOfDate } from '../../domain/analytics/local-date.ts';
import type { Settings } from '../../settings.ts';

/** A month of a calendar, as `2026-01`. */
export type Period = string;

/** The month that an instant belongs to in a time zone. */
export function periodAt(zone: string, at: number): Period {
  return dateIn(zone, at).slice(0, 7);
}

/** The month after this one. */
export function nextPeriod(period: Period): Period {
  const [year = 0, month = 0] = period.split('-').map(Number);
  const next = month === 12 ? [year + 1, 1] : [year, month + 1];
  return `${String(next[0]).padStart(4, '0')}-${String(next[1]).padStart(2, '0')}`;
}

/** The instant at which a month begins in a time zone, epoch ms. */
export function startOfPeriod(zone: string, period: Period): number {
  return startOfDate(zone, `${period}-01`);
}

/** The instant at which a month ends in a time zone, epoch ms. It belongs to the next month. */
export function endOfPeriod(zone: string, period: Period): number {
  return startOfPeriod(zone, nextPeriod(period));
}

/** When the invoice of a month is issued, service time in ms. */
export function issuedFrom({ issueAfterMs }: Settings['billing'], zone: string, period: Period): number {
  return endOfPeriod(zone, period) + issueAfterMs;
}
