/** The transactions of vendors, and the invoices of each month. */
import type { DeliveryId, InvoiceId, TopUpId, TransactionId, VendorId } from '../../domain/ids.ts';
import type { Invoice } from '../../money/billing/bill.ts';
import type { Period } from '../../money/billing/periods.ts';
import type { Book } from '../../money/ledger/accounts.ts';
import type { Printed } from '../files.ts';
import type { Direction, Transaction } from '../../money/billing/transactions.ts';
import type { EntryKind } from '../../money/ledger/entries.ts';
import type { Page, PageRequest } from '../pages.ts';

/** A vendor in one mode. */
export type Payer = { readonly vendorId: VendorId; readonly liveMode: boolean };

/** Members that are absent do not narrow the list. */
export type TransactionFilter = Payer & {
  readonly kinds: readonly EntryKind[];
  readonly book?: Book;
  readonly direction?: Direction;
  readonly about?: DeliveryId | TopUpId;
  /** Service time in ms, half-open. */
  readonly from?: number;
  readonly to?: number;
};

/** The wallet of a vendor. */
export type Wallet = Payer & { readonly book: Book };

export type TransactionStore = {
  /** Transactions, newest first. The balance of each follows from the one that is listed after it. */
  list(filter: TransactionFilter, page: PageRequest): Promise<Page<Transaction>>;
  /** Null also if vendors do not see the entry. */
  find(id: TransactionId): Promise<Transaction | null>;
  /** When the charge of each of these deliveries was booked, service time in ms. Those without one are absent. */
  chargedAt(deliveryIds: readonly DeliveryId[]): Promise<ReadonlyMap<DeliveryId, number>>;
  /** When the first transaction of these kinds was booked, service time in ms; null if there is none. */
  firstAt(kinds: readonly EntryKind[], wallet: Wallet): Promise<number | null>;
};

/** A vendor with charges in one book, and the next month to invoice. It begins where the last invoice ended. */
export type BillingAccount = Wallet & {
  readonly period: Period;
  readonly from: number;
  /** When the month is invoiced, or when the server tries again after a failure. Service time in ms. */
  readonly dueAt: number;
  /** How often the month could not be invoiced. */
  readonly failures: number;
};

/** A vendor who was charged in a book for the first time. Nobody has found out yet which month is the first one. */
export type NewAccount = Omit<BillingAccount, 'period'> & { readonly period: null };

/** An invoice without its document, and how often it could not be printed. */
export type Unprinted = { readonly invoice: Invoice; readonly failures: number };

/** An invoice or a credit note without its number, which it gets when it is issued. */
export type InvoiceDraft = Omit<Invoice, 'number' | 'sha256'>;
/** An invoice or a credit note without its lines. */
export type InvoiceHead = Omit<Invoice, 'lines'>;

/** The documents of a vendor. `isCredit` narrows them to credit notes, or to invoices. */
export type InvoiceFilter = Payer & { readonly isCredit?: boolean };

export type InvoiceStore = {
  /** Null also for a new account. */
  findAccount(payer: Payer, book: Book): Promise<BillingAccount | null>;
  /** Accounts that are due, longest due first. */
  listDue(now: number, limit: number): Promise<readonly (BillingAccount | NewAccount)[]>;
  /** Notes a failure. The account is due again at this time. It does nothing if the account has changed meanwhile. */
  putOff(account: BillingAccount | NewAccount, dueAt: number): Promise<void>;
  /**
   * Replaces the month of an account, and issues the drafts with the next numbers of their series. All of it happens or
   * nothing. It does nothing if the account has another month meanwhile.
   */
  issue(account: BillingAccount | NewAccount, next: BillingAccount, drafts: readonly InvoiceDraft[]): Promise<void>;
  /** The invoice that has the charges of an instant; null if it is not issued. */
  findCharging(payer: Payer, book: Book, at: number): Promise<Invoice | null>;
  /** Newest first. */
  list(filter: InvoiceFilter, page: PageRequest): Promise<Page<InvoiceHead>>;
  find(id: InvoiceId): Promise<Invoice | null>;
  findOfPeriod(payer: Payer, book: Book, period: Period): Promise<Invoice | null>;
  findPrinted(id: InvoiceId): Promise<Printed | null>;
  /** Invoices that are not printed and not put off. */
  listUnprinted(now: number, limit: number): Promise<readonly Unprinted[]>;
  /** Notes that an invoice could not be printed. It is tried again from `retryAt` on, service time in ms. */
  putOffPrint(unprinted: Unprinted, retryAt: number): Promise<void>;
  /** Stores a printed document, unless one is there already. */
  addPrinted(invoice: Invoice, printed: Printed): Promise<void>;
};

/** Members of the context that this file describes. */
export type BillingPorts = { readonly transactions: TransactionStore; readonly invoices: InvoiceStore };
