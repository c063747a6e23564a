import { amountOf } from '../../money/amount.ts';
import type { Invoice } from '../../money/billing/bill.ts';
import { bookOf, currencyOf, type Book } from '../../money/ledger/accounts.ts';
import type { InvoiceDraft, InvoiceHead } from '../../ports/money/billing.ts';
import { accountId } from '../common-fields.ts';
import type { InvoiceRow } from './invoice-shapes.ts';

/** The key of an invoice or a credit note. */
export function factOf(
  { vendorId, period, credits }: Pick<Invoice, 'vendorId' | 'period' | 'credits'>,
  book: Book,
): string {
  const month = `${accountId({ vendorId, book })}:${period}`;
  return credits === null ? month : `${month}:${credits.id}`;
}

/** The series of a number: that of a mode, a kind of document and a year. */
export function seriesOf({ liveMode, issuedAt, credits }: InvoiceDraft): string {
  const year = new Date(issuedAt).getUTCFullYear();
  return `${liveMode ? '' : 'TEST-'}${credits === null ? 'INV' : 'CRN'}-${year}`;
}

/** The row of a new invoice or credit note, which is still to be printed. */
export function rowOf({ currency, lines, sums, sha256: _none, credits, ...invoice }: Invoice): InvoiceRow {
  const book = bookOf(invoice.liveMode, currency);
  const { amount, tax, paid, due } = sums;
  return {
    _id: factOf({ ...invoice, credits }, book),
    ...invoice,
    ...(credits === null ? {} : { credits }),
    book,
    lines: lines.map((line) => ({ ...line, amount: BigInt(line.amount), tax: BigInt(line.tax) })),
    sums: { amount: BigInt(amount), tax: BigInt(tax), paid: BigInt(paid), due: BigInt(due) },
    due: true,
  };
}

/** The invoice or credit note of a row. */
export function invoiceOf({ lines, ...row }: InvoiceRow): Invoice {
  const exact = lines.map((line) => ({ ...line, amount: amountOf(line.amount), tax: amountOf(line.tax) }));
  return { ...headOf(row), lines: exact };
}

/** The same without its lines. */
export function headOf(found: Omit<InvoiceRow, 'lines'>): InvoiceHead {
  const {
    _id,
    book,
    sums,
    pdf: _pdf,
    sha256,
    due: _due,
    failures: _failures,
    retryAt: _retryAt,
    credits,
    ...row
  } = found;
  const { amount, tax, paid, due } = sums;
  return {
    ...row,
    sha256: sha256 ?? null,
    credits: credits ?? null,
    currency: currencyOf(book),
    sums: { amount: amountOf(amount), tax: amountOf(tax), paid: amountOf(paid), due: amountOf(due) },
  };
}
