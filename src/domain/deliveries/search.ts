import type { Delivery } from './delivery.ts';
import { closeOf, type Window } from '../window.ts';

/**
 * The span in which a courier is searched for, service time in epoch ms. From `searchFromAt` the matcher plans the
 * delivery and offers it. From `searchCountsFromAt` the search counts as waiting: alarm, queue and limit count from
 * there. `searchLimitMs` is how long it may count. The search of a scheduled delivery lasts at least until its pickup
 * window closes.
 */
export type SearchSpan = Pick<Delivery, 'searchFromAt' | 'searchCountsFromAt' | 'searchUntilAt' | 'searchLimitMs'>;

/** How long before the goods are ready a search starts, and how long before it counts; ms. */
export type SearchLeads = { readonly leadMs: number; readonly countLeadMs: number };

/** The ready times: as named now, delays included, and as estimated. Null if not known. */
export type ReadyTimes = {
  readonly namedAt: number | null;
  readonly estimatedAt: number | null;
  /**
   * When the pickup window of a scheduled delivery closes. The search does not end before. Null for other deliveries.
   */
  readonly closesAt: number | null;
};

/**
 * The search for goods that are ready at these times, for this long from when it counts. No part of it lies before
 * `notBefore`. The plan does not wait for an estimate. Estimates are learned from couriers who arrive early, so they
 * must not decide how early couriers can arrive.
 */
export function searchFor(
  { namedAt, estimatedAt, closesAt }: ReadyTimes,
  limitMs: number,
  leads: SearchLeads,
  notBefore: number,
): SearchSpan {
  const searchFromAt = Math.max(notBefore, (namedAt ?? notBefore) - leads.leadMs);
  const readyAt = namedAt ?? estimatedAt ?? notBefore;
  return spanFrom(searchFromAt, Math.max(searchFromAt, readyAt - leads.countLeadMs), limitMs, closesAt);
}

/** The named and the estimated ready time of these goods. */
export function readyTimesOf({ priority, pickup, preparation, times }: Delivery): ReadyTimes {
  const { estimateMs } = preparation;
  return {
    namedAt: pickup.window?.readyAt ?? null,
    estimatedAt: estimateMs === null ? null : times.createdAt + estimateMs,
    closesAt: closesAt(priority, pickup.window),
  };
}

/** The earliest end of the search for a delivery of this priority and pickup window; null if only its limit decides. */
export function closesAt(priority: Delivery['priority'], window: Window | null): number | null {
  return priority !== 'scheduled' || window === null ? null : closeOf(window);
}

/** The search moved forward to `now` if it lay later. It keeps its limit. */
export function searchSooner(before: SearchSpan, now: number): SearchSpan {
  const countsFromAt = Math.min(before.searchCountsFromAt, now);
  return spanFrom(Math.min(before.searchFromAt, now), countsFromAt, before.searchLimitMs, null);
}

/**
 * The search put off because the goods are ready later. It keeps its limit. A search that already counts keeps counting
 * from the same time, or from a later one. A search that waited for an estimate now follows the named time, which may
 * be earlier.
 */
export function searchLater(
  before: SearchSpan,
  { readyAt, closesAt: closes }: { readonly readyAt: number; readonly closesAt: number | null },
  leads: SearchLeads,
  now: number,
): SearchSpan {
  const { searchLimitMs: limitMs, searchFromAt } = before;
  const named = { namedAt: readyAt, estimatedAt: null, closesAt: closes };
  const later = searchFor(named, limitMs, leads, searchFromAt);
  const earliestAt = Math.min(before.searchCountsFromAt, now);
  return spanFrom(later.searchFromAt, Math.max(later.searchCountsFromAt, earliestAt), limitMs, closes);
}

/**
 * The search for goods whose ready time was changed to `readyAt`, which may be earlier. Otherwise the same as
 * `searchLater`.
 */
export function searchMoved(
  before: SearchSpan,
  ready: { readonly readyAt: number; readonly closesAt: number | null },
  leads: SearchLeads,
  now: number,
): SearchSpan {
  return searchLater({ ...before, searchFromAt: Math.min(before.searchFromAt, now) }, ready, leads, now);
}

/** Says whether a search is on: it has started and has not ended. */
export function isSearchOn(
  { searchFromAt, searchUntilAt }: Pick<SearchSpan, 'searchFromAt' | 'searchUntilAt'>,
  now: number,
): boolean {
  return now >= searchFromAt && now < searchUntilAt;
}

/**
 * From when a robo-courier may accept the delivery, service time in ms. Infinity if none ever may, because the test is
 * to find no courier or the delivery is for a person.
 */
export function roboAcceptsAt({
  robo,
  searchFromAt,
  times,
}: Pick<Delivery, 'robo' | 'searchFromAt' | 'times'>): number {
  if (robo === null || robo.outcome === 'no_courier') return Infinity;
  const since = Math.max(searchFromAt, times.searchingAt ?? times.createdAt);
  return since + ((robo.stepsS?.assigned ?? 0) * 1000) / robo.timeScale;
}

function spanFrom(
  searchFromAt: number,
  searchCountsFromAt: number,
  searchLimitMs: number,
  closes: number | null,
): SearchSpan {
  const searchUntilAt = Math.max(searchCountsFromAt + searchLimitMs, closes ?? 0);
  return { searchFromAt, searchCountsFromAt, searchUntilAt, searchLimitMs };
}
