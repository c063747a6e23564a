import type { Page, PageMark } from '../ports/pages.ts';

/**
 * The page of a list.
 * @param found the items of the page, and one more if another page follows
 * @param limit most items of the page
 * @param markOf where the next page continues after this item
 */
export function pageOf<T>(found: readonly T[], limit: number, markOf: (last: T) => PageMark): Page<T> {
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : markOf(last) };
}

/** The mark in a list that is ordered by the time at which its items were created. */
export function markOfCreated({ createdAt, id }: { readonly createdAt: number; readonly id: string }): PageMark {
  return { at: createdAt, id };
}
