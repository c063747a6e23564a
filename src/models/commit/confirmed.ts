import { deliveriesIn, findDelivery } from '../deliveries/delivery-rows.ts';
import type { mongo } from 'mongoose';
import type { Confirmed } from '../../ports/changes.ts';
import { findCourier, findCourierByPhone } from '../couriers/courier-rows.ts';
import { findDocument } from '../couriers/document-store.ts';
import type { Mongo } from '../../engines/mongo.ts';
import { findOffer } from '../offers/offer-rows.ts';

/** How long a read waits for a majority, in ms. A client waits longer than this for any answer of the database. */
const MAJORITY_MS = 4000;

/** Reads rows that no failover can roll back. */
export function createConfirmed(mongo: Mongo): Confirmed {
  const deliveries = deliveriesIn(mongo);
  return {
    findDelivery: (id) => readConfirmed(mongo, (options) => findDelivery(deliveries, { _id: id }, options)),
    findCourier: (id) => readConfirmed(mongo, (options) => findCourier(mongo, id, options)),
    findCourierByPhone: (phone, liveMode) =>
      readConfirmed(mongo, (options) => findCourierByPhone(mongo, phone, liveMode, options)),
    findDocument: (id) => readConfirmed(mongo, (options) => findDocument(mongo, id, options)),
    findOffer: (id) => readConfirmed(mongo, (options) => findOffer(mongo, id, options)),
  };
}

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
    return await read({ session, readConcern: { level: 'majority' }, maxTimeMS: waitMs });
  } finally {
    // Not awaited: the answer does not depend on it, and it never rejects.
    void session.endSession();
  }
}
