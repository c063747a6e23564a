import { createConnection, Error as MongooseError, mongo as mongodb, type Connection, type mongo } from 'mongoose';
import type { Log } from '../ports/process.ts';
import { EngineAway } from './engine-away.ts';

/** The process's connection to MongoDB. Rows go in and out as plain interfaces. */
export type Mongo = {
  readonly connection: Connection;
  readonly db: mongo.Db;
  readonly log: Log;
  /** Aborted when it starts to close. From then on, everything that ends was ended on purpose. */
  readonly closing: AbortSignal;
  collection<T extends mongo.Document>(name: string): mongo.Collection<T>;
  /** Says whether a primary answers now. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
};

const SELECTION_MS = 4000;
/**
 * A hanging server accepts commands and answers none. After this long each is an error. No command of ours needs as
 * long.
 */
const ANSWER_MS = 5000;
/** A new index on a full collection, or the first one on a slow disk, may take much longer. */
const MAKE_MS = 600_000;
/** The pool opens two connections at a time. If all collections were made at once, the last would wait too long. */
const MADE_AT_ONCE = 4;
const PING_MS = 1000;
const NAMESPACE_EXISTS = 48;
/** The codes of a missing collection and a missing index. */
export const NAMESPACE_NOT_FOUND = 26;
export const INDEX_NOT_FOUND = 27;

/**
 * How one collection is kept: its indexes, and its shard key on a cluster. Null means that it is small and stays whole.
 */
export type CollectionRow = {
  readonly shardKey: Readonly<Record<string, 1 | 'hashed'>> | null;
  readonly indexes: readonly mongo.IndexDescription[];
};

/**
 * Opens the process's connection.
 * @throws EngineAway if no primary answers within 4 s
 */
export async function openMongo(url: string, log: Log): Promise<Mongo> {
  const { connection, db } = await open(url, ANSWER_MS);
  connection.on('error', (error: Error) => log.error({ error: error.message }, 'the connection to MongoDB failed'));
  const closing = new AbortController();
  connection.on('disconnected', () => closing.signal.aborted || log.warn({}, 'MongoDB is away'));
  connection.on('reconnected', () => log.info({}, 'MongoDB is back'));
  return {
    connection,
    db,
    log,
    closing: closing.signal,
    collection: (name) => db.collection(name),
    isReady: () => answers(db),
    close: () => {
      closing.abort();
      return connection.close();
    },
  };
}

async function open(url: string, answerMs: number): Promise<Pick<Mongo, 'connection' | 'db'>> {
  const connection = await createConnection(url, {
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    sanitizeFilter: true,
    retryWrites: true,
    writeConcern: { w: 'majority' },
    serverSelectionTimeoutMS: SELECTION_MS,
    connectTimeoutMS: SELECTION_MS,
    waitQueueTimeoutMS: SELECTION_MS,
    socketTimeoutMS: answerMs,
  })
    .asPromise()
    .catch(explainAbsence);
  const { db } = connection;
  if (db === undefined) throw new Error('mongoose resolved without a connection');
  return { connection, db };
}

/** The person who started the process reads this sentence. */
function explainAbsence(error: unknown): never {
  if (!(error instanceof MongooseError.MongooseServerSelectionError)) throw error;
  throw new EngineAway(`MongoDB does not answer: ${error.message}. Is it running at this address?`, {
    cause: error,
  });
}

/**
 * Makes every missing collection and index. It uses a connection of its own that waits longer for answers than a
 * running server may.
 * @throws EngineAway if no primary answers within 4 s
 */
export async function makeCollections(url: string, table: Readonly<Record<string, CollectionRow>>): Promise<void> {
  const { connection, db } = await open(url, MAKE_MS);
  const rows = Object.entries(table);
  const makeNext = async (): Promise<void> => {
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) await ensureCollection(db, ...row);
  };
  try {
    await Promise.all(Array.from({ length: MADE_AT_ONCE }, makeNext));
  } finally {
    await connection.close();
  }
}

async function ensureCollection(db: mongo.Db, name: string, { indexes }: CollectionRow): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    // Another process, or an earlier start, has made it.
    if (!hasCode(error, NAMESPACE_EXISTS)) throw error;
  }
  if (indexes.length > 0) await db.collection(name).createIndexes([...indexes]);
}

async function answers(db: mongo.Db): Promise<boolean> {
  try {
    // Mongoose's `readyState` is not used: it judges the connection by the wall clock, which may jump.
    const hello = await db.command({ hello: 1 }, { timeoutMS: PING_MS });
    return hello['isWritablePrimary'] === true;
  } catch {
    // Any failure means that the connection is not ready. Its own events report the reason in the log.
    return false;
  }
}

/** Says whether this is the server's error with that code. */
export function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

const DUPLICATE_KEY = 11_000;

/** Says whether a unique key was already taken. */
export function isDuplicateKey(error: unknown): boolean {
  return hasCode(error, DUPLICATE_KEY);
}

/**
 * Says whether taken keys alone kept rows out of a write of many rows. The error's own code is only that of the first
 * row.
 */
export function areDuplicateKeys(error: unknown): boolean {
  if (!(error instanceof mongodb.MongoBulkWriteError)) return isDuplicateKey(error);
  return [error.writeErrors].flat().every(({ code }) => code === DUPLICATE_KEY);
}
