import type { mongo } from 'mongoose';
import { isDuplicateKey, type Mongo } from '../../engines/mongo.ts';
import { pageOf, rowsAfter } from '../../engines/pages.ts';
import { transact } from '../../engines/transact.ts';
import type { Invoice } from '../../money/billing/bill.ts';
import { bookOf } from '../../money/ledger/accounts.ts';
import type {
  BillingAccount,
  InvoiceDraft,
  InvoiceFilter,
  InvoiceHead,
  InvoiceStore,
  NewAccount,
} from '../../ports/money/billing.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import type { Clock } from '../../ports/process.ts';
import { EXACT } from '../../engines/shapes/fields.ts';
import { accountId } from '../common-fields.ts';
import { factOf, headOf, invoiceOf, rowOf, seriesOf } from './invoice-rows.ts';
import {
  BILLING_ACCOUNTS,
  BY_PAYER,
  INVOICES,
  NOTES,
  SERIES,
  type BillingAccountRow,
  type InvoiceRow,
  type PdfBytes,
} from './invoice-shapes.ts';

/** Reads leave the printed document out. */
const UNPRINTED = { projection: { pdf: 0 }, ...EXACT } as const;
const HEADS = { projection: { pdf: 0, lines: 0 }, ...EXACT } as const;
const NEWEST_FIRST = { issuedAt: -1, id: -1 } as const;

/** Stores the invoices of each month, and which month of an account is next. */
export function createInvoiceStore(mongo: Mongo, clock: Clock): InvoiceStore {
  const [rows, accounts] = [mongo.collection(INVOICES), mongo.collection(BILLING_ACCOUNTS)];
  const read = async (found: Promise<InvoiceRow | null>): Promise<Invoice | null> => {
    const row = await found;
    return row === null ? null : invoiceOf(row);
  };
  return {
    findAccount: async ({ vendorId }, book) => {
      const row = await accounts.findOne({ _id: accountId({ vendorId, book }) });
      const account = row === null ? null : accountOf(row);
      return account === null || account.period === null ? null : account;
    },
    listDue: async (now, limit) => {
      const due = accounts.find({ dueAt: { $lte: now } });
      return (await due.sort({ dueAt: 1 }).limit(limit).toArray()).map(accountOf);
    },
    putOff: async (account, dueAt) => {
      const same = { _id: accountId(account), period: account.period };
      await accounts.updateOne(same, { $set: { dueAt, failures: account.failures + 1 } });
    },
    issue: (account, next, drafts) => issue(mongo, clock, { account, next, drafts }),
    find: (id) => read(rows.findOne({ id }, UNPRINTED)),
    findOfPeriod: ({ vendorId }, book, period) =>
      read(rows.findOne({ _id: factOf({ vendorId, period, credits: null }, book) }, UNPRINTED)),
    findCharging: ({ vendorId, liveMode }, book, at) => {
      // It was issued after the charge, and hardly another one in between.
      const charging = { book, from: { $lte: at }, to: { $gt: at }, credits: { $exists: false } };
      const after = { vendorId, liveMode, issuedAt: { $gt: at }, ...charging };
      return read(rows.findOne(after, { ...UNPRINTED, sort: { issuedAt: 1, id: 1 }, hint: BY_PAYER }));
    },
    list: (filter, page) => list(rows, filter, page),
    findPrinted: async (id) => {
      const row = await rows.findOne({ id }, { projection: { pdf: 1, sha256: 1 } });
      if (row?.pdf === undefined || row.sha256 === undefined) return null;
      return { pdf: bytesOf(row.pdf), sha256: row.sha256 };
    },
    listUnprinted: async (now, limit) => {
      const due = rows.find({ due: true, retryAt: { $not: { $gt: now } } }, UNPRINTED);
      const found = await due.sort({ _id: 1 }).limit(limit).toArray();
      return found.map((row) => ({ invoice: invoiceOf(row), failures: row.failures ?? 0 }));
    },
    putOffPrint: async ({ invoice, failures }, retryAt) => {
      const same = { _id: factOf(invoice, bookOf(invoice.liveMode, invoice.currency)), due: true };
      await rows.updateOne(same, { $set: { failures: failures + 1, retryAt } });
    },
    addPrinted: async (invoice, { pdf, sha256 }) => {
      const printed = { pdf, sha256 };
      await rows.updateOne(
        { _id: factOf(invoice, bookOf(invoice.liveMode, invoice.currency)), due: true },
        { $set: printed, $unset: { due: '', failures: '', retryAt: '' } },
      );
    },
  };
}

function bytesOf(pdf: PdfBytes): Uint8Array {
  return pdf instanceof Uint8Array ? pdf : pdf.buffer;
}

function accountOf({ _id, failures = 0, period, ...account }: BillingAccountRow): BillingAccount | NewAccount {
  return period === null ? { ...account, failures, period } : { ...account, failures, period };
}

/** A page of the documents without their lines. */
async function list(
  rows: mongo.Collection<InvoiceRow>,
  { vendorId, liveMode, isCredit }: InvoiceFilter,
  { limit, after }: PageRequest,
): Promise<Page<InvoiceHead>> {
  const wanted = isCredit === undefined ? {} : { credits: { $exists: isCredit } };
  const found = await rows
    .find(
      { vendorId, liveMode, ...wanted, ...rowsAfter(after, NEWEST_FIRST) },
      { ...HEADS, hint: isCredit === true ? NOTES : BY_PAYER },
    )
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .toArray();
  return pageOf(found.map(headOf), limit, ({ issuedAt, id }) => ({ at: issuedAt, id }));
}

type Issue = {
  readonly account: BillingAccount | NewAccount;
  readonly next: BillingAccount;
  readonly drafts: readonly InvoiceDraft[];
};

/** The update of the account is the guard: it finds nothing if another process has issued the month. */
async function issue(mongo: Mongo, clock: Clock, { account, next, drafts }: Issue): Promise<void> {
  const { period, from, dueAt } = next;
  try {
    await transact(mongo, clock, async (session) => {
      const guard = { _id: accountId(account), period: account.period };
      const sets = { $set: { period, from, dueAt }, $unset: { failures: '' as const } };
      const { matchedCount } = await mongo.collection(BILLING_ACCOUNTS).updateOne(guard, sets, { session });
      if (matchedCount === 0) return;
      for (const draft of drafts) await addNumbered(mongo, session, draft);
    });
  } catch (error) {
    // Two processes began the same series at once. The turn after this one issues the month.
    if (!isDuplicateKey(error)) throw error;
  }
}

/** The number rises in the same transaction, so a series has no gaps. */
async function addNumbered(mongo: Mongo, session: mongo.ClientSession, draft: InvoiceDraft): Promise<void> {
  const _id = seriesOf(draft);
  const after = { session, upsert: true, returnDocument: 'after' } as const;
  const series = await mongo.collection(SERIES).findOneAndUpdate({ _id }, { $inc: { last: 1 } }, after);
  const number = `${_id}-${String(series?.last).padStart(6, '0')}`;
  await mongo.collection(INVOICES).insertOne(rowOf({ ...draft, number, sha256: null }), { session });
}
