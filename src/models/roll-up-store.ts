import type { mongo } from 'mongoose';
import type { Opinion } from '../domain/analytics/rating.ts';
import { mergeSums, sumOf } from '../domain/analytics/sums.ts';
import type { Offer } from '../domain/offers/offer.ts';
import { coverOf, shiftDate } from '../domain/analytics/range.ts';
import { DIVIDED, type CountedEvent } from '../domain/analytics/roll-up.ts';
import { transact } from '../engines/transact.ts';
import { isAny } from '../engines/is-any.ts';
import type { Mongo } from '../engines/mongo.ts';
import { pageOf, rowsAfter } from '../engines/pages.ts';
import type { DueFacts, PartSums, RollUpRange, RollUpStore } from '../ports/analytics.ts';
import type { Page, PageRequest } from '../ports/pages.ts';
import type { Clock } from '../ports/process.ts';
import { EVENTS_LOG } from './deliveries/events/event-rows.ts';
import { OFFER_HISTORY } from './offers/offer-shapes.ts';
import { AS_OFFER } from './offers/offer-rows.ts';
import { addTo, ensureState, lockState, readGeneration } from './analytics/add-sums.ts';
import { dueOf } from './analytics/rating-rows.ts';
import { RATINGS, ROLL_UPS, type RollUpRow } from './analytics/roll-up-shapes.ts';

/** Aborts a fold whose facts another process has counted. */
class Counted extends Error {}

/** Stores the roll-ups. */
export function createRollUpStore(mongo: Mongo, clock: Clock): RollUpStore {
  return {
    listDue: (limit) => listDue(mongo, clock, limit),
    fold: async (due, additions) => {
      await ensureState(mongo);
      try {
        await transact(mongo, clock, async (session) => {
          const state = await lockState(mongo, session);
          await markCounted(mongo, session, due);
          await addTo(mongo, session, state, additions);
        });
      } catch (error) {
        // Nothing of this fold is written, and the next look finds what is still due.
        if (!(error instanceof Counted)) throw error;
      }
    },
    sum: async (range) => {
      const rows = mongo.collection(ROLL_UPS).find(await filterOf(mongo, range), { projection: { sums: 1 } });
      return mergeSums((await rows.toArray()).map(({ sums }) => sums));
    },
    sumByPart: async (range, names) => {
      const rows = await byPart(mongo, range, names, []);
      return new Map((await rows.toArray()).map(partOf).map(({ part, sums }) => [part, sums]));
    },
    rankParts: (range, names, page) => rankParts(mongo, range, names, page),
    rankAll: (range, names) => rankAll(mongo, range, names),
  };
}

/** Parts of a ranking that are read at a time. */
const PARTS_AT_ONCE = 500;

const NONE: DueFacts = { events: [], offers: [], ratings: [] };

async function listDue(mongo: Mongo, clock: Clock, limit: number): Promise<DueFacts> {
  const due = await Promise.all([
    isAny(mongo, clock, EVENTS_LOG, { counted: 'due' }),
    isAny(mongo, clock, OFFER_HISTORY, { counted: 'due' }),
    isAny(mongo, clock, RATINGS, { state: 'due' }),
  ]);
  if (!due.includes(true)) return NONE;
  const [events, offers, ratings] = await Promise.all([
    mongo
      .collection(EVENTS_LOG)
      .find<CountedEvent & { _id: string }>(
        { counted: 'due' },
        {
          projection: { type: 1, delivery_id: 1, created_at: 1, 'data.actor': 1, 'data.courier': 1, 'data.refund': 1 },
        },
      )
      .sort({ created_at: 1, _id: 1 })
      .limit(limit)
      .toArray(),
    mongo
      .collection(OFFER_HISTORY)
      .find<Offer>({ counted: 'due' }, AS_OFFER)
      .sort({ closedAt: 1, _id: 1 })
      .limit(limit)
      .toArray(),
    mongo.collection(RATINGS).find({ state: 'due' }).sort({ changedAt: 1, _id: 1 }).limit(limit).toArray(),
  ]);
  return { events: events.map(({ _id, ...event }) => ({ ...event, key: _id })), offers, ratings: ratings.map(dueOf) };
}

/** Marks the facts. Every one of them must still be due, and a rating must not have changed since it was read. */
async function markCounted(
  mongo: Mongo,
  session: mongo.ClientSession,
  { events, offers, ratings }: DueFacts,
): Promise<void> {
  const done = { $set: { counted: 'done' as const } };
  if (events.length > 0) {
    const keys = events.map(({ key }) => key);
    const due = { _id: { $in: keys }, counted: 'due' as const };
    insist(await mongo.collection(EVENTS_LOG).updateMany(due, done, { session }), keys.length);
  }
  if (offers.length > 0) {
    const due = { _id: { $in: offers.map(({ id }) => id) }, counted: 'due' as const };
    insist(await mongo.collection(OFFER_HISTORY).updateMany(due, done, { session }), offers.length);
  }
  if (ratings.length === 0) return;
  const writes = ratings.map(({ rating: { id: _id, stars, comment }, counted }) => {
    const opinion: Opinion = { stars, comment };
    const update = { $set: { state: 'done' as const, counted: opinion } };
    return { updateOne: { filter: { _id, state: 'due' as const, stars, comment, counted }, update } };
  });
  insist(await mongo.collection(RATINGS).bulkWrite(writes, { session }), ratings.length);
}

function insist({ matchedCount }: { readonly matchedCount: number }, count: number): void {
  if (matchedCount !== count) throw new Counted();
}

async function filterOf(mongo: Mongo, { subject, scope, from, to }: RollUpRange): Promise<mongo.Filter<RollUpRow>> {
  const generation = await readGeneration(mongo, subject);
  const date = DIVIDED.includes(subject) ? { $in: coverOf({ from, to: shiftDate(to, 1) }) } : { $gte: from, $lte: to };
  return { generation, subject, scope, date };
}

/** A part as `_id`, and its sums by their names. */
type PartRow = Readonly<Record<string, number>>;

/** Adds up the rows of each part. Further stages choose among the parts, which have the sums by their names. */
async function byPart(
  mongo: Mongo,
  range: RollUpRange,
  names: readonly string[],
  further: readonly object[],
): Promise<mongo.AggregationCursor<PartRow>> {
  const sums = Object.fromEntries(names.map((name) => [name, { $sum: `$sums.${name}` }]));
  const stages = [{ $match: await filterOf(mongo, range) }, { $group: { _id: '$part', ...sums } }, ...further];
  return mongo.collection(ROLL_UPS).aggregate<PartRow>(stages, { batchSize: PARTS_AT_ONCE });
}

function partOf({ _id, ...sums }: PartRow): PartSums {
  return { part: String(_id), sums };
}

/** The order of a ranking by the first sum. */
function rankOf([first = '']: readonly string[]) {
  return { [first]: -1, _id: 1 } as const;
}

async function rankParts(
  mongo: Mongo,
  range: RollUpRange,
  names: readonly string[],
  { limit, after }: PageRequest,
): Promise<Page<PartSums>> {
  const order = rankOf(names);
  const page = [{ $match: rowsAfter(after, order) }, { $sort: order }, { $limit: limit + 1 }];
  const found = await (await byPart(mongo, range, names, page)).toArray();
  return pageOf(found.map(partOf), limit, ({ part, sums }) => ({ at: sumOf(sums, names[0] ?? ''), id: part }));
}

/** Ranks all parts at once, so that none of them moves to a part of the ranking that was read before. */
async function* rankAll(
  mongo: Mongo,
  range: RollUpRange,
  names: readonly string[],
): AsyncGenerator<readonly PartSums[]> {
  const ranked = await byPart(mongo, range, names, [{ $sort: rankOf(names) }]);
  try {
    while (await ranked.hasNext()) yield ranked.readBufferedDocuments().map(partOf);
  } finally {
    await ranked.close();
  }
}
