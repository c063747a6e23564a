import { dateIn, timeOnDate } from '../../domain/analytics/local-date.ts';
import { mondayOf, shiftDate } from '../../domain/analytics/range.ts';
import { UTC } from '../../domain/vendors/time-zone.ts';
import type { SettlementCycle, SettlementTerms } from '../../domain/vendors/vendor.ts';

/**
 * The period of a settlement: the time from one cut-off to the next, epoch ms, half-open. `date` is its last calendar
 * date in the zone.
 */
export type Period = {
  readonly cycle: SettlementCycle;
  readonly zone: string;
  readonly from: number;
  readonly to: number;
  readonly date: string;
};

/** The empty period before the first one of a vendor, which begins at this instant. */
export function openingAt(at: number): Period {
  // The date is before that of the instant in every zone, so that the first cut-off after the instant is not missed.
  return { cycle: 'daily', zone: UTC, from: at, to: at, date: shiftDate(dateIn(UTC, at), -3) };
}

/**
 * The period after another one. It begins where that one has ended, and ends at the next cut-off on a later date, by the
 * zone and the terms that the vendor has now.
 */
export function periodAfter(zone: string, { cycle, cutOff }: SettlementTerms, { to: from, date }: Period): Period {
  let ends = cutOffAfter(cycle, shiftDate(date, 1));
  // A zone may skip a date, or the vendor has moved to a zone in which the cut-off was earlier.
  while (timeOnDate(zone, ends, cutOff) <= from) ends = cutOffAfter(cycle, ends);
  return { cycle, zone, from, to: timeOnDate(zone, ends, cutOff), date: shiftDate(ends, -1) };
}

/** The date of the first cut-off after this date. Weeks end on Monday. */
function cutOffAfter(cycle: SettlementCycle, date: string): string {
  return cycle === 'daily' ? shiftDate(date, 1) : shiftDate(mondayOf(date), 7);
}
