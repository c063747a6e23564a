import assert from 'node:assert';
import type { Connection, mongo } from 'mongoose';
import type { Shape } from './shape.ts';

/** The rows of one collection through its Mongoose model, which refuses a path that the shape does not have. */
export type Records<Row> = {
  /** The row whose values equal these; null when there is none. */
  find(wanted: Partial<Row>): Promise<Row | null>;
  /** @throws MongoServerError with the code 11000 when the key is taken */
  insert(row: Row, session?: mongo.ClientSession): Promise<void>;
  /** Stores the row in place of the one with its key, if there is one. */
  put(row: Row): Promise<void>;
  /** Changes the row whose values equal these, and gives it as it is afterwards; null when there is none. */
  change(wanted: Partial<Row>, update: mongo.UpdateFilter<Row>): Promise<Row | null>;
};

/** The part of a Mongoose model that we need. Its full type is slow to check. */
type Model = {
  findOne(filter: object, projection: null, options: object): PromiseLike<unknown>;
  findOneAndUpdate(filter: object, update: object, options: object): PromiseLike<unknown>;
  create(rows: readonly unknown[], options: object): PromiseLike<unknown>;
  replaceOne(filter: object, row: unknown, options: object): PromiseLike<unknown>;
};
type Models = { model(name: string, schema: object, collection: string): Model };

/** The records of a shape on this connection. */
export function recordsOf<Row extends { readonly _id: string }>(
  connection: Connection,
  { name, schemas }: Shape<Row>,
): Records<Row> {
  const [[kind, schema] = [], ...more] = Object.entries(schemas);
  assert(schema !== undefined && more.length === 0, 'a collection of several kinds has no model');
  // Through `object`, or the compiler works through all the types of Mongoose for this one line.
  const models: object = connection;
  const model = (models as Models).model([name, kind].join(' '), schema, name);
  return {
    find: async (wanted) => asRow(await model.findOne({ ...wanted }, null, { lean: true })),
    insert: async (row, session) => void (await model.create([row], session === undefined ? {} : { session })),
    put: async (row) => void (await model.replaceOne({ _id: row._id }, row, { upsert: true })),
    change: async (wanted, update) =>
      asRow(await model.findOneAndUpdate({ ...wanted }, update, { returnDocument: 'after', lean: true })),
  };
}

/** MongoDB has checked the document against the shape when it was stored. */
function asRow<Row>(found: unknown): Row | null {
  return found as Row | null;
}
