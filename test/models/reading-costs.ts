import type { Mongo } from '../../src/engines/mongo.ts';

/** The cost of one database query. */
export type Cost = { readonly docsExamined: number; readonly planSummary: string };

/** The costs that the database reports for each query on the collection during `work`. */
export async function costsOf({ db }: Mongo, collection: string, run: () => Promise<unknown>): Promise<Cost[]> {
  await db.command({ profile: 0 });
  await db.collection('system.profile').drop();
  await db.command({ profile: 2 });
  await run();
  await db.command({ profile: 0 });
  const costs = await db
    .collection<Cost & { _id: never }>('system.profile')
    .find({ op: { $in: ['query', 'command'] }, ns: `${db.databaseName}.${collection}` })
    .toArray();
  return costs.map(({ docsExamined, planSummary }) => ({ docsExamined, planSummary }));
}
