import type { mongo } from 'mongoose';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { STATES_WITH_COURIER } from '../../domain/deliveries/lifecycle.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { DeliveryStore } from '../../ports/deliveries.ts';
import type { Clock } from '../../ports/process.ts';
import { LISTS } from './delivery-indexes.ts';
import { createDeliveryLists } from './delivery-lists.ts';
import { findDeliveries, findDelivery } from './delivery-rows.ts';
import { createDueDeliveries } from './due-deliveries.ts';
import { isAny } from '../../engines/is-any.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { DELIVERIES, type DeliveryRow } from './delivery-shape.ts';

type Rows = mongo.Collection<DeliveryRow>;
type Filter = mongo.Filter<DeliveryRow>;

/** Reads deliveries. Only `commit` writes them. */
export function createDeliveryStore(mongo: Mongo, clock: Clock): DeliveryStore {
  const rows = mongo.collection(DELIVERIES);
  const find: DeliveryStore['find'] = (id) => findDelivery(rows, { _id: id });
  return {
    find,
    get: async (id) => {
      const delivery = await find(id);
      if (delivery === null) throw new Refusal('delivery_not_found');
      return delivery;
    },
    findMany: (ids) => findDeliveries(rows, { _id: { $in: [...ids] } }).toArray(),
    findByLink: (tokenHash) =>
      findDelivery(rows, { $or: [{ 'links.tokenHash': tokenHash }, { 'link.tokenHash': tokenHash }] }),
    ...createDeliveryLists(rows),
    listSearching: async (region, limit) => {
      const asked: Filter = { state: 'searching', region, searchFromAt: { $lte: clock.now() } };
      // Each mode has its own limit, so that test deliveries cannot crowd out live ones.
      const modes = [true, false].map((liveMode) =>
        oldest(rows, { ...asked, liveMode }, { searchCountsFromAt: 1, _id: 1 }, limit),
      );
      return (await Promise.all(modes)).flat().sort((a, b) => a.searchCountsFromAt - b.searchCountsFromAt);
    },
    regionsSearching: async () => {
      // Grouping by the first field of an index reads one key for each region.
      const hasBegun = { state: 'searching', searchFromAt: { $lte: clock.now() } } as const;
      if (!(await isAny(mongo, clock, DELIVERIES, hasBegun))) return [];
      const found = rows.aggregate<{ _id: string }>([{ $match: hasBegun }, { $group: { _id: '$region' } }], {
        hint: LISTS.searchedRegions,
      });
      return (await found.toArray()).map(({ _id }) => _id);
    },
    ...createDueDeliveries(mongo, clock),
    listRobo: (limit) =>
      oldest(
        rows,
        { state: { $in: ['searching', ...STATES_WITH_COURIER] }, 'robo.timeScale': { $exists: true } },
        { _id: 1 },
        limit,
      ),
  };
}

function oldest(rows: Rows, filter: Filter, order: Record<string, 1>, limit: number): Promise<Delivery[]> {
  return findDeliveries(rows, filter).sort(order).limit(limit).toArray();
}
