import type { mongo } from 'mongoose';
import { inject } from 'vitest';
import { makeCollections } from '../src/engines/collections.ts';
import { connect, openMongo, type Mongo } from '../src/engines/mongo.ts';
import { COLLECTIONS, SHAPES_VERSION } from '../src/models/collections.ts';
import type { Log } from '../src/ports/process.ts';
import { atEnd } from './at-end.ts';
import { testEngines, type TestEngines } from './engines.ts';

/** A database with all collections, and how they looked when they were made. */
type Made = Pick<TestEngines, 'database' | 'mongoUrl'> & { readonly look: string };

/** The emptied databases, whose tests have ended. */
const free: Made[] = [];
/** The connection with which this worker looks at databases and empties them. It ends with the worker. */
let keeper: ReturnType<typeof connect> | undefined;
/** Deleting more rows takes longer than making all collections again. */
const MOST_ROWS = 5000;
/** The longest wait for an answer. */
const ANSWER_MS = 30_000;
const INDEXES = COLLECTIONS.reduce((sum, { indexes }) => sum + indexes.length + 1, 0);

/**
 * Connects to an empty database with all collections.
 * @param name shows in a new database which file made it; other files may use it later
 * @param options of the URL
 */
export async function openDatabase(name: string, log: Log, options = ''): Promise<Mongo> {
  const { mongoUrl } = await preparedEngines(name);
  const mongo = await openMongo(withOptions(mongoUrl, options), log);
  // A late write of the tests must not reach those that come next.
  atEnd(() => mongo.close());
  return mongo;
}

/**
 * The engines, with an empty database that has all collections. When the tests that use it have ended and closed their
 * connections, it is emptied for other tests of this worker, because making the collections takes longer than most
 * tests.
 */
export async function preparedEngines(name: string): Promise<TestEngines> {
  const engines = testEngines(name);
  const made = free.pop() ?? (await make(engines));
  atEnd(async () => {
    // The engine ends with the run, so a database that cannot be cleared is not a failure of a test.
    if (await clear(made).catch(() => false)) free.push(made);
  });
  return { ...engines, database: made.database, mongoUrl: made.mongoUrl };
}

async function make({ database, mongoUrl }: TestEngines): Promise<Made> {
  await makeCollections(mongoUrl, COLLECTIONS, SHAPES_VERSION);
  return { database, mongoUrl, look: await lookAt(await open(database)) };
}

async function open(database: string): Promise<mongo.Db> {
  keeper ??= connect(inject('mongoUrl'), ANSWER_MS);
  return (await keeper).connection.getClient().db(database);
}

/** The options of every collection, such as its validator. */
async function lookAt(db: mongo.Db): Promise<string> {
  const found = await db.listCollections<mongo.CollectionInfo>().toArray();
  const options = new Map(found.map((collection) => [collection.name, collection.options]));
  return JSON.stringify(COLLECTIONS.map(({ name }) => options.get(name)));
}

function withOptions(url: string, options: string): string {
  if (options === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${options}`;
}

/** Empties the database and returns true, or drops it. */
async function clear({ database, look }: Made): Promise<boolean> {
  const db = await open(database);
  await db.command({ profile: 0 });
  await db.dropCollection('system.profile');
  const { collections, indexes, objects } = await db.stats();
  const isAsMade = collections === COLLECTIONS.length && indexes === INDEXES && (await lookAt(db)) === look;
  if (!inject('sharesDatabases') || !isAsMade || objects > MOST_ROWS) {
    await db.dropDatabase();
    return false;
  }
  for (const filled of await listFilled(db)) await db.collection(filled).deleteMany({});
  return true;
}

/** The names of the collections that have a document, of all in one command. */
async function listFilled(db: mongo.Db): Promise<string[]> {
  const [first, ...others] = COLLECTIONS.map(({ name }) => ({
    name,
    one: [{ $limit: 1 }, { $project: { _id: name } }],
  }));
  if (first === undefined) return [];
  const unions = others.map(({ name, one }) => ({ $unionWith: { coll: name, pipeline: one } }));
  const found = await db
    .collection(first.name)
    .aggregate([...first.one, ...unions])
    .toArray();
  return found.map(({ _id }) => String(_id));
}
