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
 * Makes a function that finds rows of this collection by their key, or by another field that is unique. It returns null
 * if there is none.
 */
export type Finds = <Row extends Keyed>(
  rows: mongodb.Collection<Row>,
  by?: By<Row>,
) => (value: string) => Promise<mongodb.WithId<Row> | null>;

type Doc = Readonly<Record<string, unknown>>;
/** One collection that is read by one field. */
type Source = {
  readonly name: string;
  readonly field: string;
  readonly among: Doc;
  find(filter: Doc): Promise<Doc[]>;
  aggregate(stages: readonly mongodb.Document[]): Promise<mongodb.Document[]>;
};
type Asked = { readonly source: Source; readonly value: string };

/**
 * Makes finds that share their commands. Values that wait at the same time are one command, also if they are wanted from
 * several collections. It begins after each of them was given, so a find sees everything that was stored before it.
 */
export function createFinds(clock: Time): Finds {
  const find = createGroups<Asked, Doc | null>(clock, async (asked) => {
    const groups = [...Map.groupBy(asked, ({ source }) => source)];
    const found = await findAll(groups.map(([source, group]) => ({ source, filter: filterOf(source, group) })));
    const results = new Map(groups.map(([source], index) => [source, found[index]]));
    return asked.map(({ source, value }) => {
      const result = results.get(source);
      if (result?.status !== 'fulfilled') return result ?? { status: 'fulfilled', value: null };
      return { status: 'fulfilled', value: result.value.get(value) ?? null };
    });
  });
  return <Row extends Keyed>(
    rows: mongodb.Collection<Row>,
    { field, among = {} }: By<Row> = { field: '_id' },
  ): ((value: string) => Promise<mongodb.WithId<Row> | null>) => {
    const source: Source = {
      name: rows.collectionName,
      field,
      among,
      find: (filter) => rows.find(filter as mongodb.Filter<Row>).toArray(),
      aggregate: (stages) => rows.aggregate([...stages]).toArray(),
    };
    return async (value) => ownRowOf(rows, (await find({ source, value })) as mongodb.WithId<Row> | null);
  };
}

function filterOf({ field, among }: Source, group: readonly Asked[]): Doc {
  return { ...among, [field]: { $in: [...new Set(group.map(({ value }) => value))] } };
}

type Read = { readonly source: Source; readonly filter: Doc };

/** The rows of each read by the value of their field. One command reads all of them, unless one of them cannot be read. */
async function findAll(reads: readonly Read[]): Promise<PromiseSettledResult<ReadonlyMap<unknown, Doc>>[]> {
  const byValue = ({ source }: Read, rows: readonly Doc[]) => new Map(rows.map((row) => [row[source.field], row]));
  const [first, ...others] = reads;
  if (first !== undefined && others.length > 0) {
    try {
      const found = await findInUnion(first, others);
      return reads.map((read, index) => ({ status: 'fulfilled', value: byValue(read, found[index] ?? []) }));
    } catch (error) {
      if (isAway(error)) throw error;
      // Each read by itself says whether it is the one at fault.
    }
  }
  return Promise.allSettled(reads.map(async (read) => byValue(read, await read.source.find(read.filter))));
}

/** The rows of each read, in their order. */
async function findInUnion(first: Read, others: readonly Read[]): Promise<readonly Doc[][]> {
  const stagesOf = ({ filter }: Read, index: number): mongodb.Document[] => [
    { $match: filter },
    { $replaceWith: { index: { $literal: index }, row: '$$ROOT' } },
  ];
  const unions = others.map((read, index) => ({
    $unionWith: { coll: read.source.name, pipeline: stagesOf(read, index + 1) },
  }));
  const found: Doc[][] = [first, ...others].map(() => []);
  for (const { index, row } of await first.source.aggregate([...stagesOf(first, 0), ...unions]))
    found[index]?.push(row);
  return found;
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
