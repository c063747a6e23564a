import type { Delivery } from './delivery.ts';
import { lateFromAt } from './lateness.ts';
import { leavesFrom } from './lifecycle.ts';

/** What time brings to a delivery: its search begins, lasts too long or ends (`search`); it is late (`late`). */
export const DUTIES = ['search', 'late'] as const;
export type Duty = (typeof DUTIES)[number];

/** When each duty must look at a delivery, service time in ms; null when it need not. */
export type Dues = Readonly<Record<Duty, number | null>>;

/** After how long a search is too long, and a delivery without a window is late; ms. */
export type DueRules = { readonly alarmAfterMs: number; readonly promiseMs: number };

/** When time must look at the delivery as it is now. Pure: it is derived whenever a delivery is written. */
export function duesOf(delivery: Delivery, { alarmAfterMs, promiseMs }: DueRules): Dues {
  return { search: searchDueAt(delivery, alarmAfterMs), late: lateFromAt(delivery, promiseMs) };
}

function searchDueAt(
  { state, searchFromAt, searchCountsFromAt, searchUntilAt }: Delivery,
  alarmAfterMs: number,
): number | null {
  if (leavesFrom(state, 'start_search')) return searchFromAt;
  if (!leavesFrom(state, 'assign')) return null;
  return Math.min(searchCountsFromAt + alarmAfterMs, searchUntilAt);
}
