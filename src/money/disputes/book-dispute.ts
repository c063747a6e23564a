import { amountOf } from '../amount.ts';
import { bookOf, platformAccount } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import { move, type EntryKind } from '../ledger/entries.ts';
import type { Dispute } from './dispute.ts';

type Booked = Pick<Dispute, 'id' | 'vendorId' | 'liveMode' | 'currency' | 'amount'>;

/** Takes the disputed amount out of the revenue. */
export function reserveDisputed(dispute: Booked): Command {
  return post(dispute, 'dispute', dispute.amount);
}

/**
 * Gives the disputed amount back to the revenue, without the part that a refund takes from the reserve. Empty if nothing
 * is left of it.
 */
export function releaseDisputed(dispute: Booked, taken = 0): Command[] {
  return dispute.amount === taken ? [] : [post(dispute, 'dispute_end', taken - dispute.amount)];
}

/** Moves an amount from the revenue to the reserve; a negative one the other way. Each kind is booked once. */
function post({ id, vendorId, liveMode, currency }: Booked, kind: EntryKind, amount: number): Command {
  const book = bookOf(liveMode, currency);
  const postings = move(amountOf(amount), platformAccount('revenue', book), platformAccount('reserve', book));
  return { do: 'post', entry: { key: `${kind}:${id}`, kind, book, vendorId, postings, about: id, reason: null } };
}
