import { changesOf } from '../../domain/audit.ts';
import type { VendorId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Amount } from '../amount.ts';
import { bookOf, platformAccount, vendorAccount } from '../ledger/accounts.ts';
import type { Balance } from '../ledger/decide.ts';
import { move } from '../ledger/entries.ts';

type Needs = Pick<Context, 'ledger' | 'audit'>;

/** What staff book by hand. `reference` names the adjustment: the same one is booked once, however often it is sent. */
export type Adjustment = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly currency: string;
  /** Above 0 into the wallet, below 0 out of it. */
  readonly amount: Amount;
  readonly reason: string;
  readonly reference: string;
};

/**
 * Books an adjustment into the wallet of a vendor or out of it, and returns its balance then. Refuses
 * `insufficient_funds` if the wallet has less, and `idempotency_key_reused` if the reference was used otherwise.
 */
export async function adjustWallet(ctx: Needs, adjustment: Adjustment): Promise<Balance> {
  const { vendorId, liveMode, currency, amount, reason, reference } = adjustment;
  const book = bookOf(liveMode, currency);
  const wallet = vendorAccount('wallet', vendorId, book);
  const changes = changesOf(null, { amount, currency, reason, reference });
  const audit = ctx.audit.draft({ action: 'wallet.adjust', objectId: vendorId, vendorId, liveMode, changes });
  const postings = move(amount, platformAccount('adjustment', book), wallet);
  const key = `adjustment:${vendorId}:${book}:${reference}`;
  const fact = { key, kind: 'adjustment', book, vendorId, postings, about: vendorId, reason } as const;
  const result = await ctx.ledger.post({ do: 'post', entry: fact }, audit);
  if (result.ok) return ctx.ledger.balance(wallet);
  if (result.why === 'insufficient_funds') throw new Refusal('insufficient_funds');
  if (result.why === 'key_reused')
    throw new Refusal('idempotency_key_reused', { detail: 'The reference names another adjustment of this wallet.' });
  throw new Refusal('invalid_params', { detail: 'The balance of the wallet would exceed 2^53 minor units.' });
}
