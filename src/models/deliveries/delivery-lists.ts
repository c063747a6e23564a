import type { mongo } from 'mongoose';
import { CHANNELS, type Delivery } from '../../domain/deliveries/delivery.ts';
import { isId, type CourierId, type VendorId } from '../../domain/ids.ts';
import { OPEN_STATES } from '../../domain/deliveries/lifecycle.ts';
import type { DeliveryFilter, DeliveryStore } from '../../ports/deliveries.ts';
import type { Page, PageMark, PageRequest } from '../../ports/pages.ts';
import { LATEST_FIRST, LISTS, NEWEST_FIRST } from './delivery-indexes.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { findDeliveries, findDelivery } from './delivery-rows.ts';
import { readSearch, termsOfName, type Searched } from './delivery-terms.ts';
import { DELIVERIES, type DeliveryRow } from './delivery-shape.ts';
import type { Mongo } from '../../engines/mongo.ts';
import type { Within } from '../store-entries.ts';

type Rows = mongo.Collection<DeliveryRow>;
type Filter = mongo.Filter<DeliveryRow>;
type Lists = Pick<DeliveryStore, 'list' | 'listLongSearched' | 'listChangedSince' | 'listOpenSince'>;

/** Most deliveries read for one page if the index does not cover the whole filter. */
const mostSifted = (limit: number): number => 4 * limit + 20;

/** Says whether the vendor has a delivery in this currency, in either mode, open or ended. */
export async function hasDeliveryIn(
  mongo: Mongo,
  vendorId: VendorId,
  currency: string,
  within: Within,
): Promise<boolean> {
  const wanted = { vendorId, liveMode: { $in: [...MODES] }, currency };
  const only = { ...within, projection: { _id: 1 }, hint: LISTS.ofVendor } as const;
  return (await mongo.collection(DELIVERIES).findOne(wanted, only)) !== null;
}

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

/** How to read a list: along an index and within its bounds. If they do not cover the filter, `isMeant` checks rows. */
type Walk = {
  readonly index: mongo.Document;
  readonly bounds: Filter;
  readonly isMeant: ((found: Sifted) => boolean) | null;
};

/** The fields that `isMeant` checks. They are few, so that a skipped delivery costs little. */
type Sifted = Pick<Delivery, 'id' | 'vendorId' | 'liveMode' | 'channel' | 'state' | 'courierId'> &
  Searched & { readonly times: Pick<Delivery['times'], 'createdAt'> };
const AS_SIFTED = {
  _id: 0,
  id: 1,
  vendorId: 1,
  liveMode: 1,
  channel: 1,
  state: 1,
  courierId: 1,
  externalId: 1,
  orderId: 1,
  'dropOffs.contact': 1,
  'dropOffs.address': 1,
  'times.createdAt': 1,
};

function walkOf(filter: DeliveryFilter): Walk {
  const { vendorId, channel, states, search, courierId } = filter;
  const name = filter.externalId ?? filter.orderId;
  if (name !== undefined) return nameWalk(name, filter);
  if (search !== undefined) return searchWalk(search.trim(), filter);
  if (courierId !== undefined) return courierWalk(courierId, filter);
  const liveMode = anyOf(MODES, filter.liveMode);
  const state = states === undefined ? {} : { state: { $in: [...states] } };
  if (vendorId !== undefined) {
    const index = states === undefined ? LISTS.ofVendor : LISTS.ofVendorByState;
    return { index, bounds: { vendorId, liveMode, channel: anyOf(CHANNELS, channel), ...state }, isMeant: null };
  }
  const index = states === undefined ? LISTS.ofAll : LISTS.ofAllByState;
  return { index, bounds: { liveMode, ...state }, isMeant: channel === undefined ? null : (one) => fits(one, filter) };
}

function nameWalk(name: string, filter: DeliveryFilter): Walk {
  const { search } = filter;
  const matches = search === undefined ? null : matchesOf(search.trim(), filter);
  const isMeant = (found: Sifted): boolean => fits(found, filter) && (matches?.(found) ?? true);
  return { index: LISTS.byTerm, bounds: { terms: { $in: termsOfName(name, filter) } }, isMeant };
}

/** A search that is not looked up itself also finds a delivery by its id. */
function matchesOf(text: string, filter: DeliveryFilter): (found: Sifted) => boolean {
  const { matches } = readSearch(text, filter);
  return (found) => found.id === text || matches(found);
}

function courierWalk(courierId: CourierId, filter: DeliveryFilter): Walk {
  const { vendorId, liveMode, channel, states } = filter;
  const isMeant = (one: Sifted): boolean => fits(one, filter);
  if (vendorId !== undefined) {
    // Couriers work for many vendors. A sifted delivery of another one would show in the mark of the page.
    const bounds = { vendorId, liveMode: anyOf(MODES, liveMode), courierId };
    const isAll = [channel, states].every((value) => value === undefined);
    return { index: LISTS.ofVendorAndCourier, bounds, isMeant: isAll ? null : isMeant };
  }
  const isAll = [liveMode, channel, states].every((value) => value === undefined);
  return { index: LISTS.ofCourier, bounds: { courierId }, isMeant: isAll ? null : isMeant };
}

function searchWalk(text: string, filter: DeliveryFilter): Walk {
  const { terms, isExact, matches } = readSearch(text, filter);
  const { states, channel, courierId } = filter;
  const isAll = isExact && [states, channel, courierId].every((value) => value === undefined);
  const isMeant = (found: Sifted): boolean => fits(found, filter) && matches(found);
  return { index: LISTS.byTerm, bounds: { terms: { $in: [...terms] } }, isMeant: isAll ? null : isMeant };
}

/** Says whether the delivery matches the filter, except for the search text. */
function fits(
  { vendorId, liveMode, channel, state, courierId, externalId, orderId, times: { createdAt } }: Sifted,
  { createdFrom = -Infinity, createdTo = Infinity, ...asked }: DeliveryFilter,
): boolean {
  return (
    (asked.vendorId ?? vendorId) === vendorId &&
    (asked.liveMode ?? liveMode) === liveMode &&
    (asked.channel ?? channel) === channel &&
    (asked.states?.includes(state) ?? true) &&
    (asked.courierId ?? courierId) === courierId &&
    (asked.externalId ?? externalId) === externalId &&
    (asked.orderId ?? orderId) === orderId &&
    createdAt >= createdFrom &&
    createdAt < createdTo
  );
}

/** Reads a page, and one delivery more to see if there is a next page. */
async function readPage(
  rows: Rows,
  { index, bounds, isMeant }: Walk,
  { createdFrom, createdTo }: DeliveryFilter,
  { limit, after }: PageRequest,
): Promise<Page<Delivery>> {
  const asked: Filter = { $and: [bounds, born(createdFrom, createdTo), rowsAfter(after, NEWEST_FIRST)] };
  if (isMeant !== null) return siftPage(rows, { index, asked, isMeant }, limit);
  const found = await findDeliveries(rows, asked)
    .hint(index)
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? markOf(items.at(-1)) : null };
}

/** Checks a few fields of each delivery along the index, and reads the matching ones whole. */
async function siftPage(
  rows: Rows,
  { index, asked, isMeant }: { index: mongo.Document; asked: Filter; isMeant: (found: Sifted) => boolean },
  limit: number,
): Promise<Page<Delivery>> {
  const most = mostSifted(limit);
  // Most searches find a page among the first rows. A batch of the usual size would read all that the limit allows.
  const options = { projection: AS_SIFTED, batchSize: limit + 1 };
  const walk = rows.find(asked, options).hint(index).sort(NEWEST_FIRST).limit(most);
  const meant: Sifted[] = [];
  let sifted = 0;
  let last: Sifted | undefined;
  for await (const found of walk) {
    sifted += 1;
    last = found;
    if (isMeant(found)) meant.push(found);
    if (meant.length > limit) break;
  }
  const page = meant.slice(0, limit);
  if (meant.length > limit) last = page.at(-1);
  else if (sifted < most) last = undefined;
  const found = await findDeliveries(rows, { _id: { $in: page.map(({ id }) => id) } }).toArray();
  const byId = new Map(found.map((one) => [one.id, one]));
  // A delivery that changed meanwhile and no longer matches is left out.
  const items = page.flatMap(({ id }) => byId.get(id) ?? []).filter(isMeant);
  return { items, next: markOf(last) };
}

function markOf(last: Pick<Sifted, 'id' | 'times'> | undefined): PageMark | null {
  return last === undefined ? null : { at: last.times.createdAt, id: last.id };
}

/** Reads the index of searches, starting with the longest one. */
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
  const order = { searchCountsFromAt: 1, _id: 1 } as const;
  const found = await findDeliveries(rows, { $and: [counted, rowsAfter(after, order)] })
    .hint(LISTS.searchedLongest)
    .sort(order)
    .limit(limit + 1)
    .toArray();
  return pageOf(found, limit, ({ searchCountsFromAt, id }) => ({ at: searchCountsFromAt, id }));
}

const MODES = [true, false] as const;

/** The value, or all possible values. An index with this field before its order needs it named to keep the order. */
function anyOf<T>(all: readonly T[], value: T | undefined): { $in: T[] } {
  return { $in: value === undefined ? [...all] : [value] };
}

/** Selects the deliveries created from `from` up to but not at `to`. */
function born(from: number | undefined, to: number | undefined): Filter {
  if (from === undefined && to === undefined) return {};
  return {
    'times.createdAt': { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) },
  };
}
