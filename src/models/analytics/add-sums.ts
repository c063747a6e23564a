import assert from 'node:assert';
import type { mongo } from 'mongoose';
import type { Addition, RollUpKey, Subject } from '../../domain/analytics/roll-up.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { kindOf } from '../../engines/shapes/shape.ts';
import { SETTINGS, type AnalyticsRow } from '../setting-shapes.ts';
import { ROLL_UPS, type RollUpRow } from './roll-up-shapes.ts';

export const ANALYTICS = kindOf(SETTINGS, 'analytics');
const ID = 'analytics';
/** The generation of rows that a rebuild leaves alone, because the facts behind them expire. */
const KEPT_GENERATION = 0;
/** The generation of the rows of a new database. */
const FIRST_GENERATION = 1;
const KEPT: readonly Subject[] = ['conduct'];

/** Creates the state if it is absent. Transactions then only change it, so that two of them always conflict. */
export async function ensureState(mongo: Mongo): Promise<void> {
  const first: AnalyticsRow = { _id: ID, generation: FIRST_GENERATION, building: null, folds: 0 };
  try {
    await mongo.collection(ANALYTICS).updateOne({ _id: ID }, { $setOnInsert: first }, { upsert: true });
  } catch (error) {
    // Another process was first.
    if (!isDuplicateKey(error)) throw error;
  }
}

/**
 * Reads the state of the roll-ups and changes it. So of two transactions that write roll-ups, the later one conflicts
 * and begins again. It must be the first command of the transaction.
 */
export async function lockState(mongo: Mongo, session: mongo.ClientSession): Promise<AnalyticsRow> {
  const rows = mongo.collection(ANALYTICS);
  const lock = { $inc: { folds: 1 } };
  const state = await rows.findOneAndUpdate({ _id: ID }, lock, { session, returnDocument: 'after' });
  assert(state !== null, 'the state of the roll-ups exists before they are written');
  return state;
}

/** The generation in which the rows of this subject are read. */
export async function readGeneration(mongo: Mongo, subject: Subject): Promise<number> {
  if (KEPT.includes(subject)) return KEPT_GENERATION;
  return (await mongo.collection(ANALYTICS).findOne({ _id: ID }))?.generation ?? FIRST_GENERATION;
}

/**
 * Adds sums to the rows that are read. An unfinished rebuild has passed some deliveries and will not look at them
 * again. Sums of those are also added to its rows.
 */
export async function addTo(
  mongo: Mongo,
  session: mongo.ClientSession,
  { generation, building }: AnalyticsRow,
  additions: readonly Addition[],
): Promise<void> {
  const isPassed = ({ deliveryId }: Addition): boolean =>
    building !== null && deliveryId !== null && deliveryId <= building.after;
  await addSums(mongo, session, generation, additions);
  if (building !== null) await addSums(mongo, session, building.generation, additions.filter(isPassed));
}

/** Adds sums to the rows of one generation, each row in one update. */
export async function addSums(
  mongo: Mongo,
  session: mongo.ClientSession,
  generation: number,
  additions: readonly Addition[],
): Promise<void> {
  const rows = new Map<
    string,
    { readonly key: RollUpKey; readonly of: number; readonly sums: Record<string, number> }
  >();
  for (const { key, sums } of additions) {
    const of = KEPT.includes(key.subject) ? KEPT_GENERATION : generation;
    const id = [of, key.subject, key.scope, key.date, key.part].join('|');
    const row = rows.get(id) ?? { key, of, sums: {} };
    rows.set(id, row);
    for (const [name, value] of Object.entries(sums)) row.sums[name] = (row.sums[name] ?? 0) + value;
  }
  if (rows.size === 0) return;
  const writes = [...rows].map(([_id, { key, of, sums }]) => {
    const inc = Object.fromEntries(Object.entries(sums).map(([name, value]) => [`sums.${name}`, value]));
    return {
      updateOne: { filter: { _id }, update: { $setOnInsert: { ...key, generation: of }, $inc: inc }, upsert: true },
    };
  });
  await mongo
    .collection(ROLL_UPS)
    .bulkWrite(writes as mongo.AnyBulkWriteOperation<RollUpRow>[], { session, ordered: false });
}
