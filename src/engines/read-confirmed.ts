import type { mongo } from 'mongoose';
import type { Mongo } from './mongo.ts';

/** How long a read waits for a majority, in ms. */
const MAJORITY_MS = 4000;
/** How much longer the driver waits for the answer. */
const ANSWER_MS = 1000;

/**
 * Runs a read that sees all writes of the primary, and only writes that a majority has. It waits until the majority has
 * them.
 * @param waitMs how long each query waits for the majority
 * @throws MongoServerError with the code 50 (MaxTimeMSExpired) if no majority has them in time
 */
export async function readConfirmed<T>(
  mongo: Mongo,
  read: (options: mongo.FindOptions) => Promise<T>,
  waitMs = MAJORITY_MS,
): Promise<T> {
  const session = mongo.connection.getClient().startSession({ causalConsistency: true });
  try {
    // The answer tells the session the time of the primary's newest write. The read then waits for that time.
    await mongo.db.command({ ping: 1 }, { session });
    const patience = { maxTimeMS: waitMs, socketTimeoutMS: waitMs + ANSWER_MS };
    return await read({ session, readConcern: { level: 'majority' }, ...patience } as mongo.FindOptions);
  } finally {
    // Not awaited: the answer does not depend on it, and it never rejects.
    void session.endSession();
  }
}
