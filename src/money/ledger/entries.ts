import assert from 'node:assert';
import type { CHARGE_TYPES } from '../../domain/pricing/funds.ts';
import type { VendorId } from '../../domain/ids.ts';
import { amountOf, type Amount } from '../amount.ts';
import { kindOfAccount, type AccountId, type AccountKind, type Book } from './accounts.ts';

/** The kinds of entries, with the kinds of accounts that each may post to. */
// One row per line: this is a table.
// oxfmt-ignore
const ENTRY_KINDS = {
  charge:     ['wallet', 'receivable', 'promotion', 'revenue', 'tax', 'delivery_cost', 'earnings'],
  platform_charge: ['promotion', 'revenue', 'delivery_cost', 'earnings'],
  repayment:  ['wallet', 'receivable'],
  refund:     ['wallet', 'revenue', 'reserve', 'tax'],
  dispute:     ['revenue', 'reserve'],
  dispute_end: ['revenue', 'reserve'],
  order_value:   ['payable', 'clearing'],
  settlement:    ['payable', 'wallet'],
  payout:        ['earnings', 'in_transit'],
  payout_paid:   ['in_transit', 'clearing'],
  payout_return: ['in_transit', 'clearing', 'earnings'],
  adjustment: ['wallet', 'earnings', 'adjustment'],
  top_up:     ['wallet', 'clearing'],
  top_up_refund:        ['wallet', 'in_transit'],
  top_up_refund_paid:   ['in_transit', 'clearing'],
  top_up_refund_return: ['in_transit', 'clearing', 'wallet'],
  chargeback:        ['receivable', 'clearing'],
  chargeback_return: ['clearing', 'wallet'],
  gateway_fee: ['processing_cost', 'clearing'],
  suspense:   ['clearing', 'suspense'],
  suspense_credit: ['suspense', 'wallet'],
  suspense_return: ['suspense', 'clearing'],
} as const satisfies Record<string, readonly AccountKind[]>;

export type EntryKind = keyof typeof ENTRY_KINDS;
/** The kinds of entries that move the earnings of a courier. */
export type EarningKind = {
  [K in EntryKind]: 'earnings' extends (typeof ENTRY_KINDS)[K][number] ? K : never;
}[EntryKind];
export const ENTRY_KIND_NAMES = Object.keys(ENTRY_KINDS) as EntryKind[];

/** A signed amount on an account. */
export type Posting = { readonly account: AccountId; readonly amount: Amount };

/** A part of what a vendor is charged, minor units. `tax` is the part of `amount` that is tax. Both are below 0 in a refund. */
export type EntryLine = {
  readonly type: (typeof CHARGE_TYPES)[number];
  readonly amount: Amount;
  readonly tax: Amount;
};

/** One business fact that moves money. It never changes. */
export type Entry = {
  /** The fact that it books. The ledger stores one entry of it for ever, however often it is posted. */
  readonly key: string;
  readonly kind: EntryKind;
  readonly book: Book;
  /** The vendor who sees it; null for none. */
  readonly vendorId: VendorId | null;
  /** Two to twelve, whose amounts sum to zero. */
  readonly postings: readonly Posting[];
  /** What the vendor is charged for, or gets back. Their sum is what the wallet and the receivable pay. Absent for none. */
  readonly lines?: readonly EntryLine[];
  /** The id of the object that it is about. */
  readonly about: string;
  /** The reason that a person gave; null for none. */
  readonly reason: string | null;
};

const MOST_POSTINGS = 12;

/** The two postings that move an amount. A negative amount moves it the other way. */
export function move(amount: Amount, from: AccountId, to: AccountId): Posting[] {
  return [
    { account: from, amount: amountOf(0 - amount) },
    { account: to, amount },
  ];
}

/**
 * Asserts that an entry moves money within one book, between accounts of its kind, that nothing is made or lost, and
 * that its lines say what the vendor pays.
 */
export function assertSound({ kind, book, postings, lines }: Entry): void {
  const allowed: readonly AccountKind[] = ENTRY_KINDS[kind];
  assert(postings.length >= 2 && postings.length <= MOST_POSTINGS, 'an entry has two to twelve postings');
  assert(postings.reduce((sum, { amount }) => sum + BigInt(amount), 0n) === 0n, 'the postings sum to zero');
  for (const { account, amount } of postings) {
    assert(Number.isSafeInteger(amount) && amount !== 0, 'a posting moves an amount');
    assert(account.endsWith(`:${book}`), 'the postings are of one book');
    assert(allowed.includes(kindOfAccount(account)), 'the kind of the entry allows its accounts');
  }
  assert(new Set(postings.map(({ account }) => account)).size === postings.length, 'an account has one posting');
  if (lines === undefined) return;
  const paid = postings.filter(({ account }) => isOfVendor(account)).reduce((sum, { amount }) => sum - amount, 0);
  assert(lines.reduce((sum, { amount }) => sum + amount, 0) === paid, 'the lines sum to what the vendor pays');
  assert(
    lines.every(({ amount, tax }) => (amount < 0 ? tax <= 0 && tax >= amount : tax >= 0 && tax <= amount)),
    'tax is a part of a line',
  );
}

function isOfVendor(account: AccountId): boolean {
  return ['wallet', 'receivable'].includes(kindOfAccount(account));
}
