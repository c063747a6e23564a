import type { Delivery } from './delivery.ts';
import { lateFromAt } from './lateness.ts';
import { isTerminal, leavesFrom } from './lifecycle.ts';
import { hasRecipients } from './stops/recipients.ts';

/**
 * The kinds of due work: `search` starts a search, reports a long one or ends it; `late` reports a late delivery;
 * `expire` ends a delivery of test mode that nobody acts on any more; `forget` forgets the recipients of an ended one.
 */
export const DUTIES = ['search', 'late', 'expire', 'forget'] as const;
export type Duty = (typeof DUTIES)[number];

/** When each duty must look at a delivery, service time in ms. Null if it need not. */
export type Dues = Readonly<Record<Duty, number | null>>;

/**
 * The settings on which due times rest: the spans after which a search is too long, a delivery without a window is late,
 * a test ends by itself (0 for never), and what happened to an ended delivery is forgotten; ms.
 */
export type DueRules = {
  readonly search: {
    readonly alarmAfterMs: number;
    readonly promiseMs: number;
    readonly testExpiresAfterMs: number;
  };
  readonly retention: { readonly eventsMs: number };
};

/** When each duty must look at the delivery as it is now. Every write of a delivery derives these times again. */
export function duesOf(delivery: Delivery, { search, retention }: DueRules): Dues {
  return {
    search: searchDueAt(delivery, search.alarmAfterMs),
    late: lateFromAt(delivery, search.promiseMs),
    expire: testOverAt(delivery, search),
    forget: forgetsAt(delivery, retention),
  };
}

/**
 * When an ended delivery forgets its recipients, service time in ms; infinite if it has. Null while it is open. A change after
 * the end, such as a refund, has an event with their names, so the time counts from the last change.
 */
export function forgetsAt(delivery: Delivery, { eventsMs }: DueRules['retention']): number | null {
  if (!isTerminal(delivery.state)) return null;
  return hasRecipients(delivery) ? delivery.times.updatedAt + eventsMs : Infinity;
}

/**
 * When a delivery of test mode ends by itself, service time in ms; infinite if it never does. Null for a live delivery
 * and one that has ended. A search that is not over counts as a window.
 */
export function testOverAt(
  { liveMode, state, pickup, dropOffs, times, searchUntilAt }: Delivery,
  { testExpiresAfterMs }: Pick<DueRules['search'], 'testExpiresAfterMs'>,
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
