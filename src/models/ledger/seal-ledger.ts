import { createHash } from 'node:crypto';
import { canonical } from '../../engines/canonical.ts';
import { isAny } from '../../engines/is-any.ts';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { transact } from '../../engines/transact.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { hasFloor, type AccountId } from '../../money/ledger/accounts.ts';
import type { Clock } from '../../ports/process.ts';
import { noteCharged } from '../billing/note-charged.ts';
import { noteVendors } from './settlement/note-vendors.ts';
import { ENTRIES, SEALS, TOTALS, type EntryRow } from './ledger-shapes.ts';

/** The hash before the first link. */
export const START = '0'.repeat(64);

/**
 * Adds up to `limit` due entries to the chain as one link, and their postings to the totals of accounts without a floor. It
 * also notes who was charged for the first time, and who has money for the first time.
 * Two processes may do so at once: the number of a link is its key, so one of them adds nothing.
 * @returns the number of entries that were added
 */
export async function sealLedger(mongo: Mongo, clock: Clock, limit: number): Promise<number> {
  const [entries, seals] = [mongo.collection(ENTRIES), mongo.collection(SEALS)];
  // Most looks find nothing, and need no transaction.
  if (!(await isAny(mongo, clock, ENTRIES, { due: true }))) return 0;
  try {
    return await transact(mongo, clock, async (session) => {
      const due = await entries
        .find({ due: true }, { session, ...EXACT })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      if (due.length === 0) return 0;
      const [last] = await seals.find({}, { session }).sort({ _id: -1 }).limit(1).toArray();
      const ids = due.map(({ _id }) => _id);
      const link = { _id: (last?._id ?? 0) + 1, entryIds: ids, hash: hashAfter(last?.hash ?? START, due) };
      await seals.insertOne(link, { session });
      const totals = [...sumsOf(due)].map(([account, posted]) => ({
        updateOne: { filter: { _id: account }, update: { $inc: { posted } as never }, upsert: true },
      }));
      if (totals.length > 0) await mongo.collection(TOTALS).bulkWrite(totals, { session });
      await noteCharged(mongo, session, due);
      await noteVendors(mongo, session, due);
      await entries.updateMany({ _id: { $in: ids } }, { $unset: { due: '' }, $set: { link: link._id } }, { session });
      return due.length;
    });
  } catch (error) {
    // Another process has made this link.
    if (isDuplicateKey(error)) return 0;
    throw error;
  }
}

/** The hash of a link: of the hash before it and its entries, in a form that does not depend on the order of fields. */
export function hashAfter(before: string, entries: readonly EntryRow[]): string {
  const hash = createHash('sha256').update(before);
  for (const { due: _due, link: _link, ...entry } of entries) hash.update(`\n${canonical(entry)}`);
  return hash.digest('hex');
}

/** The sums that entries post to accounts without a floor. */
export function sumsOf(entries: readonly EntryRow[]): ReadonlyMap<AccountId, bigint> {
  const sums = new Map<AccountId, bigint>();
  for (const { account, amount } of entries.flatMap(({ postings }) => postings))
    if (!hasFloor(account)) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return sums;
}
