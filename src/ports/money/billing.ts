/** The transactions of vendors. */
import type { DeliveryId, TransactionId, VendorId } from '../../domain/ids.ts';
import type { Direction, Transaction } from '../../money/billing/transactions.ts';
import type { EntryKind } from '../../money/ledger/entries.ts';
import type { Page, PageRequest } from '../pages.ts';

/** A vendor in one mode. */
export type Payer = { readonly vendorId: VendorId; readonly liveMode: boolean };

/** Members that are absent do not narrow the list. */
export type TransactionFilter = Payer & {
  readonly kinds: readonly EntryKind[];
  readonly direction?: Direction;
  readonly deliveryId?: DeliveryId;
  /** Service time in ms, half-open. */
  readonly from?: number;
  readonly to?: number;
};

export type TransactionStore = {
  /** Transactions, newest first. The balance of each follows from the one that is listed after it. */
  list(filter: TransactionFilter, page: PageRequest): Promise<Page<Transaction>>;
  /** Null also if vendors do not see the entry. */
  find(id: TransactionId): Promise<Transaction | null>;
};

/** Members of the context that this file describes. */
export type BillingPorts = { readonly transactions: TransactionStore };
