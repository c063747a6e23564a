import type { mongo } from 'mongoose';
import { STATES_WITH_COURIER } from '../../domain/deliveries/lifecycle.ts';
import { ROBO_OUTCOMES, type RoboOutcome } from '../../domain/deliveries/states.ts';
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

const OF_ROBOS = { 'robo.timeScale': { $exists: true } } as const;
/** The outcomes with which a robo-courier accepts. Null stands for a test that names none. */
const ACCEPTING: readonly (RoboOutcome | null)[] = [null, ...ROBO_OUTCOMES.filter((name) => name !== 'no_courier')];

/** Searches in which a robo-courier is to accept. */
const ACCEPTED = { ...OF_ROBOS, state: 'searching', 'robo.outcome': { $in: ACCEPTING } } as const;

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
        oldest(rows, { ...asked, liveMode }, { searchCountsFromAt: 1, _id: 1 }, limit).toArray(),
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
    listRobo: async (limit) => {
      // Each part has its own limit, so that tests that wait for a courier cannot crowd out carried ones.
      const carried = { ...OF_ROBOS, state: { $in: [...STATES_WITH_COURIER] } };
      const searching = { ...ACCEPTED, searchFromAt: { $lte: clock.now() } };
      const parts = await Promise.all([
        oldest(rows, carried, { _id: 1 }, limit).hint(LISTS.roboCarried).toArray(),
        oldest(rows, searching, { searchFromAt: 1, _id: 1 }, limit).hint(LISTS.roboSearched).toArray(),
      ]);
      return parts.flat();
    },
    nextRoboAt: async () => {
      const later = { ...ACCEPTED, searchFromAt: { $gt: clock.now() } };
      const [next] = await oldest(rows, later, { searchFromAt: 1, _id: 1 }, 1).hint(LISTS.roboSearched).toArray();
      return next?.searchFromAt ?? null;
    },
  };
}

function oldest(rows: Rows, filter: Filter, order: Record<string, 1>, limit: number) {
  return findDeliveries(rows, filter).sort(order).limit(limit);
}
