/** The book of the random commands, and its accounts of the platform. */
import { bookOf, platformAccount, type AccountId } from '../../../src/money/ledger/accounts.ts';
import type { Command } from '../../../src/money/ledger/decide.ts';
import type { Entry } from '../../../src/money/ledger/entries.ts';

export const BOOK = bookOf(false, 'EUR');
export const REVENUE = platformAccount('revenue', BOOK);
/** Money at gateways, money that belongs to nobody yet, payouts on their way, and revenue that is disputed. */
export const CLEARING = platformAccount('clearing', BOOK);
export const SUSPENSE = platformAccount('suspense', BOOK);
export const IN_TRANSIT = platformAccount('in_transit', BOOK);
export const RESERVE = platformAccount('reserve', BOOK);

/** An entry of the book. */
export function anEntry(key: string, kind: Entry['kind'], postings: Entry['postings']): Entry {
  return { key, kind, book: BOOK, vendorId: null, postings, about: 'order 7', reason: null };
}

/** The amount of an entry on an account; 0 for none. */
export function amountOn(account: AccountId, { postings }: Entry): number {
  return postings.find((posting) => posting.account === account)?.amount ?? 0;
}

/** The commands so far, and which of their entries are booked. */
export type Past = { readonly earlier: readonly Command[]; readonly isBooked: (key: string) => boolean };

/** The entries of the commands so far, each once, also those that are not booked. */
export function entriesOf({ earlier }: Pick<Past, 'earlier'>): Entry[] {
  const entries = earlier.flatMap((command) => ('entry' in command ? [command.entry] : []));
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()];
}

/** Those of them that are booked. */
export function bookedOf(past: Past): Entry[] {
  return entriesOf(past).filter(({ key }) => past.isBooked(key));
}
