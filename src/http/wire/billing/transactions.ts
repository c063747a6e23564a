import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { DIRECTIONS, directionOf, TRANSACTION_KINDS, type Transaction } from '../../../money/billing/transactions.ts';
import { currencyOf } from '../../../money/ledger/accounts.ts';
import { CHARGE_TYPES } from '../../../domain/pricing/funds.ts';
import type { Table } from '../../csv.ts';
import { pageQuery } from '../../lists.ts';
import { DateRange, DATES_BEGIN } from '../date-range.ts';
import { PAYER } from './payer.ts';

const range = {
  date_range: DateRange.exactOptional().describe(
    `Half-open range of the booking, from/to, at most 92 days. ${DATES_BEGIN}`,
  ),
  delivery_id: idSchema('del').exactOptional().describe('Only those about this delivery'),
};
/** The form of a list that is also a table. */
export const FORMAT = {
  format: z
    .enum(['json', 'csv'])
    .exactOptional()
    .describe('The form of the answer; by default what `Accept` prefers. CSV has all rows and no pages'),
};

export const TransactionsQuery = z.strictObject({
  ...pageQuery,
  type: z.enum(DIRECTIONS).exactOptional().describe('Only debits, or only credits'),
  category: z.enum(TRANSACTION_KINDS).exactOptional().describe('Only this kind of transaction'),
  ...range,
  ...PAYER,
  ...FORMAT,
});

export const ChargesQuery = z.strictObject({ ...pageQuery, ...range, ...PAYER, ...FORMAT });

const amount = z.number().int();
const currency = z.string().length(3).describe('ISO 4217 code of the currency of all amounts');
const booked = z.iso.datetime().describe('When it was booked, UTC');
/** The vendor's own names of the delivery, so that its books and ours name the same thing. */
const NAMES = {
  external_id: z.string().nullable().describe('Your own id of the delivery; null for none'),
  order_id: z.string().nullable().describe('The vendor order that the delivery was dispatched for; null for none'),
};
const mode = z.boolean().describe('The mode. Test money and live money never mix');

/** A part of a charge. */
export const ChargeLineView = z.strictObject({
  type: z.enum(CHARGE_TYPES).describe('The purpose of the amount'),
  net: amount.describe('The amount without its tax, minor units; negative in a refund'),
  tax: amount.describe('The tax in the amount, minor units; negative in a refund'),
  amount: amount.describe('The amount with its tax, minor units; negative in a refund'),
});

export const TransactionView = z.strictObject({
  id: idSchema('txn').describe('The id of the transaction'),
  object: z.literal('transaction').describe('The kind of object'),
  type: z
    .enum(DIRECTIONS)
    .describe('A debit takes money out of the wallet or adds to the debt of the vendor. A credit does the opposite'),
  category: z.enum(TRANSACTION_KINDS).describe('The kind of transaction'),
  amount: amount.describe('The change of the wallet, minor units; negative if the wallet paid'),
  owed: amount.describe('The change of the debt of the vendor, minor units; negative if it was paid back'),
  balance_after: amount
    .nullable()
    .describe('The money in the wallet afterwards, with what is held, minor units; null if the wallet did not change'),
  currency,
  lines: z.array(ChargeLineView).describe('The parts of a charge or a refund; empty for other transactions'),
  delivery_id: idSchema('del').nullable().describe('The delivery that it is about; null for none'),
  ...NAMES,
  description: z.string().nullable().describe('The reason that a person gave; null for none'),
  live_mode: mode,
  created_at: booked,
});

/** The names that a vendor gave to a delivery; null for none. */
export type OwnNames = { readonly externalId: string | null; readonly orderId: string | null };
export type NamedTransaction = Transaction & OwnNames;

/** A transaction as its vendor sees it. */
export function presentTransaction(transaction: NamedTransaction): z.output<typeof TransactionView> {
  const { id, kind, wallet, owed, balance, book, deliveryId, reason, liveMode, at } = transaction;
  return {
    id,
    object: 'transaction',
    type: directionOf(transaction),
    category: kind,
    amount: wallet,
    owed,
    balance_after: balance,
    currency: currencyOf(book),
    lines: presentLines(transaction),
    delivery_id: deliveryId,
    external_id: transaction.externalId,
    order_id: transaction.orderId,
    description: reason,
    live_mode: liveMode,
    created_at: isoTime(at),
  };
}

export const ChargeView = z.strictObject({
  id: idSchema('txn').describe('The id of the transaction that booked the charge'),
  object: z.literal('charge').describe('The kind of object'),
  category: z.enum(['charge', 'refund']).describe('A refund has negative amounts'),
  delivery_id: idSchema('del').nullable().describe('The delivery that was charged'),
  ...NAMES,
  net: amount.describe('The sum of the lines without tax, minor units'),
  tax: amount.describe('The tax in the lines, minor units'),
  amount: amount.describe('The sum of the lines with tax, minor units'),
  currency,
  lines: z.array(ChargeLineView).describe('The parts of the charge'),
  live_mode: mode,
  billed_at: booked,
});

/** A charge or a refund with its lines. */
export function presentCharge(transaction: NamedTransaction): z.output<typeof ChargeView> {
  const lines = presentLines(transaction);
  const sum = (name: 'net' | 'tax' | 'amount'): number => lines.reduce((total, line) => total + line[name], 0);
  return {
    id: transaction.id,
    object: 'charge',
    category: transaction.kind === 'refund' ? 'refund' : 'charge',
    delivery_id: transaction.deliveryId,
    external_id: transaction.externalId,
    order_id: transaction.orderId,
    net: sum('net'),
    tax: sum('tax'),
    amount: sum('amount'),
    currency: currencyOf(transaction.book),
    lines,
    live_mode: transaction.liveMode,
    billed_at: isoTime(transaction.at),
  };
}

function presentLines({ lines }: Transaction): z.output<typeof ChargeLineView>[] {
  return lines.map(({ type, amount: whole, tax }) => ({ type, net: whole - tax, tax, amount: whole }));
}

// One row per line: this is a table.
// oxfmt-ignore
const TRANSACTION_COLUMNS = ['id', 'created_at', 'type', 'category', 'amount', 'owed', 'balance_after', 'currency', 'delivery_id', 'description', 'external_id', 'order_id'] as const;
// oxfmt-ignore
const CHARGE_COLUMNS = ['id', 'billed_at', 'delivery_id', 'type', 'net', 'tax', 'amount', 'currency', 'external_id', 'order_id'] as const;

/** The tables of the lists: their headings, and the rows of one item. A charge has a row for each line. */
export const BILLING_TABLES = {
  transactions: {
    columns: TRANSACTION_COLUMNS,
    rowsOf: (transaction: NamedTransaction): Table => {
      const view = presentTransaction(transaction);
      return [TRANSACTION_COLUMNS.map((name) => view[name])];
    },
  },
  charges: {
    columns: CHARGE_COLUMNS,
    rowsOf: (transaction: NamedTransaction): Table => {
      const { lines, ...charge } = presentCharge(transaction);
      return lines.map((line) => {
        const row = { ...charge, ...line };
        return CHARGE_COLUMNS.map((name) => row[name]);
      });
    },
  },
} as const;
