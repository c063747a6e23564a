import { changesOf } from '../../domain/audit.ts';
import type { VendorId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import { bookOf, vendorAccount } from '../ledger/accounts.ts';
import type { Balance } from '../ledger/decide.ts';
import { postAdjustment, type OperatorAdjustment, type Post } from './post-adjustment.ts';

type Needs = Pick<Context, 'adjustments' | 'audit' | 'ledger'>;
type WalletAdjustment = OperatorAdjustment & { readonly vendorId: VendorId; readonly liveMode: boolean };

/**
 * Books an adjustment into the wallet of a vendor or out of it, and returns its balance then. Refuses `busy` if the
 * vendor has left the currency, and as `postAdjustment` does.
 */
export async function adjustWallet(
  ctx: Needs,
  { vendorId, liveMode, ...adjustment }: WalletAdjustment,
): Promise<Balance> {
  const { currency, amount, reason, reference } = adjustment;
  const book = bookOf(liveMode, currency);
  const account = vendorAccount('wallet', vendorId, book);
  const changes = changesOf(null, { amount, currency, reason, reference });
  const audit = ctx.audit.draft({ action: 'wallet.adjust', objectId: vendorId, vendorId, liveMode, changes });
  const post: Post = (command) => ctx.adjustments.post({ vendorId, currency }, command, audit);
  await postAdjustment(post, { account, owner: vendorId, vendorId, book }, adjustment);
  return ctx.ledger.balance(account);
}
