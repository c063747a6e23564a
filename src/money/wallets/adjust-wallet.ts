import { changesOf } from '../../domain/audit.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import { bookOf, vendorAccount } from '../ledger/accounts.ts';
import type { Balance } from '../ledger/decide.ts';
import { bookAdjustment, type AdjustedMoney } from './adjustment.ts';

type Needs = Pick<Context, 'ledger' | 'audit'>;

/** An adjustment by an operator. The same reference is booked once, however often it is sent. */
export type OperatorAdjustment = AdjustedMoney & { readonly reference: string };

/**
 * Books an adjustment into the wallet of a vendor or out of it, and returns its balance then. Refuses
 * `insufficient_funds` if the wallet has less, and `idempotency_key_reused` if the reference was used otherwise.
 */
export async function adjustWallet(ctx: Needs, adjustment: OperatorAdjustment): Promise<Balance> {
  const { vendorId, liveMode, currency, amount, reason, reference } = adjustment;
  const book = bookOf(liveMode, currency);
  const wallet = vendorAccount('wallet', vendorId, book);
  const changes = changesOf(null, { amount, currency, reason, reference });
  const audit = ctx.audit.draft({ action: 'wallet.adjust', objectId: vendorId, vendorId, liveMode, changes });
  const command = bookAdjustment(adjustment, `adjustment:${vendorId}:${book}:${reference}`);
  const result = await ctx.ledger.post(command, audit);
  if (result.ok) return ctx.ledger.balance(wallet);
  if (result.why === 'insufficient_funds') throw new Refusal('insufficient_funds');
  if (result.why === 'key_reused')
    throw new Refusal('idempotency_key_reused', { detail: 'The reference names another adjustment of this wallet.' });
  throw new Refusal('invalid_params', { detail: 'The balance of the wallet would exceed 2^53 minor units.' });
}
