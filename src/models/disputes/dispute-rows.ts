import type { mongo as engine } from 'mongoose';
import type { Mongo } from '../../engines/mongo.ts';
import { amountOf } from '../../money/amount.ts';
import type { Dispute } from '../../money/disputes/dispute.ts';
import { DISPUTES, type DisputeRow } from './dispute-shapes.ts';

/** The row of a dispute. */
export function rowOf({ id, amount, refunded, ...dispute }: Dispute): DisputeRow {
  return { _id: id, ...dispute, amount: BigInt(amount), refunded: refunded === null ? null : BigInt(refunded) };
}

/** The dispute of a row. */
export function disputeOf({ _id, amount, refunded, ...row }: DisputeRow): Dispute {
  return { id: _id, ...row, amount: amountOf(amount), refunded: refunded === null ? null : amountOf(refunded) };
}

/** Writes the next version of a dispute in a transaction. Returns false, and writes nothing, if it is stale. */
export async function replaceDispute(mongo: Mongo, session: engine.ClientSession, next: Dispute): Promise<boolean> {
  const { _id, ...row } = rowOf(next);
  const same = { _id, version: next.version - 1 };
  const { matchedCount } = await mongo.collection(DISPUTES).replaceOne(same, row, { session });
  return matchedCount > 0;
}
