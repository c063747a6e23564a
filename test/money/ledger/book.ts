/** The book of the random commands, and its accounts of the platform. */
import { bookOf, platformAccount } from '../../../src/money/ledger/accounts.ts';
import type { Entry } from '../../../src/money/ledger/entries.ts';

export const BOOK = bookOf(false, 'EUR');
export const REVENUE = platformAccount('revenue', BOOK);
/** Money at gateways, money that belongs to nobody yet, and payouts on their way. */
export const CLEARING = platformAccount('clearing', BOOK);
export const SUSPENSE = platformAccount('suspense', BOOK);
export const IN_TRANSIT = platformAccount('in_transit', BOOK);

/** An entry of the book. */
export function anEntry(key: string, kind: Entry['kind'], postings: Entry['postings']): Entry {
  return { key, kind, book: BOOK, vendorId: null, postings, about: 'order 7', reason: null };
}
