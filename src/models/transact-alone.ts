import type { mongo } from 'mongoose';
import { newId, type VendorId } from '../domain/ids.ts';
import { isDuplicateKey, type Mongo } from '../engines/mongo.ts';
import { transact } from '../engines/transact.ts';
import type { Clock } from '../ports/process.ts';
import { CLAIMS } from './claim-shape.ts';

/** How often the first transactions of a name may collide. */
const MOST_TRIES = 5;

/** The claim that transactions of this name write. */
export function aloneFact(name: string): string {
  return `alone:${name}`;
}

/**
 * The name of the transactions that change the currency of a vendor, or store what moves money in it later: its top-ups and
 * adjustments.
 */
export function moneyOf(vendorId: VendorId): string {
  return `money:${vendorId}`;
}

/** Refuses money in a currency that the vendor has left, within a transaction of `moneyOf`. */
export type RefuseLeft = (vendorId: VendorId, currency: string, session: mongo.ClientSession) => Promise<void>;

/** Makes a transaction conflict with every other one of the same name. It comes first in the transaction. */
export async function standAlone(on: Mongo, name: string, session: mongo.ClientSession): Promise<void> {
  const fact = aloneFact(name);
  // Each time another holder, because a write that changes nothing conflicts with none.
  const row = { $set: { fact, holder: newId('req') } };
  await on.collection(CLAIMS).updateOne({ _id: fact }, row, { session, upsert: true });
}

/**
 * Runs `work` in a transaction that conflicts with every other one of the same name. So what `work` counts stays true
 * until it is written. As in `transact`, conflicts run it again, and it changes only the database.
 */
export async function transactAlone<T>(
  on: Mongo,
  clock: Clock,
  name: string,
  work: (session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await transact(on, clock, async (session) => {
        await standAlone(on, name, session);
        return work(session);
      });
    } catch (error) {
      // Two transactions made the row at once. Now it exists.
      if (tries >= MOST_TRIES || !isDuplicateKey(error)) throw error;
    }
  }
}
