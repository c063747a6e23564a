import type { mongo } from 'mongoose';
import { addUnknown } from '../../../engines/add-unknown.ts';
import type { Mongo } from '../../../engines/mongo.ts';
import { newAccount, type SettlementAccount } from '../../../money/settlement/settlement.ts';
import { accountId } from '../../common-fields.ts';
import type { EntryRow } from '../ledger-shapes.ts';
import { accountRowOf } from './settlement-rows.ts';
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
  await addUnknown(on.collection(SETTLEMENT_ACCOUNTS), session, [...noted.values()].map(accountRowOf));
}
