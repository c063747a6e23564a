import { amountOf } from '../../money/amount.ts';
import type { Invoice } from '../../money/billing/bill.ts';
import { bookOf, type Book } from '../../money/ledger/accounts.ts';
import type { InvoiceDraft, Wallet } from '../../ports/money/billing.ts';
import type { InvoiceRow } from './invoice-shapes.ts';

/** The key of a billing account. */
export function accountId({ vendorId, book }: Pick<Wallet, 'vendorId' | 'book'>): string {
  return `${vendorId}:${book}`;
}

/** The key of an invoice. */
export function factOf({ vendorId, period }: Pick<Invoice, 'vendorId' | 'period'>, book: Book): string {
  return `${vendorId}:${book}:${period}`;
}

/** The series of a number: that of a mode and a year. */
export function seriesOf({ liveMode, issuedAt }: Pick<InvoiceDraft, 'liveMode' | 'issuedAt'>): string {
  const year = new Date(issuedAt).getUTCFullYear();
  return `${liveMode ? '' : 'TEST-'}INV-${year}`;
}

/** The row of a new invoice, which is still to be printed. */
export function rowOf({ currency, lines, sums, sha256: _none, ...invoice }: Invoice): InvoiceRow {
  const book = bookOf(invoice.liveMode, currency);
  const { amount, tax, paid, due } = sums;
  return {
    _id: factOf(invoice, book),
    ...invoice,
    book,
    lines: lines.map((line) => ({ ...line, amount: BigInt(line.amount), tax: BigInt(line.tax) })),
    sums: { amount: BigInt(amount), tax: BigInt(tax), paid: BigInt(paid), due: BigInt(due) },
    due: true,
  };
}

/** The invoice of a row. */
export function invoiceOf(stored: InvoiceRow): Invoice {
  const {
    _id,
    book,
    lines,
    sums,
    pdf: _pdf,
    sha256,
    due: _due,
    failures: _failures,
    retryAt: _retryAt,
    ...row
  } = stored;
  const { amount, tax, paid, due } = sums;
  return {
    ...row,
    sha256: sha256 ?? null,
    currency: book.slice(book.indexOf('.') + 1),
    lines: lines.map((line) => ({ ...line, amount: amountOf(line.amount), tax: amountOf(line.tax) })),
    sums: { amount: amountOf(amount), tax: amountOf(tax), paid: amountOf(paid), due: amountOf(due) },
  };
}
