import type { mongo } from 'mongoose';
import type { DeliveryId } from '../../domain/ids.ts';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import type { OldRows } from '../../ports/due.ts';
import type { Clock } from '../../ports/process.ts';
import type { Settings } from '../../settings.ts';
import type { CollectionName } from '../collections.ts';
import { LISTS } from '../deliveries/delivery-indexes.ts';
import { findDeliveries, type DeliveryRow } from '../deliveries/delivery-rows.ts';
import { termsOf } from '../deliveries/delivery-terms.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { endsOn } from '../../engines/retention.ts';

/** Rows that are read and mended at a time. */
const BATCH = 500;
/** The version of the rows that this server stores; a server that must mend more raises it. */
const VERSION = 1;

/** A row without a date, with the fields that say whether it is closed. */
type Undated = {
  readonly _id: string;
  readonly clearedAt?: number | null;
  readonly state?: string;
  readonly holder?: string;
  readonly delivery_id?: DeliveryId;
};
type Rule = {
  readonly name: CollectionName;
  readonly kept: keyof Settings['retention'];
  /** Those of the rows that are closed, and so should have a date. */
  readonly closed: (rows: readonly Undated[], mongo: Mongo) => readonly Undated[] | Promise<readonly Undated[]>;
  /** What must still be so when they are dated: some rows are opened again. */
  readonly still?: mongo.Filter<Undated>;
};

// One row per line: this is a table.
// oxfmt-ignore
const RULES: readonly Rule[] = [
  { name: 'quotes',        kept: 'quotesMs',   closed: (rows) => rows },
  { name: 'offer_history', kept: 'offersMs',   closed: (rows) => rows },
  { name: 'alarms',        kept: 'alarmsMs',   closed: (rows) => rows.filter(({ clearedAt }) => clearedAt !== null), still: { clearedAt: { $ne: null } } },
  { name: 'attempts',      kept: 'attemptsMs', closed: (rows) => rows.filter(({ state }) => state !== 'due') },
  // The delivery of a create holds its claims. What a courier or a registration holds is never given up.
  { name: 'claims',        kept: 'claimsMs',   closed: (rows) => rows.filter(({ holder }) => holder?.startsWith('del_')) },
  { name: 'events',        kept: 'eventsMs',   closed: ofEnded },
];

/**
 * Mends the rows that an older version of the server has stored. Those that are closed get the date on which the database
 * deletes them, as if they were closed now. Deliveries get the words by which they are searched for. Once a pass has found
 * nothing to mend, none looks again.
 */
export function createOldRows(mongo: Mongo, clock: Clock, { retention }: Pick<Settings, 'retention'>): OldRows {
  const marks = mongo.collection<{ _id: string; version: number }>('settings');
  return {
    mend: async (isHeld) => {
      if ((await marks.findOne({ _id: 'rows', version: { $gte: VERSION } })) !== null) return 0;
      const parts = [
        ...RULES.map((rule) => () => dateRows(mongo, rule, endsOn(clock, retention[rule.kept]), isHeld)),
        () => addTerms(mongo.collection('deliveries'), isHeld),
      ];
      let mended = 0;
      for (const part of parts) {
        const rows = await part();
        if (rows === null) return mended;
        mended += rows;
      }
      if (mended === 0 && isHeld())
        await marks.updateOne({ _id: 'rows' }, { $set: { version: VERSION } }, { upsert: true });
      return mended;
    },
  };
}

/** Gives its date to each closed row that has none. One walk of the rows without a date, which are first in the index. */
async function dateRows(
  mongo: Mongo,
  { name, closed, still = {} }: Rule,
  ends: Date,
  isHeld: () => boolean,
): Promise<number | null> {
  const rows = mongo.collection<Undated & { endsOn?: Date }>(name);
  const fields = { _id: 1, clearedAt: 1, state: 1, holder: 1, delivery_id: 1 };
  const undated = rows.find<Undated>({ endsOn: { $exists: false } }, { projection: fields, hint: { endsOn: 1 } });
  return inBatches(undated, isHeld, async (batch) => {
    const ids = (await closed(batch, mongo)).map(({ _id }) => _id);
    if (ids.length === 0) return 0;
    const undatedStill = { $and: [still, { _id: { $in: ids }, endsOn: { $exists: false } }] };
    return (await rows.updateMany(undatedStill, { $set: { endsOn: ends } })).modifiedCount;
  });
}

/** The events whose delivery has ended. */
async function ofEnded(events: readonly Undated[], mongo: Mongo): Promise<readonly Undated[]> {
  const ids = [...new Set(events.flatMap(({ delivery_id: id }) => id ?? []))];
  const found = mongo.collection<DeliveryRow>('deliveries').find({ _id: { $in: ids } });
  const states = await found.project<Pick<DeliveryRow, '_id' | 'state'>>({ state: 1 }).toArray();
  const ended = new Set<string>(states.filter(({ state }) => isTerminal(state)).map(({ _id }) => _id));
  return events.filter(({ delivery_id: id }) => id !== undefined && ended.has(id));
}

/** Gives the words of its search to each delivery that has none stored. One that is written meanwhile has them already. */
function addTerms(rows: mongo.Collection<DeliveryRow>, isHeld: () => boolean): Promise<number | null> {
  const bare = { terms: { $exists: false } };
  return inBatches(findDeliveries(rows, bare).hint(LISTS.byTerm), isHeld, async (batch) => {
    const updates = batch.map((delivery) => ({
      updateOne: { filter: { _id: delivery.id, ...bare }, update: { $set: { terms: termsOf(delivery) } } },
    }));
    return (await rows.bulkWrite(updates, { ordered: false })).modifiedCount;
  });
}

/** Works on what the cursor gives batch by batch; null when this process may not go on to the end. */
async function inBatches<T>(
  cursor: mongo.FindCursor<T>,
  isHeld: () => boolean,
  work: (batch: readonly T[]) => Promise<number>,
): Promise<number | null> {
  let done = 0;
  let batch: T[] = [];
  for await (const row of cursor.batchSize(BATCH)) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    if (!isHeld()) return null;
    done += await work(batch);
    batch = [];
  }
  if (!isHeld()) return null;
  return batch.length === 0 ? done : done + (await work(batch));
}
