import { mongo as mongodb } from 'mongoose';
import type { Clock } from '../ports/process.ts';
import { createGroups } from '../work/groups.ts';
import { isAway } from './away.ts';
import { ownRowOf, refuseForeignRow } from './tenants/confine.ts';
import { DUPLICATE_KEY } from './mongo.ts';

type Keyed = { readonly _id: string };
type Time = Pick<Clock, 'real'>;

/** A field, and the rows that count. No two of these rows may have the same value in the field. */
type By<Row> = { readonly field: keyof Row & string; readonly among?: mongodb.Filter<Row> };

/**
 * Finds rows by their key, or by another field that is unique; null if there is none. Values that wait at the same time
 * are one query, which begins after each of them was given. So a find sees everything that was stored before it.
 */
export function createFinds<Row extends Keyed>(
  clock: Time,
  rows: mongodb.Collection<Row>,
  { field, among = {} }: By<Row> = { field: '_id' },
): (value: string) => Promise<mongodb.WithId<Row> | null> {
  const find = createGroups<string, mongodb.WithId<Row> | null>(clock, async (values) => {
    const wanted = { ...among, [field]: { $in: [...new Set(values)] } } as mongodb.Filter<Row>;
    const found = new Map((await rows.find(wanted).toArray()).map((row) => [(row as Row)[field] as string, row]));
    return values.map((value) => ({ status: 'fulfilled', value: found.get(value) ?? null }));
  });
  return async (value) => ownRowOf(rows, await find(value));
}

/**
 * Inserts rows. Returns false if the key is taken, and leaves the stored row. Rows that wait at the same time are one
 * command. A row that the database refuses keeps no other one out.
 */
export function createInserts<Row extends Keyed>(
  clock: Time,
  rows: mongodb.Collection<Row>,
): (row: Row) => Promise<boolean> {
  const insert = createGroups<Row, boolean>(
    clock,
    async (group) => {
      const refused = await insertAll(rows, group);
      const judged = group.map(async (row, index) => {
        const code = refused.get(index) ?? null;
        if (code === null) return true;
        if (code === DUPLICATE_KEY) return false;
        // The error of a single row says what is wrong with it.
        await rows.insertOne(row as mongodb.OptionalUnlessRequiredId<Row>);
        return true;
      });
      return Promise.allSettled(judged);
    },
    { factsOf: ({ _id: id }) => [id] },
  );
  return async (row) => {
    refuseForeignRow(rows, row);
    return insert(row);
  };
}

/** Inserts all rows that can be inserted. Returns the error codes of the others by their index. */
async function insertAll<Row extends Keyed>(
  rows: mongodb.Collection<Row>,
  group: readonly Row[],
): Promise<ReadonlyMap<number, number>> {
  try {
    await rows.insertMany(group as mongodb.OptionalUnlessRequiredId<Row>[], { ordered: false });
    return new Map();
  } catch (error) {
    // A lost connection or primary is the error of every row, and the store's caller classifies it.
    if (!(error instanceof mongodb.MongoBulkWriteError) || isAway(error)) throw error;
    // The inserted rows are not certain to last, which the error of a taken key beside them would hide.
    const late = error.result.getWriteConcernError();
    if (late !== undefined) throw new mongodb.MongoServerError({ message: String(late.errmsg), code: late.code ?? 64 });
    const refused = [error.writeErrors].flat();
    // Without a row at fault, the whole command failed.
    if (refused.length === 0) throw error;
    return new Map(refused.map(({ index, code }) => [index, code]));
  }
}
