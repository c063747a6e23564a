import { mongo as mongodb } from 'mongoose';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Engine } from './outage.ts';
import { explainUnfit } from './shapes/unfit-document.ts';

/**
 * Error codes of a member of the set that is no longer the primary, shuts down, starts, or hears from no majority in
 * time. The driver retries most of these once. Only a failed retry reaches the caller.
 */
const AWAY_CODES: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound: the cursor's server was restarted
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10058, // LegacyNotPrimary
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

const { MongoErrorLabel } = mongodb;
const AWAY_LABELS = [
  MongoErrorLabel.RetryableWriteError,
  MongoErrorLabel.ResumableChangeStreamError,
  MongoErrorLabel.SystemOverloadedError,
];

/** The driver does not export the errors of its pools: every connection is in use, or its server is gone. */
const POOL_ERRORS = ['MongoWaitQueueTimeoutError', 'MongoPoolClosedError'];

/**
 * Error codes of a write to a connection that the other side has closed. The driver passes some of these on unchanged.
 */
const CLOSED_CODES: ReadonlySet<unknown> = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'ENOTCONN',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Says whether this error means that the database cannot be reached, does not answer, or changes its primary. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof mongodb.MongoError)) {
    return error instanceof Error && 'code' in error && CLOSED_CODES.has(error.code);
  }
  // The driver hides the cause of a failed write of several rows inside an error of its own, without the labels.
  if (error instanceof mongodb.MongoBulkWriteError && isAway(error.errorResponse)) return true;
  return (
    error instanceof mongodb.MongoNetworkError ||
    error instanceof mongodb.MongoServerSelectionError ||
    error instanceof mongodb.MongoServerClosedError ||
    POOL_ERRORS.includes(error.name) ||
    AWAY_CODES.has(error.code) ||
    AWAY_LABELS.some((label) => error.hasErrorLabel(label))
  );
}

/** The text for a caller whose change may have been made. It explains how to find out. */
export const MAY_BE_MADE =
  'The database did not answer in time, so a requested change may have been made. It is safe to repeat an action on a ' +
  'delivery, and a create with the same `external_id`. There are two exceptions. Repeat an `unassign` only if it names ' +
  'the `courier_id`. Repeat a delay only if it names `ready_at`, or within one minute.';

/**
 * The same store, but its promises refuse `busy` while the database is unreachable or does not answer. For the caller
 * this is an outage and not a fault: the same request may succeed later.
 */
export function busyWhenAway<T extends object>(store: T): T {
  const refusing =
    (method: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      const result = Reflect.apply(method, store, given);
      return result instanceof Promise ? refuseAway(result) : result;
    };
  const methods = Object.entries(store).map(([name, method]: [string, unknown]) => [
    name,
    typeof method === 'function' ? refusing(method as (...given: unknown[]) => unknown) : method,
  ]);
  return Object.fromEntries(methods) as T;
}

/** The same promise, but it refuses `busy` while the database is unreachable or does not answer. */
export async function refuseAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isAway(error)) throw explainUnfit(error);
    // The text of the refusal is for the caller. The cause is for the log.
    throw Object.assign(new Refusal('busy', { detail: MAY_BE_MADE }), { cause: error });
  }
}

export const MONGODB: Engine = { name: 'MongoDB', isAway };
