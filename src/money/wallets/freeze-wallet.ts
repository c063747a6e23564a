import { changesOf } from '../../domain/audit.ts';
import type { VendorId } from '../../domain/ids.ts';
import type { Context } from '../../ports/context.ts';
import { bookOf, vendorAccount } from '../ledger/accounts.ts';
import type { Balance } from '../ledger/decide.ts';

type Needs = Pick<Context, 'adjustments' | 'audit' | 'ledger'>;

/** A wallet to be frozen, or to accept holds again, and why. */
export type Freeze = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly currency: string;
  readonly isFrozen: boolean;
  readonly reason: string;
};

/**
 * Freezes the wallet of a vendor, or lets it accept holds again, and returns its balance then. A frozen wallet refuses
 * new holds. Open deliveries go on and are charged. A wallet that already is as asked stays so. Refuses `busy` if the
 * vendor has left the currency.
 */
export async function freezeWallet(ctx: Needs, freeze: Freeze): Promise<Balance> {
  const { vendorId, liveMode, currency, isFrozen, reason } = freeze;
  const account = vendorAccount('wallet', vendorId, bookOf(liveMode, currency));
  const changes = changesOf(null, { frozen: isFrozen, currency, reason });
  const audit = ctx.audit.draft({ action: 'wallet.freeze', objectId: vendorId, vendorId, liveMode, changes });
  await ctx.adjustments.post(freeze, { do: 'freeze', account, isFrozen }, audit);
  return ctx.ledger.balance(account);
}
