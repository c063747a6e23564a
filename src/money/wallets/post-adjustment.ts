import type { AuditEntry } from '../../domain/audit.ts';
import type { VendorId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Amount } from '../amount.ts';
import type { AccountId, Book } from '../ledger/accounts.ts';
import type { Balance } from '../ledger/decide.ts';
import { bookAdjustment } from './adjustment.ts';

/** What an operator moves between an account and the platform. The same reference is booked once, however often it is sent. */
export type OperatorAdjustment = {
  readonly currency: string;
  /** Minor units: above 0 into the account, below 0 out of it. */
  readonly amount: Amount;
  readonly reason: string;
  readonly reference: string;
};

/** An account, its owner and its book. Only a vendor is named as the one who sees the entry. */
type Owned = {
  readonly account: AccountId;
  readonly owner: string;
  readonly vendorId: VendorId | null;
  readonly book: Book;
};

/**
 * Books the adjustment of an operator with its audit entry, and returns the balance of the account then. Refuses
 * `insufficient_funds` if the account has less, and `idempotency_key_reused` if the reference was used otherwise.
 */
export async function postAdjustment(
  { ledger }: Pick<Context, 'ledger'>,
  { account, owner, vendorId, book }: Owned,
  { amount, reason, reference }: OperatorAdjustment,
  audit: AuditEntry,
): Promise<Balance> {
  const key = `adjustment:${owner}:${book}:${reference}`;
  const entry = { key, about: owner, vendorId, book, amount, reason };
  const result = await ledger.post(bookAdjustment(account, entry), audit);
  if (result.ok) return ledger.balance(account);
  if (result.why === 'insufficient_funds')
    throw new Refusal('insufficient_funds', {
      detail: 'The account has less than is taken out of it. No money has moved.',
    });
  if (result.why === 'key_reused')
    throw new Refusal('idempotency_key_reused', { detail: 'The reference names another adjustment of this account.' });
  throw new Refusal('invalid_params', { detail: 'The balance of the account would exceed 2^53 minor units.' });
}
