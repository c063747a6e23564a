import { mongo as mongodb } from 'mongoose';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Clock } from '../ports/process.ts';
import { isAway, MAY_BE_MADE } from './away.ts';
import type { Mongo } from './mongo.ts';

/** How long a transaction may take with all its retries, machine time. The driver alone would take two minutes. */
const DEADLINE_MS = 5000;
/** How long the server may take to end an abandoned transaction. */
const KILL_MS = 5000;
/** The caller may look for the outcome until the deadline, and for at least this long. */
const LEAST_LOOK_MS = 2000;

/** MongoDB's code of the error if another transaction has written the same row. */
const WRITE_CONFLICT = 112;

const OPTIONS: mongodb.TransactionOptions = {
  readConcern: { level: 'snapshot' },
  writeConcern: { w: 'majority' },
  readPreference: 'primary',
};

/**
 * It is unknown whether the transaction was written. Only a read confirmed by a majority can tell, because even the
 * primary's state may be taken back. Callers who do not look see it as the refusal `busy`.
 */
export class OutcomeUnknown extends Refusal {
  /**
   * How long the caller may look, ms. Null means that the server did not end the transaction, so a missing row may
   * still appear.
   */
  readonly lookMs: number | null;

  constructor(lookMs: number | null, cause: unknown) {
    super('busy', { detail: MAY_BE_MADE });
    // The text of the refusal is for the caller. The cause is for the log.
    this.cause = cause;
    this.lookMs = lookMs;
  }
}

type Options = { readonly deadlineMs?: number; readonly onConflict?: () => void };

/**
 * Runs `work` in one transaction, written whole if it returns and not at all if it throws. Write conflicts run it
 * again, so it changes only the database, and only through `session`.
 * @param options `deadlineMs` says how long it may take, machine time. `onConflict` is called at each
 *   write conflict, after which the work is run again
 * @throws OutcomeUnknown after the deadline, or if the connection was lost; otherwise the error that `work` throws
 */
export async function transact<T>(
  mongo: Mongo,
  clock: Clock,
  work: (session: mongodb.ClientSession) => Promise<T>,
  { deadlineMs = DEADLINE_MS, onConflict = () => {} }: Options = {},
): Promise<T> {
  const deadline = clock.real.elapsed() + deadlineMs;
  const session = mongo.connection.getClient().startSession();
  const late = new AbortController();
  const stop = clock.real.after(deadlineMs, () => late.abort(new TooLate(`it took over ${deadlineMs} ms`)));
  let isCommitting = false;
  const run = session.withTransaction(
    async () => {
      isCommitting = false;
      // An abandoned transaction must neither run again nor be committed.
      late.signal.throwIfAborted();
      const result = await work(session).catch((error: unknown) => {
        if (isConflict(error)) onConflict();
        throw error;
      });
      late.signal.throwIfAborted();
      isCommitting = true;
      return result;
    },
    { ...OPTIONS, maxCommitTimeMS: Math.ceil(deadlineMs) },
  );
  try {
    return await Promise.race([run, aborted(late.signal)]);
  } catch (error) {
    // The driver reports a lost connection and a lost answer alike. A bare error of a socket makes it fail at a commit.
    const isAnswered = !isCommitting || error instanceof mongodb.MongoServerError;
    // The caller judges every other error.
    if (isAnswered && !isUnsure(error)) throw error;
    const isEnded = await kill(mongo, session);
    const lookMs = isEnded ? Math.max(LEAST_LOOK_MS, Math.ceil(deadline - clock.real.elapsed())) : null;
    const unknown = new OutcomeUnknown(lookMs, error);
    mongo.log.warn({ error: unknown, isEnded }, 'a transaction was given up');
    throw unknown;
  } finally {
    stop();
    // Not awaited: on a dead connection it would take longer than the deadline. It never rejects.
    void session.endSession();
  }
}

class TooLate extends Error {}

function isConflict(error: unknown): boolean {
  return error instanceof mongodb.MongoServerError && error.code === WRITE_CONFLICT;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function isUnsure(error: unknown): boolean {
  if (error instanceof TooLate || isAway(error)) return true;
  if (!(error instanceof mongodb.MongoError)) return false;
  return error.hasErrorLabel('UnknownTransactionCommitResult') || error.hasErrorLabel('TransientTransactionError');
}

/** Ends the transaction on the server, so that it is not written after the caller has looked. */
async function kill(mongo: Mongo, session: mongodb.ClientSession): Promise<boolean> {
  try {
    await mongo.db.admin().command({ killSessions: [session.id], maxTimeMS: KILL_MS });
    return true;
  } catch {
    // The server is unreachable. It ends an abandoned transaction by itself, and there is nothing to look at now.
    return false;
  }
}
