import type { Delivery } from './delivery.ts';
import { lateFromAt } from './lateness.ts';
import { isTerminal, leavesFrom } from './lifecycle.ts';

/**
 * The kinds of due work: `search` starts a search, reports a long one or ends it; `late` reports a late delivery;
 * `expire` ends a delivery of test mode that nobody acts on any more.
 */
export const DUTIES = ['search', 'late', 'expire'] as const;
export type Duty = (typeof DUTIES)[number];

/** When each duty must look at a delivery, service time in ms. Null if it need not. */
export type Dues = Readonly<Record<Duty, number | null>>;

/**
 * The spans after which a search is too long, a delivery without a window is late, and a test ends by itself (0 for
 * never); ms.
 */
export type DueRules = {
  readonly alarmAfterMs: number;
  readonly promiseMs: number;
  readonly testExpiresAfterMs: number;
};

/** When each duty must look at the delivery as it is now. Every write of a delivery derives these times again. */
export function duesOf(delivery: Delivery, rules: DueRules): Dues {
  const { alarmAfterMs, promiseMs } = rules;
  return {
    search: searchDueAt(delivery, alarmAfterMs),
    late: lateFromAt(delivery, promiseMs),
    expire: testOverAt(delivery, rules),
  };
}

/**
 * When a delivery of test mode ends by itself, service time in ms; infinite if it never does. Null for a live delivery
 * and one that has ended. A search that is not over counts as a window.
 */
export function testOverAt(
  { liveMode, state, pickup, dropOffs, times, searchUntilAt }: Delivery,
  { testExpiresAfterMs }: Pick<DueRules, 'testExpiresAfterMs'>,
): number | null {
  if (liveMode || isTerminal(state)) return null;
  if (testExpiresAfterMs === 0) return Infinity;
  const windows = [pickup, ...dropOffs].map(({ window }) => window?.deadlineAt ?? window?.readyAt ?? 0);
  const isSearched = leavesFrom(state, 'start_search') || leavesFrom(state, 'assign');
  return Math.max(times.updatedAt, ...windows, isSearched ? searchUntilAt : 0) + testExpiresAfterMs;
}

function searchDueAt(
  { state, searchFromAt, searchCountsFromAt, searchUntilAt }: Delivery,
  alarmAfterMs: number,
): number | null {
  if (leavesFrom(state, 'start_search')) return searchFromAt;
  if (!leavesFrom(state, 'assign')) return null;
  return Math.min(searchCountsFromAt + alarmAfterMs, searchUntilAt);
}
