import type { VendorId } from '../../domain/ids.ts';
import type { Mongo } from '../../engines/mongo.ts';
import type { AccountId } from '../../money/ledger/accounts.ts';
import type { Ledger } from '../../ports/ledger.ts';
import { ACCOUNTS, HOLDS } from './ledger-shapes.ts';

/** Entries that are added to the chain at a time. */
const BATCH = 500;

/**
 * Gives back all money that is reserved in the wallets of a vendor, since its deliveries will be gone. Entries and wallets
 * stay, as in every ledger.
 */
export async function voidHolds(on: Mongo, ledger: Ledger, vendorId: VendorId): Promise<void> {
  // The chain notes who is charged, and nobody may be invoiced who is gone.
  while ((await ledger.seal(BATCH)) > 0);
  const wallets = { $gte: `wallet:${vendorId}:` as AccountId, $lt: `wallet:${vendorId};` as AccountId };
  const accounts = await on
    .collection(ACCOUNTS)
    .find({ _id: wallets }, { projection: { _id: 1 } })
    .toArray();
  const open = { state: 'open', account: { $in: accounts.map(({ _id }) => _id) } } as const;
  for await (const { _id: holdKey, account } of on
    .collection(HOLDS)
    .find(open, { projection: { _id: 1, account: 1 } })) {
    const result = await ledger.post({ do: 'void', holdKey, account }, null);
    // Another process has ended the delivery in the meantime.
    if (!result.ok && result.why !== 'hold_not_open') throw new Error(`a hold cannot be given back: ${result.why}`);
  }
}
