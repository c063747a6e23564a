import type { VendorId } from '../../domain/ids.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import type { Amount } from '../amount.ts';
import type { AccountId, Book } from '../ledger/accounts.ts';
import type { Command, LedgerResult } from '../ledger/decide.ts';
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

/** Carries out a command with its audit entry. */
export type Post = (command: Command) => Promise<LedgerResult>;

/**
 * Books the adjustment of an operator. Refuses `insufficient_funds` if the account has less, and `idempotency_key_reused` if the reference was used otherwise.
 */
export async function postAdjustment(
  post: Post,
  { account, owner, vendorId, book }: Owned,
  { amount, reason, reference }: OperatorAdjustment,
): Promise<void> {
  const key = `adjustment:${owner}:${book}:${reference}`;
  const entry = { key, about: owner, vendorId, book, amount, reason };
  const result = await post(bookAdjustment(account, entry));
  if (result.ok) return;
  if (result.why === 'insufficient_funds')
    throw new Refusal('insufficient_funds', {
      detail: 'The account has less than is taken out of it. No money has moved.',
    });
  if (result.why === 'key_reused')
    throw new Refusal('idempotency_key_reused', { detail: 'The reference names another adjustment of this account.' });
  throw new Refusal('invalid_params', { detail: 'The balance of the account would exceed 2^53 minor units.' });
}
