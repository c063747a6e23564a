import type { mongo } from 'mongoose';
import { inject } from 'vitest';
import { connect, type Mongo } from '../src/engines/mongo.ts';
import { COLLECTIONS } from '../src/models/collections.ts';
import { connectMongo } from '../src/models/connect-mongo.ts';
import type { Log } from '../src/ports/process.ts';
import { atEnd } from './at-end.ts';
import { testEngines } from './engines.ts';

/** The addresses of emptied databases, whose tests have ended. */
const free: string[] = [];
/** Deleting more rows takes longer than making all collections again. */
const MOST_ROWS = 5000;
/** The longest wait for an answer. */
const ANSWER_MS = 30_000;
const INDEXES = COLLECTIONS.reduce((sum, { indexes }) => sum + indexes.length + 1, 0);

/**
 * Connects to an empty database with all collections. When the tests that use it have ended, it is emptied for other
 * tests of this worker, because making the collections takes longer than most tests.
 * @param name shows in a new database which file made it; other files may use it later
 * @param options of the URL
 */
export async function openDatabase(name: string, log: Log, options = ''): Promise<Mongo> {
  const url = free.pop() ?? testEngines(name).mongoUrl;
  // Tests may change validators, so an emptied database needs a look at its collections too.
  const mongo = await connectMongo(withOptions(url, options), log);
  atEnd(async () => {
    // A late write of the tests must not reach those that come next.
    await mongo.close();
    // The engine ends with the run, so a database that cannot be cleared is not a failure of a test.
    if (await clear(url).catch(() => false)) free.push(url);
  });
  return mongo;
}

function withOptions(url: string, options: string): string {
  if (options === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${options}`;
}

/** Empties the database and returns true, or drops it. */
async function clear(url: string): Promise<boolean> {
  const { connection, db } = await connect(url, ANSWER_MS);
  try {
    await db.command({ profile: 0 });
    await db.dropCollection('system.profile');
    const { collections, indexes, objects } = await db.stats();
    const isAsMade = collections === COLLECTIONS.length && indexes === INDEXES;
    if (!inject('sharesDatabases') || !isAsMade || objects > MOST_ROWS) {
      await db.dropDatabase();
      return false;
    }
    for (const name of await listFilled(db)) await db.collection(name).deleteMany({});
    return true;
  } finally {
    await connection.close();
  }
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
