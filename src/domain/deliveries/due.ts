import type { Delivery } from './delivery.ts';
import { lateFromAt } from './lateness.ts';
import { leavesFrom } from './lifecycle.ts';

/** The kinds of due work: `search` starts a search, reports a long one or ends it; `late` reports a late delivery. */
export const DUTIES = ['search', 'late'] as const;
export type Duty = (typeof DUTIES)[number];

/** When each duty must look at a delivery, service time in ms. Null if it need not. */
export type Dues = Readonly<Record<Duty, number | null>>;

/** The spans after which a search is too long and after which a delivery without a window is late; ms. */
export type DueRules = { readonly alarmAfterMs: number; readonly promiseMs: number };

/** When each duty must look at the delivery as it is now. Every write of a delivery derives these times again. */
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
