import assert from 'node:assert';
import type { Page, PageMark } from '../ports/pages.ts';

/** The order of a list as its database sorts it: by a time and then by an id, or by an id alone. -1 is newest first. */
export type ListOrder = Readonly<Record<string, 1 | -1>>;
/** A mark whose time is as the rows have it: a number, or an ISO text. */
type RowMark = Omit<PageMark, 'at'> & { readonly at: number | string };

/** The order of most lists. */
export const LAST_CREATED_FIRST = { createdAt: -1, _id: -1 } as const;

/**
 * A filter for the rows that follow a mark; all rows if it is null. It bounds the time on its own too, because the
 * database takes the range of an index from no `$or`.
 * @param order the order in which the list is read
 */
export function rowsAfter(mark: RowMark | null, order: ListOrder): object {
  if (mark === null) return {};
  const [first, second] = Object.entries(order);
  assert(first !== undefined, 'a list has an order');
  if (second === undefined) return { [first[0]]: beyond(first[1], mark.id) };
  const [[time, way], [id, idWay]] = [first, second];
  const upTo = { [time]: { [way === 1 ? '$gte' : '$lte']: mark.at } };
  return { ...upTo, $or: [{ [time]: beyond(way, mark.at) }, { [id]: beyond(idWay, mark.id) }] };
}

function beyond(way: 1 | -1, value: number | string): object {
  return { [way === 1 ? '$gt' : '$lt']: value };
}

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
