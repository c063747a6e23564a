import { createConnection, Error as MongooseError, mongo as mongodb, type Connection, type mongo } from 'mongoose';
import type { Clock, Log, Stop } from '../ports/process.ts';
import { MONGODB } from './away.ts';
import { WakingConnection } from './connections/waking-connection.ts';
import { EngineAway } from './engine-away.ts';
import { Outage, quietDuring } from './outage.ts';
import { confine } from './tenants/confine.ts';
import { recordsOf, type Records } from './shapes/records.ts';
import type { Shape } from './shapes/shape.ts';

/** The process's connection to MongoDB. Rows go in and out as plain interfaces. */
export type Mongo = {
  readonly connection: Connection;
  readonly db: mongo.Db;
  /** The log of the process. If the connection is watched, it is quiet about errors that come from an outage. */
  readonly log: Log;
  /** Aborted when it starts to close. From then on, everything that ends was ended on purpose. */
  readonly closing: AbortSignal;
  /** The collection of this shape. Its rows go in and out as they are. In the work of a tenant it is confined to them. */
  collection<Row extends mongo.Document>(of: Shape<Row>): mongo.Collection<Row>;
  /** The Mongoose model of this shape, for plain records: it refuses paths that the shape does not have. */
  records<Row extends { readonly _id: string }>(of: Shape<Row>): Records<Row>;
  /** Says whether a primary answers now. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
};

/** The driver's types do not have this option. */
const OWN_CLASS = { connectionType: WakingConnection };
const SELECTION_MS = 4000;
/**
 * A hanging server accepts commands and answers none. After this long each is an error. No command of ours needs as
 * long.
 */
const ANSWER_MS = 5000;
const PING_MS = 1000;
/** Machine time between two looks for an outage. */
const LOOK_MS = 1000;
/** The codes of a missing collection and a missing index. */
export const NAMESPACE_NOT_FOUND = 26;
export const INDEX_NOT_FOUND = 27;

/**
 * Opens the process's connection.
 * @param clock is given if the process looks once a second whether a primary answers, and reports outages
 * @throws EngineAway if no primary answers within 4 s, if it refuses the process, or if it has no transactions
 */
export async function openMongo(url: string, ownLog: Log, clock?: Pick<Clock, 'real'>): Promise<Mongo> {
  const { connection, db } = await connect(url, ANSWER_MS);
  await refuseUnfit(connection, db);
  const closing = new AbortController();
  const isReady = createCheck(db);
  const { log, stop } =
    clock === undefined ? { log: ownLog, stop: () => {} } : watch(connection, isReady, { log: ownLog, clock });
  connection.on('error', (error: Error) => log.error({ error }, 'the connection to MongoDB failed'));
  return {
    connection,
    db,
    log,
    closing: closing.signal,
    collection: <Row extends mongo.Document>(of: Shape<Row>) => confine(db.collection<Row>(of.name), of),
    records: (of) => confine(recordsOf(connection, of), of),
    isReady,
    close: () => {
      closing.abort();
      stop();
      return connection.close();
    },
  };
}

/**
 * Opens a connection alone.
 * @throws EngineAway when no primary answers within 4 s
 */
export async function connect(url: string, answerMs: number): Promise<Pick<Mongo, 'connection' | 'db'>> {
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
    ...OWN_CLASS,
  })
    .asPromise()
    .catch(explainAbsence);
  const { db } = connection;
  if (db === undefined) throw new Error('mongoose resolved without a connection');
  return { connection, db };
}

/** The person who started the process reads this sentence. */
function explainAbsence(cause: unknown): never {
  if (!(cause instanceof Error)) throw cause;
  const isUnselected = cause instanceof MongooseError.MongooseServerSelectionError;
  const { reason } = cause as Error & { readonly reason?: mongo.TopologyDescription };
  // The driver forgets servers of another set.
  if (isUnselected && reason?.servers.size === 0 && reason.setName !== null) {
    const set = JSON.stringify(reason.setName);
    throw new EngineAway(`No server in MONGO_URL belongs to the replica set ${set}. Check its replicaSet.`, { cause });
  }
  if (isUnselected || 'syscall' in cause) {
    throw new EngineAway(`MongoDB does not answer: ${cause.message}. Is it running at this address?`, { cause });
  }
  if (cause instanceof mongodb.MongoServerError) {
    throw new EngineAway(`MongoDB refuses the connection: ${ended(cause.message)} Check MONGO_URL.`, { cause });
  }
  // The driver repeats the address, which may contain a password, so its sentence is left out.
  if (BAD_ADDRESS.test(cause.name)) throw new EngineAway(NO_ADDRESS, { cause });
  throw cause;
}

/** The driver does not export the class of its parser. */
const BAD_ADDRESS = /^Mongo(Parse|API|InvalidArgument|MissingCredentials)Error$/u;
const NO_ADDRESS =
  'MONGO_URL is not a valid address of MongoDB. It must be mongodb://user:password@host1:port,host2:port/database or ' +
  'mongodb+srv://…, with parameters that the driver knows.';
const NO_SET =
  'MongoDB is not a replica set or sharded cluster, so it has no transactions. Start mongod with --replSet and run ' +
  'rs.initiate() once, or set MONGO_URL to one that is.';
const NO_PRIMARY =
  'MONGO_URL names a secondary of MongoDB, which takes no writes. Name the replica set, as in ' +
  'mongodb://host1,host2/database?replicaSet=NAME, without directConnection.';

/** Refuses a server that takes no transactions, no writes or no such user, before anything is written there. */
async function refuseUnfit(connection: Connection, db: mongo.Db): Promise<void> {
  try {
    const { setName, msg, isWritablePrimary } = await db.command({ hello: 1 });
    if (setName === undefined && msg !== 'isdbgrid') throw new EngineAway(NO_SET);
    // Otherwise the driver finds the primary, also if another member becomes it now.
    const isFixed = connection.getClient().options.directConnection;
    if (isFixed && isWritablePrimary !== true) throw new EngineAway(NO_PRIMARY);
    // A server also greets those who have not logged in.
    await db.listCollections({}, { nameOnly: true }).hasNext();
  } catch (error) {
    await connection.close();
    explainAbsence(error);
  }
}

/** The sentence with the full stop that some servers leave out. */
function ended(sentence: string): string {
  return sentence.endsWith('.') ? sentence : `${sentence}.`;
}

/** Looks once a second whether a primary answers. The log is quiet about the errors of an outage, until it is stopped. */
function watch(
  connection: Connection,
  isReady: () => Promise<boolean>,
  needs: { readonly log: Log; readonly clock: Pick<Clock, 'real'> },
): { readonly log: Log; readonly stop: Stop } {
  const outage = new Outage(MONGODB, needs);
  const knownServers = followServers(connection);
  let [isLooking, hasFailed] = [false, false];
  const look = async (): Promise<void> => {
    // Two looks at once would share one answer.
    if (isLooking) return;
    isLooking = true;
    const isWell = await isReady();
    isLooking = false;
    if (isWell) outage.regain('primary');
    // A stall of this process may make one look fail.
    else if (hasFailed) outage.lose('primary', `no primary answers within 1 s${knownServers()}`);
    hasFailed = !isWell;
  };
  const stopLooking = needs.clock.real.every(LOOK_MS, () => void look());
  const stop = (): void => {
    stopLooking();
    outage.close();
  };
  return { log: quietDuring(outage, needs.log), stop };
}

/** Returns a function that says what the driver knows of each server, for the log. It knows more than a failed command. */
function followServers(connection: Connection): () => string {
  const client = connection.getClient();
  let known = client.options.hosts.map(String);
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const servers = [...newDescription.servers.values()];
    known = servers.map(({ address, type, error }) => `${address}: ${error?.message ?? type}`);
  });
  return () => known.map((server) => `; ${server}`).join('');
}

/** Says whether a primary answers now, within `PING_MS`. Checks at the same time share one command and its connection. */
function createCheck(db: mongo.Db): () => Promise<boolean> {
  let pending: Promise<boolean> | null = null;
  return () => {
    pending ??= answers(db).finally(() => {
      pending = null;
    });
    return pending;
  };
}

async function answers(db: mongo.Db): Promise<boolean> {
  try {
    // Mongoose's `readyState` is not used: it judges the connection by the wall clock, which may jump.
    // The driver ignores `timeoutMS`. A signal also ends its wait for a server or for a free connection.
    const hello = await db.command({ hello: 1 }, { signal: AbortSignal.timeout(PING_MS) });
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

/** The code of a unique key that is taken. */
export const DUPLICATE_KEY = 11_000;

/** Says whether a unique key was already taken. */
export function isDuplicateKey(error: unknown): boolean {
  return hasCode(error, DUPLICATE_KEY);
}

/**
 * Says whether taken keys alone kept rows out of a write of many rows. The error's own code is only that of the first
 * row. The driver throws an error of the same class, which names no row, if the whole command failed.
 */
export function areDuplicateKeys(error: unknown): boolean {
  if (!(error instanceof mongodb.MongoBulkWriteError)) return isDuplicateKey(error);
  const refused = [error.writeErrors].flat();
  const isKept = error.result.getWriteConcernError() === undefined;
  return isKept && refused.length > 0 && refused.every(({ code }) => code === DUPLICATE_KEY);
}
