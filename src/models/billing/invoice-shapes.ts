import type { mongo } from 'mongoose';
import type { VendorId } from '../../domain/ids.ts';
import {
  bytes,
  flag,
  id,
  list,
  maybe,
  number,
  omissible,
  part,
  text,
  whole64,
  word,
  type Field,
} from '../../engines/shapes/fields.ts';
import { shape } from '../../engines/shapes/shape.ts';
import type { BillLine, BillParty, BillSums, CreditedInvoice, Invoice } from '../../money/billing/bill.ts';
import type { Book } from '../../money/ledger/accounts.ts';
import { OWNED, type Exact } from '../common-fields.ts';

export type LineRow = Exact<BillLine, 'amount' | 'tax'>;
export type SumsRow = Exact<BillSums, keyof BillSums>;

/** The driver reads bytes as a `Binary`. */
export type PdfBytes = mongo.Binary | Uint8Array;

/**
 * An invoice or a credit note. `_id` is the vendor, the book and the month; for a credit note also the invoice that it
 * corrects. It is `due` until it is printed.
 */
export type InvoiceRow = Omit<Invoice, 'currency' | 'lines' | 'sums' | 'sha256' | 'credits'> & {
  readonly _id: string;
  readonly book: Book;
  readonly credits?: CreditedInvoice;
  readonly lines: readonly LineRow[];
  readonly sums: SumsRow;
  readonly pdf?: PdfBytes;
  readonly sha256?: string;
  readonly due?: boolean;
  readonly failures?: number;
  readonly retryAt?: number;
};

/**
 * The next month of an account that will be invoiced. `_id` is the vendor and the book. The period is null from the first
 * charge on until the server has found out in which month that was.
 */
export type BillingAccountRow = {
  readonly _id: string;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly book: Book;
  readonly period: string | null;
  readonly from: number;
  readonly dueAt: number;
  readonly failures?: number;
};

/** The last number of a series. */
export type SeriesRow = { readonly _id: string; readonly last: number };

const BOOK = 'The mode and the currency.';

const party = (note: string): Field<BillParty> =>
  part<BillParty>(
    {
      name: text('The registered name, or the name that people know.'),
      taxId: maybe(text('The tax number; null for none.')),
      address: list(text('A line.'), 'The lines of the address.'),
    },
    note,
  );

/** The index of the documents of a vendor, newest first. */
export const BY_PAYER = { vendorId: 1, liveMode: 1, issuedAt: -1, id: -1 } as const;

/** The index of the credit notes alone. A vendor has few of them among its invoices. */
export const NOTES = { liveMode: 1, vendorId: 1, issuedAt: -1, id: -1 } as const;

export const INVOICES = shape<InvoiceRow>({
  name: 'invoices',
  holds: 'The invoice of one month, or a credit note. It never changes, except that it is printed.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: { ...OWNED, keys: ['_id', 'id'] },
  indexes: [
    { key: { id: 1 } },
    { key: { due: 1, _id: 1 }, partialFilterExpression: { due: true } },
    { key: BY_PAYER },
    { key: NOTES, partialFilterExpression: { credits: { $exists: true } } },
  ],
  fields: {
    _id: text(
      'The vendor, the book and the month, and for a credit note the invoice that it corrects. No month is invoiced twice.',
    ),
    id: id('inv', 'The id of the invoice or credit note.'),
    number: text('Its number, without gaps in its series.'),
    credits: omissible(
      part<CreditedInvoice>(
        { id: id('inv', 'The invoice.'), number: text('Its number.') },
        'The invoice that a credit note corrects. An invoice has none.',
      ),
    ),
    vendorId: id('ven', 'The vendor who was charged.'),
    liveMode: flag('The mode of its book.'),
    book: word(BOOK),
    period: text('The month, YYYY-MM.'),
    zone: text('IANA time zone of the month.'),
    from: number('When the month began, service time in ms.'),
    to: number('When the month ended, service time in ms.'),
    issuedAt: number('When it was issued, service time in ms.'),
    seller: party('The seller as of that time.'),
    buyer: party('The vendor as of that time.'),
    lines: list(
      part<LineRow>(
        {
          date: text('The local date, YYYY-MM-DD.'),
          type: word('The purpose of the amount.'),
          deliveryId: maybe(id('del', 'The delivery; null for a sum of several.')),
          count: number('The charges of which the line is the sum.'),
          amount: whole64('The amount with tax, minor units.'),
          tax: whole64('The tax in it, minor units.'),
        },
        'One line.',
      ),
      'The charges and refunds, oldest first.',
    ),
    sums: part<SumsRow>(
      {
        amount: whole64('The sum of the lines, minor units.'),
        tax: whole64('The tax in it, minor units.'),
        paid: whole64('The part that the wallet paid, minor units.'),
        due: whole64('The part that was added to what the vendor owes, minor units.'),
      },
      'The totals.',
    ),
    pdf: omissible(bytes<PdfBytes>('The printed document. It is absent until it is printed.')),
    sha256: omissible(text('SHA-256 of the printed document, hexadecimal.')),
    due: omissible(flag('True until it is printed.')),
    failures: omissible(number('How often it could not be printed. Absent for never, and once it is printed.')),
    retryAt: omissible(number('When it is tried again, service time in ms. Absent for at once.')),
  },
});

export const BILLING_ACCOUNTS = shape<BillingAccountRow>({
  name: 'billing_accounts',
  holds: 'A vendor with charges in one book, and its next month to invoice.',
  kept: 'Always.',
  shardKey: { _id: 'hashed' },
  tenant: OWNED,
  indexes: [{ key: { dueAt: 1 } }],
  fields: {
    _id: text('The vendor and the book.'),
    vendorId: id('ven', 'The vendor.'),
    liveMode: flag('The mode of its book.'),
    book: word(BOOK),
    period: maybe(text('The month, YYYY-MM; null for an account whose first charge was noted just now.')),
    from: number('From when charges belong to the month, service time in ms.'),
    dueAt: number('When the month is invoiced or the server tries again after a failure, service time in ms.'),
    failures: omissible(number('How often the month could not be invoiced. Absent for never.')),
  },
});

export const SERIES = shape<SeriesRow>({
  name: 'invoice_series',
  holds: 'The last number of a series of invoices or credit notes: of a mode and a year.',
  kept: 'Always.',
  shardKey: null,
  indexes: [],
  fields: { _id: text('The beginning of the numbers.'), last: number('The last number that was issued.') },
});
