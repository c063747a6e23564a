import type { mongo as engine } from 'mongoose';

/** Inserts those of the rows whose ids are not stored yet, in the transaction of the session. */
export async function addUnknown<Row extends { readonly _id: string }>(
  collection: engine.Collection<Row>,
  session: engine.ClientSession,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const wanted = { _id: { $in: rows.map(({ _id }) => _id) } } as engine.Filter<Row>;
  const found = await collection.find(wanted, { session, projection: { _id: 1 } }).toArray();
  const known = new Set<string>(found.map(({ _id }) => _id));
  const added = rows.filter(({ _id }) => !known.has(_id));
  if (added.length > 0) await collection.insertMany(added as engine.OptionalUnlessRequiredId<Row>[], { session });
}
