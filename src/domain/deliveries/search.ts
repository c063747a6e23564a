import type { Delivery } from './delivery.ts';
import { closeOf, type Window } from '../window.ts';

/**
 * When a courier is searched for, service time in epoch ms. From `searchFromAt` the delivery is planned with and couriers
 * may be asked; from `searchCountsFromAt` it is waited for: alarm, queue and limit count from there. `searchLimitMs` is how
 * long it may count, but that of a scheduled delivery goes on until its pickup window closes.
 */
export type SearchSpan = Pick<Delivery, 'searchFromAt' | 'searchCountsFromAt' | 'searchUntilAt' | 'searchLimitMs'>;

/** How long before the goods are ready a search begins, and how long before it counts; ms. */
export type SearchLeads = { readonly leadMs: number; readonly countLeadMs: number };

/** When the goods are ready: as it is named now, delays included, or else as it is estimated; null: not known. */
export type ReadyTimes = {
  readonly namedAt: number | null;
  readonly estimatedAt: number | null;
  /** When the pickup window of a scheduled delivery closes; the search ends no sooner. Null for any other. */
  readonly closesAt: number | null;
};

/**
 * The search for goods that are ready then, for this long from when it counts; no part of it lies before `notBefore`. An
 * estimate does not keep the plan waiting: what is learned of a kitchen comes from couriers who are there
 * early, so it must not decide how early they can be.
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

/** What is said and estimated of when these goods are ready. */
export function readyTimesOf({ priority, pickup, preparation, times }: Delivery): ReadyTimes {
  const { estimateMs } = preparation;
  return {
    namedAt: pickup.window?.readyAt ?? null,
    estimatedAt: estimateMs === null ? null : times.createdAt + estimateMs,
    closesAt: closesAt(priority, pickup.window),
  };
}

/** Until when at least a delivery of this priority and pickup window is searched for; null: until its limit alone. */
export function closesAt(priority: Delivery['priority'], window: Window | null): number | null {
  return priority !== 'scheduled' || window === null ? null : closeOf(window);
}

/** The search for an express pickup brought forward to `now`, where it lay later; it keeps its limit. */
export function searchSooner(before: SearchSpan, now: number): SearchSpan {
  const countsFromAt = Math.min(before.searchCountsFromAt, now);
  return spanFrom(Math.min(before.searchFromAt, now), countsFromAt, before.searchLimitMs, null);
}

/**
 * The search put off with goods that are ready only then; it keeps its limit. One that counts already counts on from where
 * it did, or later; one that waited for an estimate goes by the named time now, which may be sooner.
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

/** Says whether a courier is searched for now: the search has begun and is not over. */
export function isSearchOn(
  { searchFromAt, searchUntilAt }: Pick<SearchSpan, 'searchFromAt' | 'searchUntilAt'>,
  now: number,
): boolean {
  return now >= searchFromAt && now < searchUntilAt;
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
