import { mongo as mongodb } from 'mongoose';
import type { Clock } from '../ports/process.ts';
import type { Mongo } from './mongo.ts';
import type { Shape } from './shapes/shape.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;
/** After this many failures in a row the feed gives up its place in the stream: a new start is better than silence. */
const MOST_FAILURES = 10;

/**
 * A read of a quiet stream waits this long for a change, which ends the wait. The connection gives up on a command after
 * 5 s.
 */
const AWAIT_MS = 3000;

/** Errors after which no stream can continue where the last one ended. */
const LOST_CODES: readonly unknown[] = [
  260, // InvalidResumeToken
  280, // ChangeStreamFatalError
  286, // ChangeStreamHistoryLost
];

/** The reader of a collection's changes. */
export type Feed<Row extends mongodb.Document> = {
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly of: Shape<Row>;
  readonly stages: readonly mongodb.Document[];
  /** Must not throw. */
  readonly onChange: (change: mongodb.ChangeStreamDocument<Row>) => void;
  /** Called if changes may be missing. Must not throw. */
  readonly onGap: () => void;
  /** Ends the feed. */
  readonly halt: AbortSignal;
};

/** Where to continue reading; null if that is no longer known. */
type Place = { from: Start | null; failures: number };
type Start = Pick<mongodb.ChangeStreamOptions, 'resumeAfter' | 'startAtOperationTime'>;

/**
 * Follows a collection through one change stream, over every failure, until it is halted or the connection closes.
 * Resolves once the feed misses nothing that is written from then on.
 */
export async function followChanges<Row extends mongodb.Document>(feed: Feed<Row>): Promise<void> {
  const place: Place = { from: await startNow(feed.mongo), failures: 0 };
  void read({ ...feed, halt: AbortSignal.any([feed.halt, feed.mongo.closing]) }, place);
}

/** Reads until halted. Never rejects. */
async function read<Row extends mongodb.Document>(feed: Feed<Row>, place: Place): Promise<void> {
  const { mongo, clock, of, halt } = feed;
  while (!halt.aborted) {
    try {
      await readStream(feed, place);
    } catch (error) {
      // A stream ends for many reasons; a halted one ends too. The next one continues at the same place.
      if (halt.aborted) return;
      place.failures += 1;
      if (isLost(error) || place.failures >= MOST_FAILURES) place.from = null;
      const { failures } = place;
      mongo.log.warn({ collection: of.name, error, failures }, 'a change stream ended; opening another');
      await pause(clock, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), halt);
    }
  }
}

async function readStream<Row extends mongodb.Document>(
  { mongo, of, stages, onChange, onGap, halt }: Feed<Row>,
  place: Place,
): Promise<void> {
  if (place.from === null) {
    place.from = await startNow(mongo);
    onGap();
  }
  const stream = mongo.collection(of).watch<Row>([...stages], { ...place.from, maxAwaitTimeMS: AWAIT_MS });
  const close = (): void => void stream.close();
  halt.addEventListener('abort', close, { once: true });
  try {
    for await (const change of stream) {
      if (halt.aborted) return;
      place.failures = 0;
      onChange(change);
    }
  } finally {
    halt.removeEventListener('abort', close);
    if (stream.resumeToken !== null) place.from = { resumeAfter: stream.resumeToken };
  }
}

/** The place after everything that is stored now. */
async function startNow(mongo: Mongo): Promise<Start> {
  const { operationTime } = await mongo.db.command({ ping: 1 });
  if (!(operationTime instanceof mongodb.Timestamp)) throw new Error('MongoDB is not a replica set: no change streams');
  const { t, i } = operationTime;
  return { startAtOperationTime: new mongodb.Timestamp({ t, i: i + 1 }) };
}

function isLost(error: unknown): boolean {
  return error instanceof mongodb.MongoServerError && LOST_CODES.includes(error.code);
}

function pause(clock: Clock, ms: number, halt: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      halt.removeEventListener('abort', done);
      resolve();
    };
    const stop = clock.real.after(ms, done);
    halt.addEventListener('abort', done, { once: true });
  });
}
