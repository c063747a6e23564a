import type { Vendor } from '../src/domain/vendors/vendor.ts';
import { amountOf } from '../src/money/amount.ts';
import { bookOf, platformAccount, vendorAccount } from '../src/money/ledger/accounts.ts';
import { move } from '../src/money/ledger/entries.ts';
import type { Context } from '../src/ports/context.ts';

/** Far more than the deliveries of a test cost, minor units. */
const FUNDS = amountOf(1_000_000_000);

/** Fills both wallets of a vendor, that of test mode and that of live mode. The audit log does not have it. */
export async function fillWallets(
  { ledger }: Pick<Context, 'ledger'>,
  { id, currency }: Pick<Vendor, 'id' | 'currency'>,
): Promise<void> {
  const fill = async (liveMode: boolean): Promise<void> => {
    const book = bookOf(liveMode, currency);
    const postings = move(FUNDS, platformAccount('adjustment', book), vendorAccount('wallet', id, book));
    const about = { vendorId: id, about: id, reason: null };
    const entry = { key: `funds:${id}:${book}`, kind: 'adjustment', book, postings, ...about } as const;
    const result = await ledger.post({ do: 'post', entry }, null);
    if (!result.ok) throw new Error(`the wallet was not filled: ${result.why}`);
  };
  await Promise.all([fill(false), fill(true)]);
}
