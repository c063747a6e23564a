import type { DeliveryId, TransactionId, VendorId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import type { Book } from '../ledger/accounts.ts';
import { ENTRY_KIND_NAMES, type EntryKind, type EntryLine } from '../ledger/entries.ts';

/** A debit takes money out of the wallet or adds to the debt of the vendor. A credit does the opposite. */
export const DIRECTIONS = ['debit', 'credit'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** What entries of each kind are to the vendor who sees them; null if vendors do not see the kind. */
// One row per line: this is a table.
// oxfmt-ignore
const VENDOR_SEES: Readonly<Record<EntryKind, Direction | 'either' | null>> = {
  charge:     'debit',
  platform_charge: null,
  repayment:  'debit',
  refund:     'credit',
  adjustment: 'either',
  top_up:     'credit',
  top_up_refund:        'debit',
  top_up_refund_paid:   null,
  top_up_refund_return: 'credit',
  chargeback:        'debit',
  chargeback_return: 'credit',
  gateway_fee: null,
  suspense:   null,
  suspense_credit: 'credit',
  suspense_return: null,
  dispute:     null,
  dispute_end: null,
  order_value:   null,
  settlement:    'credit',
  payout:        null,
  payout_paid:   null,
  payout_return: null,
};

/** The kinds that vendors see. */
export const TRANSACTION_KINDS: readonly EntryKind[] = ENTRY_KIND_NAMES.filter((kind) => VENDOR_SEES[kind] !== null);

/** The kinds whose lines stand on invoices and credit notes. */
export const BILLED_KINDS: readonly EntryKind[] = ['charge', 'refund'];

/** The kinds that may have this direction. */
export function kindsOf(direction: Direction): EntryKind[] {
  return TRANSACTION_KINDS.filter((kind) => [direction, 'either'].includes(VENDOR_SEES[kind] ?? ''));
}

/** An entry of the ledger as its vendor sees it. Amounts are minor units. */
export type Transaction = {
  readonly id: TransactionId;
  readonly kind: EntryKind;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly book: Book;
  /** Null if it is not about a delivery. */
  readonly deliveryId: DeliveryId | null;
  /** What the wallet got; below 0 if it paid. */
  readonly wallet: Amount;
  /** What was added to the debt of the vendor; below 0 if it was paid back. */
  readonly owed: Amount;
  /** The money in the wallet after it; null if it did not change the wallet. */
  readonly balance: Amount | null;
  /** What was charged. Their sum is what left the wallet and what was added to the debt. */
  readonly lines: readonly EntryLine[];
  readonly reason: string | null;
  /** Service time in ms. */
  readonly at: number;
};

/** The direction of a transaction. */
export function directionOf({ wallet, owed }: Pick<Transaction, 'wallet' | 'owed'>): Direction {
  return wallet < 0 || (wallet === 0 && owed > 0) ? 'debit' : 'credit';
}
