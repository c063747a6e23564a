import type { mongo } from 'mongoose';
import { CHANNELS, type Delivery } from '../domain/delivery.ts';
import { isId } from '../domain/ids.ts';
import { OPEN_STATES } from '../domain/lifecycle.ts';
import type { DeliveryFilter, DeliveryStore, Page, PageMark, PageRequest } from '../ports.ts';
import { LATEST_FIRST, LISTS, NEWEST_FIRST } from './delivery-indexes.ts';
import { findDeliveries, findDelivery, type DeliveryRow } from './delivery-rows.ts';
import { readSearch } from './delivery-terms.ts';

type Rows = mongo.Collection<DeliveryRow>;
type Filter = mongo.Filter<DeliveryRow>;
type Lists = Pick<DeliveryStore, 'list' | 'listLongSearched' | 'listChangedSince' | 'listOpenSince'>;

/** Deliveries that are read for a page whose index does not know everything that was asked for. */
const mostRead = (limit: number): number => 4 * limit + 20;

/** The lists of deliveries: each walks one index in the order of the list. */
export function createDeliveryLists(rows: Rows): Lists {
  return {
    list: (filter, page) => list(rows, filter, page),
    listLongSearched: (filter, page) => listLongSearched(rows, filter, page),
    listChangedSince: (since, limit) =>
      findDeliveries(rows, { 'times.updatedAt': { $gte: since } })
        .hint(LISTS.changed)
        .sort(LATEST_FIRST)
        .limit(limit)
        .toArray(),
    listOpenSince: (since, { vendorId, liveMode }, limit) => {
      const owner = vendorId === undefined ? {} : { vendorId };
      const open: Filter = { ...owner, liveMode: anyOf(MODES, liveMode), state: { $in: [...OPEN_STATES] } };
      return findDeliveries(rows, { ...open, 'times.updatedAt': { $gte: since } })
        .hint(vendorId === undefined ? LISTS.open : LISTS.openOfVendor)
        .sort(LATEST_FIRST)
        .limit(limit)
        .toArray();
    },
  };
}

async function list(rows: Rows, filter: DeliveryFilter, page: PageRequest): Promise<Page<Delivery>> {
  if (page.after === null && isId('del', filter.search?.trim())) {
    const named = await findDelivery(rows, { _id: filter.search?.trim() });
    if (named !== null && fits(named, filter)) return { items: [named], next: null };
  }
  return readPage(rows, walkOf(filter), filter, page);
}

/** How a list is read: along an index, within bounds that it knows; `isMeant` says what of it was asked for, if not all. */
type Walk = {
  readonly index: mongo.Document;
  readonly bounds: Filter;
  readonly isMeant: ((found: Delivery) => boolean) | null;
};

function walkOf(filter: DeliveryFilter): Walk {
  const { vendorId, channel, states, search } = filter;
  if (search !== undefined) return searchWalk(search.trim(), filter);
  const liveMode = anyOf(MODES, filter.liveMode);
  const state = states === undefined ? {} : { state: { $in: [...states] } };
  if (vendorId !== undefined) {
    const index = states === undefined ? LISTS.ofVendor : LISTS.ofVendorByState;
    return { index, bounds: { vendorId, liveMode, channel: anyOf(CHANNELS, channel), ...state }, isMeant: null };
  }
  const index = states === undefined ? LISTS.ofAll : LISTS.ofAllByState;
  return { index, bounds: { liveMode, ...state }, isMeant: channel === undefined ? null : (one) => fits(one, filter) };
}

function searchWalk(text: string, filter: DeliveryFilter): Walk {
  const { terms, isExact, matches } = readSearch(text, filter);
  const isAll = isExact && filter.states === undefined && filter.channel === undefined;
  const isMeant = (found: Delivery): boolean => fits(found, filter) && matches(found);
  return { index: LISTS.byTerm, bounds: { terms: { $in: [...terms] } }, isMeant: isAll ? null : isMeant };
}

/** Says whether the delivery is what was asked for, but for the search. */
function fits(
  { vendorId, liveMode, channel, state, times: { createdAt } }: Delivery,
  { createdFrom = -Infinity, createdTo = Infinity, ...asked }: DeliveryFilter,
): boolean {
  return (
    (asked.vendorId ?? vendorId) === vendorId &&
    (asked.liveMode ?? liveMode) === liveMode &&
    (asked.channel ?? channel) === channel &&
    (asked.states?.includes(state) ?? true) &&
    createdAt >= createdFrom &&
    createdAt < createdTo
  );
}

/** One delivery more than asked for tells whether there is a next page; so does a walk that was cut short. */
async function readPage(
  rows: Rows,
  { index, bounds, isMeant }: Walk,
  { createdFrom, createdTo }: DeliveryFilter,
  { limit, after }: PageRequest,
): Promise<Page<Delivery>> {
  const most = isMeant === null ? limit + 1 : mostRead(limit);
  const walk = findDeliveries(rows, { $and: [bounds, born(createdFrom, createdTo), before(after)] })
    .hint(index)
    .sort(NEWEST_FIRST)
    .limit(most);
  const items: Delivery[] = [];
  let read = 0;
  let last: Delivery | undefined;
  for await (const found of walk) {
    read += 1;
    last = found;
    if (isMeant?.(found) ?? true) items.push(found);
    if (items.length > limit) break;
  }
  if (items.length > limit) last = items[limit - 1];
  else if (read < most) last = undefined;
  const next = last === undefined ? null : { at: last.times.createdAt, id: last.id };
  return { items: items.slice(0, limit), next };
}

/** Walks the index of searches from the one that counts longest. */
async function listLongSearched(
  rows: Rows,
  { countingSince, liveMode }: Parameters<DeliveryStore['listLongSearched']>[0],
  { limit, after }: PageRequest,
): Promise<Page<Delivery>> {
  const counted: Filter = {
    state: 'searching',
    liveMode: anyOf(MODES, liveMode),
    searchCountsFromAt: { $lte: countingSince },
  };
  const beyond: Filter =
    after === null
      ? {}
      : {
          searchCountsFromAt: { $gte: after.at },
          $or: [{ searchCountsFromAt: { $gt: after.at } }, { _id: { $gt: after.id } }],
        };
  const found = await findDeliveries(rows, { $and: [counted, beyond] })
    .hint(LISTS.searchedLongest)
    .sort({ searchCountsFromAt: 1, _id: 1 })
    .limit(limit + 1)
    .toArray();
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : { at: last.searchCountsFromAt, id: last.id } };
}

const MODES = [true, false] as const;

/** The value, or all there are: an index in which it stands before the order is walked in order only when it is named. */
function anyOf<T>(all: readonly T[], value: T | undefined): { $in: T[] } {
  return { $in: value === undefined ? [...all] : [value] };
}

/** Everything after the mark in a list that is newest first. The first condition alone bounds the index scan. */
function before(mark: PageMark | null): Filter {
  if (mark === null) return {};
  const { at, id } = mark;
  return { 'times.createdAt': { $lte: at }, $or: [{ 'times.createdAt': { $lt: at } }, { _id: { $lt: id } }] };
}

/** Half-open: from is in, to is not. */
function born(from: number | undefined, to: number | undefined): Filter {
  if (from === undefined && to === undefined) return {};
  return {
    'times.createdAt': { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) },
  };
}
