import type { Delivery } from './delivery.ts';

/**
 * When a courier is searched for, service time in epoch ms. From `searchFromAt` the delivery is planned with and couriers
 * may be asked; from `searchCountsFromAt` it is waited for: alarm, queue and limit count from there.
 */
export type SearchSpan = Pick<Delivery, 'searchFromAt' | 'searchCountsFromAt' | 'searchUntilAt'>;

/** How long before the goods are ready a search begins, and how long before it counts; ms. */
export type SearchLeads = { readonly leadMs: number; readonly countLeadMs: number };

/** When the goods are ready: as it is named now, delays included, or else as it is estimated; null: not known. */
export type ReadyTimes = { readonly namedAt: number | null; readonly estimatedAt: number | null };

/**
 * The search for goods that are ready then, for this long from when it counts; no part of it lies before `notBefore`. An
 * estimate does not keep the plan waiting: what is learned of a kitchen comes from couriers who are there
 * early, so it must not decide how early they can be.
 */
export function searchFor(
  { namedAt, estimatedAt }: ReadyTimes,
  limitMs: number,
  leads: SearchLeads,
  notBefore: number,
): SearchSpan {
  const searchFromAt = Math.max(notBefore, (namedAt ?? notBefore) - leads.leadMs);
  const readyAt = namedAt ?? estimatedAt ?? notBefore;
  return spanFrom(searchFromAt, Math.max(searchFromAt, readyAt - leads.countLeadMs), limitMs);
}

/** What is said and estimated of when these goods are ready. */
export function readyTimesOf({ pickup, preparation, times }: Delivery): ReadyTimes {
  const { estimateMs } = preparation;
  return {
    namedAt: pickup.window?.readyAt ?? null,
    estimatedAt: estimateMs === null ? null : times.createdAt + estimateMs,
  };
}

/** How long the search lasts from when it counts, ms. */
export function searchLimitOf({ searchCountsFromAt, searchUntilAt }: SearchSpan): number {
  return searchUntilAt - searchCountsFromAt;
}

/** The search brought forward to `now`, where it lay later; it keeps its limit. */
export function searchSooner(before: SearchSpan, now: number): SearchSpan {
  const countsFromAt = Math.min(before.searchCountsFromAt, now);
  return spanFrom(Math.min(before.searchFromAt, now), countsFromAt, searchLimitOf(before));
}

/**
 * The search put off with goods that are ready only then; it keeps its limit. One that counts already counts on from where
 * it did, or later; one that waited for an estimate goes by the named time now, which may be sooner.
 */
export function searchLater(before: SearchSpan, readyAt: number, leads: SearchLeads, now: number): SearchSpan {
  const limitMs = searchLimitOf(before);
  const later = searchFor({ namedAt: readyAt, estimatedAt: null }, limitMs, leads, before.searchFromAt);
  const earliestAt = Math.min(before.searchCountsFromAt, now);
  return spanFrom(later.searchFromAt, Math.max(later.searchCountsFromAt, earliestAt), limitMs);
}

/** Says whether a courier is searched for now: the search has begun and is not over. */
export function isSearchOn({ searchFromAt, searchUntilAt }: SearchSpan, now: number): boolean {
  return now >= searchFromAt && now < searchUntilAt;
}

function spanFrom(searchFromAt: number, searchCountsFromAt: number, limitMs: number): SearchSpan {
  return { searchFromAt, searchCountsFromAt, searchUntilAt: searchCountsFromAt + limitMs };
}
