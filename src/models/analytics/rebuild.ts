import type { mongo } from 'mongoose';
import type { DeliveryId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { transact } from '../../engines/transact.ts';
import type { DueRating, EndedDeliveries, Rebuild } from '../../ports/analytics.ts';
import type { Clock } from '../../ports/process.ts';
import { storeWith } from '../store-entries.ts';
import { addSums, ANALYTICS, ensureState, lockState } from './add-sums.ts';
import { dueOf } from './rating-rows.ts';
import { RATINGS, ROLL_UPS, type RatingRow } from './roll-up-shapes.ts';

/** Reads the next ended deliveries above an id, as the transaction sees them, and those whose end is still due. */
type ReadEnded = (
  mongo: Mongo,
  session: mongo.ClientSession,
  after: string,
  limit: number,
) => Promise<Omit<EndedDeliveries, 'ratings'>>;

/** Rows that are deleted at a time. */
const SWEPT_AT_ONCE = 2000;
const REPLACED = 'Another rebuild of the roll-ups has begun, so this one has stopped.';

/**
 * Counts all ended deliveries again, in the order of their ids. Each step is one transaction that counts some
 * deliveries and moves the mark behind them. The server folds new facts meanwhile: into the rows that are read, and for
 * deliveries up to the mark also into the new rows. A delivery whose end is not folded yet is left to the server.
 */
export function createRebuild(mongo: Mongo, clock: Clock, readEnded: ReadEnded): Rebuild {
  return {
    begin: async (entry) => {
      await ensureState(mongo);
      const next = { $add: [{ $max: ['$generation', '$building.generation'] }, 1] };
      const update = [{ $set: { building: { generation: next, after: '' } } }];
      const states = mongo.collection(ANALYTICS);
      const state = await storeWith(mongo, clock, entry, (within) =>
        states.findOneAndUpdate({ _id: 'analytics' }, update, { returnDocument: 'after', ...within }),
      );
      return state?.building?.generation ?? 0;
    },
    next: (generation, limit, count) =>
      transact(mongo, clock, async (session) => {
        const { building } = await lockState(mongo, session);
        if (building?.generation !== generation) throw new Error(REPLACED);
        const { after } = building;
        const { deliveries, ...due } = await readEnded(mongo, session, after, limit);
        const last = deliveries.at(-1)?.id ?? null;
        const ratings = await listRated(mongo, session, after, last);
        await addSums(mongo, session, generation, await count({ deliveries, ...due, ratings }));
        const sets = last === null ? { generation, building: null } : { building: { generation, after: last } };
        await mongo.collection(ANALYTICS).updateOne({ _id: 'analytics' }, { $set: sets }, { session });
        return deliveries.length;
      }),
    sweep: () => sweep(mongo),
  };
}

/** The counted ratings of all deliveries after the mark, up to the last one or to the end. */
async function listRated(
  mongo: Mongo,
  session: mongo.ClientSession,
  after: string,
  last: DeliveryId | null,
): Promise<readonly DueRating[]> {
  const upTo = last === null ? {} : { $lte: last };
  const rated = { deliveryId: { $gt: after, ...upTo }, counted: { $ne: null } } as mongo.Filter<RatingRow>;
  return (await mongo.collection(RATINGS).find(rated, { session }).toArray()).map(dueOf);
}

/** Deletes the rows of generations that are neither read nor being built. */
async function sweep(mongo: Mongo): Promise<number> {
  const rows = mongo.collection(ROLL_UPS);
  // Another rebuild may begin meanwhile. Its generation is in the state before it has rows.
  const generations = await rows.distinct('generation');
  const state = await mongo.collection(ANALYTICS).findOne({ _id: 'analytics' });
  const used = [0, state?.generation ?? 1, state?.building?.generation ?? 0];
  let deleted = 0;
  for (const generation of generations) {
    if (used.includes(generation)) continue;
    for (;;) {
      const some = await rows
        .find({ generation }, { projection: { _id: 1 } })
        .limit(SWEPT_AT_ONCE)
        .toArray();
      if (some.length === 0) break;
      deleted += (await rows.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } })).deletedCount;
    }
  }
  return deleted;
}
