import type { mongo } from 'mongoose';
import type { Delivery } from '../domain/delivery.ts';
import { HELD_STATES } from '../domain/lifecycle.ts';
import { Refusal } from '../domain/refusals.ts';
import type { Clock, DeliveryFilter, DeliveryStore, LongSearched, Page, PageMark, PageRequest } from '../ports.ts';
import { AS_DELIVERY, backwards, type DeliveryRow } from './delivery-rows.ts';
import { createDueDeliveries } from './due-deliveries.ts';
import type { Mongo } from './mongo.ts';

type Rows = mongo.Collection<DeliveryRow>;
type Filter = mongo.Filter<DeliveryRow>;

/** Reads deliveries; only `commit` writes them. */
export function createDeliveryStore(mongo: Mongo, clock: Clock): DeliveryStore {
  const rows = mongo.collection<DeliveryRow>('deliveries');
  const find: DeliveryStore['find'] = (id) => rows.findOne<Delivery>({ _id: id }, AS_DELIVERY);
  return {
    find,
    get: async (id) => {
      const delivery = await find(id);
      if (delivery === null) throw new Refusal('delivery_not_found');
      return delivery;
    },
    findMany: (ids) => rows.find<Delivery>({ _id: { $in: [...ids] } }, AS_DELIVERY).toArray(),
    findByLink: (tokenHash) => rows.findOne<Delivery>({ 'link.tokenHash': tokenHash }, AS_DELIVERY),
    list: (filter, page) => list(rows, filter, page),
    listSearching: async (region, limit) => {
      const asked: Filter = { state: 'searching', region, searchFromAt: { $lte: clock.now() } };
      // Each mode has its own limit: however much is tested, what is live is seen.
      const modes = [true, false].map((liveMode) =>
        oldest(rows, { ...asked, liveMode }, { searchCountsFromAt: 1, _id: 1 }, limit),
      );
      return (await Promise.all(modes)).flat().sort((a, b) => a.searchCountsFromAt - b.searchCountsFromAt);
    },
    listLongSearched: (filter, page) => listLongSearched(rows, filter, page),
    regionsSearching: () => rows.distinct('region', { state: 'searching', searchFromAt: { $lte: clock.now() } }),
    listHeld: (limit, after) =>
      oldest(
        rows,
        { state: { $in: [...HELD_STATES] }, ...(after === null ? {} : { _id: { $gt: after } }) },
        { _id: 1 },
        limit,
      ),
    ...createDueDeliveries(rows, clock),
    listRobo: (limit) =>
      oldest(
        rows,
        { state: { $in: ['searching', ...HELD_STATES] }, 'robo.timeScale': { $exists: true } },
        { _id: 1 },
        limit,
      ),
    listChangedSince: (since, filter, limit) =>
      rows
        .find<Delivery>({ ...match(filter), 'times.updatedAt': { $gte: since } }, AS_DELIVERY)
        .sort({ 'times.updatedAt': -1, _id: -1 })
        .limit(limit)
        .toArray(),
  };
}

function oldest(rows: Rows, filter: Filter, order: Record<string, 1>, limit: number): Promise<Delivery[]> {
  return rows.find<Delivery>(filter, AS_DELIVERY).sort(order).limit(limit).toArray();
}

/** One row more than asked for tells whether there is a next page. */
async function list(rows: Rows, filter: DeliveryFilter, { limit, after }: PageRequest): Promise<Page<Delivery>> {
  const found = await rows
    .find<Delivery>({ $and: [match(filter), before(after)] }, AS_DELIVERY)
    .sort({ 'times.createdAt': -1, _id: -1 })
    .limit(limit + 1)
    .toArray();
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : { at: last.times.createdAt, id: last.id } };
}

/** Walks the index of searches from the oldest on: all that are long come before those that are only named. */
async function listLongSearched(
  rows: Rows,
  { countingSince, ids, liveMode }: LongSearched,
  { limit, after }: PageRequest,
): Promise<Page<Delivery>> {
  const asked: Filter[] = [
    { state: 'searching', $or: [{ searchCountsFromAt: { $lte: countingSince } }, { _id: { $in: [...ids] } }] },
    ...(liveMode === undefined ? [] : [{ liveMode }]),
    ...(after === null
      ? []
      : [
          {
            searchCountsFromAt: { $gte: after.at },
            $or: [{ searchCountsFromAt: { $gt: after.at } }, { _id: { $gt: after.id } }],
          },
        ]),
  ];
  const found = await oldest(rows, { $and: asked }, { searchCountsFromAt: 1, _id: 1 }, limit + 1);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last === undefined ? null : { at: last.searchCountsFromAt, id: last.id } };
}

/** Everything after the mark in a list that is newest first. The first condition alone bounds the index scan. */
function before(mark: PageMark | null): Filter {
  if (mark === null) return {};
  const { at, id } = mark;
  return { 'times.createdAt': { $lte: at }, $or: [{ 'times.createdAt': { $lt: at } }, { _id: { $lt: id } }] };
}

function match({ vendorId, liveMode, channel, states, createdFrom, createdTo, search }: DeliveryFilter): Filter {
  return {
    ...(vendorId === undefined ? {} : { vendorId }),
    ...(liveMode === undefined ? {} : { liveMode }),
    ...(channel === undefined ? {} : { channel }),
    ...(states === undefined ? {} : { state: { $in: [...states] } }),
    ...(createdFrom === undefined && createdTo === undefined
      ? {}
      : { 'times.createdAt': span(createdFrom, createdTo) }),
    ...(search === undefined ? {} : { $or: sought(search) }),
  };
}

/** Half-open: from is in, to is not. */
function span(from: number | undefined, to: number | undefined): { $gte?: number; $lt?: number } {
  return { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) };
}

const LEAST_DIGITS = 4;

/** A whole id, a whole external id, or the last digits of a recipient's phone. */
function sought(search: string): Filter[] {
  const text = search.trim();
  const named: Filter[] = [{ _id: text }, { externalId: text }];
  const tail = backwards(text);
  const isPhone = /^\+?[\d\s().-]+$/.test(text) && tail.length >= LEAST_DIGITS;
  return isPhone ? [...named, { phoneTails: { $regex: `^${tail}` } }] : named;
}
