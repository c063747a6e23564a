import type { CourierId, TransactionId } from '../../domain/ids.ts';
import type { Amount } from '../../money/amount.ts';
import type { Book } from '../../money/ledger/accounts.ts';
import type { EarningKind } from '../../money/ledger/entries.ts';
import type { Page, PageRequest } from '../pages.ts';

/** An entry of the ledger as it changed the earnings of a courier. Times are service time in ms. */
export type Earning = {
  readonly id: TransactionId;
  readonly kind: EarningKind;
  readonly book: Book;
  /** Below 0 if it was paid out. */
  readonly amount: Amount;
  /** The part of it that is a tip. */
  readonly tip: Amount;
  /** The earnings after it. */
  readonly balance: Amount;
  /** The id of the object that it is about. */
  readonly about: string;
  /** The reason that a person gave; null for none. */
  readonly reason: string | null;
  readonly at: number;
};

/** The earnings of a courier in a book that were not paid out. */
export type Earnings = { readonly courierId: CourierId; readonly book: Book; readonly amount: Amount };

/** Reads the earnings of couriers. */
export type EarningStore = {
  /** Newest first. The span is half-open. */
  list(
    courierId: CourierId,
    span: { readonly from: number; readonly to: number } | null,
    page: PageRequest,
  ): Promise<Page<Earning>>;
  /** The balance of each book of the courier, those at zero included. A courier has few currencies. */
  balances(courierId: CourierId): Promise<readonly Pick<Earnings, 'book' | 'amount'>[]>;
  /** The earnings of a mode that are at least this amount, in the order of couriers and books, those after others. */
  listAtLeast(
    of: { readonly liveMode: boolean; readonly amount: number; readonly after: Earnings | null },
    limit: number,
  ): Promise<readonly Earnings[]>;
};

export type EarningPorts = { readonly earnings: EarningStore };
