import type { mongo } from 'mongoose';
import type { Mongo } from '../../../engines/mongo.ts';
import { newAccount, type SettlementAccount } from '../../../money/settlement/settlement.ts';
import type { EntryRow } from '../ledger-shapes.ts';
import { accountId, accountRowOf } from './settlement-rows.ts';
import { SETTLEMENT_ACCOUNTS } from './settlement-shapes.ts';

/**
 * Adds a settlement account for each vendor whom these entries name in a book for the first time. So the worker reads only
 * accounts that are due. It is part of the transaction that adds the entries to the chain, so no vendor is missed.
 */
export async function noteVendors(
  on: Mongo,
  session: mongo.ClientSession,
  entries: readonly Pick<EntryRow, 'vendorId' | 'liveMode' | 'book' | 'at'>[],
): Promise<void> {
  const noted = new Map<string, SettlementAccount>();
  for (const { vendorId, liveMode, book, at } of entries) {
    if (vendorId === null) continue;
    const earlier = noted.get(accountId({ vendorId, book }))?.period.from ?? at;
    noted.set(accountId({ vendorId, book }), newAccount({ vendorId, liveMode, book }, Math.min(earlier, at)));
  }
  if (noted.size === 0) return;
  const accounts = on.collection(SETTLEMENT_ACCOUNTS);
  const ids = { _id: { $in: [...noted.keys()] } };
  for (const { _id } of await accounts.find(ids, { session, projection: { _id: 1 } }).toArray()) noted.delete(_id);
  if (noted.size > 0) await accounts.insertMany([...noted.values()].map(accountRowOf), { session });
}
