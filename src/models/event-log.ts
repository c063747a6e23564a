import { mongo as mongodb } from 'mongoose';
import type { DomainEvent } from '../domain/events.ts';
import type { Clock, EventLog, Stop } from '../ports.ts';
import type { EventRow } from './event-rows.ts';
import type { Mongo } from './mongo.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;
/** After so many failures in a row the place in the log is given up: a resync is better than silence. */
const MOST_FAILURES = 10;

/** Errors after which no stream can go on from where the last one ended. */
const LOST_CODES: readonly unknown[] = [
  260, // InvalidResumeToken
  280, // ChangeStreamFatalError
  286, // ChangeStreamHistoryLost
];

type Follower = { readonly listener: (event: DomainEvent) => void; readonly onGap: () => void };

type Reader = {
  readonly mongo: Mongo;
  readonly clock: Clock;
  readonly followers: ReadonlySet<Follower>;
  readonly halt: AbortSignal;
};

/** Where to go on reading; null when that is not known any more. */
type Place = { from: Start | null; failures: number };
type Start = Pick<mongodb.ChangeStreamOptions, 'resumeAfter' | 'startAtOperationTime'>;

/** Reads the log of events: at once by delivery, or as it grows by one change stream that all followers share. */
export function createEventLog(mongo: Mongo, clock: Clock): EventLog {
  const followers = new Set<Follower>();
  let open: { readonly halt: AbortController; readonly isOpen: Promise<void> } | null = null;
  const start = async (halt: AbortSignal): Promise<void> => {
    const place: Place = { from: await startNow(mongo), failures: 0 };
    void read({ mongo, clock, followers, halt }, place);
  };
  return {
    follow: async (listener, onGap): Promise<Stop> => {
      const follower: Follower = { listener, onGap };
      followers.add(follower);
      if (open === null) {
        const halt = new AbortController();
        open = { halt, isOpen: start(halt.signal) };
      }
      await open.isOpen;
      return () => {
        followers.delete(follower);
        if (followers.size > 0) return;
        open?.halt.abort();
        open = null;
      };
    },
    list: (deliveryId, after, limit) =>
      mongo
        .collection<EventRow>('events')
        .find<DomainEvent>(
          { delivery_id: deliveryId, sequence: { $gt: after } },
          // Majority: what is read here is never taken back, like what the stream tells.
          { projection: { _id: 0, webhooks: 0 }, readConcern: { level: 'majority' } },
        )
        .sort({ sequence: 1 })
        .limit(limit)
        .toArray(),
  };
}

/** Reads on until halted, over every failure. Never rejects. */
async function read(reader: Reader, place: Place): Promise<void> {
  const { mongo, clock, halt } = reader;
  while (!halt.aborted) {
    try {
      await readStream(reader, place);
    } catch (error) {
      // A stream ends for many reasons, a closed one too when it is halted; the next one goes on at the same place.
      if (halt.aborted) return;
      place.failures += 1;
      if (isLost(error) || place.failures >= MOST_FAILURES) place.from = null;
      mongo.log.warn({ error: String(error), failures: place.failures }, 'the event stream ended; opening another');
      await pause(clock, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** place.failures), halt);
    }
  }
}

async function readStream({ mongo, followers, halt }: Reader, place: Place): Promise<void> {
  if (place.from === null) {
    place.from = await startNow(mongo);
    for (const { onGap } of followers) onGap();
  }
  const inserts = [{ $match: { operationType: 'insert' } }];
  const stream = mongo.collection<EventRow>('events').watch(inserts, place.from);
  const close = (): void => void stream.close();
  halt.addEventListener('abort', close, { once: true });
  try {
    for await (const change of stream) {
      if (halt.aborted) return;
      place.failures = 0;
      if (change.operationType === 'insert') tell(mongo, followers, change.fullDocument);
    }
  } finally {
    halt.removeEventListener('abort', close);
    if (stream.resumeToken !== null) place.from = { resumeAfter: stream.resumeToken };
  }
}

function tell(mongo: Mongo, followers: Reader['followers'], { _id, webhooks: _webhooks, ...event }: EventRow): void {
  for (const { listener } of followers) {
    try {
      listener(event);
    } catch (error) {
      // One reader's fault on one event must not take the rest of the log from it, nor the event from the others.
      mongo.log.error({ event: _id, error: String(error) }, 'a reader of the event log failed');
    }
  }
}

/** The place after everything that is in the log now. */
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
