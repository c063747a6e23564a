import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import type { BillLine, BillParty, Invoice, Receipt } from '../../../money/billing/bill.ts';
import { ROUNDING } from '../../../money/billing/print-bill.ts';
import { CHARGE_TYPES } from '../../../domain/pricing/funds.ts';
import type { InvoiceHead } from '../../../ports/money/billing.ts';
import { pageQuery } from '../../lists.ts';
import { PAYER } from './payer.ts';

export const InvoiceQuery = z.strictObject(PAYER);

const amount = z.number().int();

const PartyView = z.strictObject({
  name: z.string().describe('The registered name, or the name that people know'),
  tax_id: z.string().nullable().describe('The tax number; null for none'),
  address: z.array(z.string()).describe('The lines of the address'),
});

const InvoiceLineView = z.strictObject({
  date: z.iso.date().describe('The date of the charge or refund, in the time zone of the document'),
  type: z.enum(CHARGE_TYPES).describe('The purpose of the amount'),
  delivery_id: idSchema('del')
    .nullable()
    .describe('The delivery. Null if there are more than 500 lines: then each line is the sum of a date and a type'),
  quantity: z.number().int().min(1).describe('The charges or refunds of which the line is the sum'),
  net: amount.describe('The amount without its tax, minor units'),
  tax: amount.describe('The tax in the amount, minor units'),
  amount: amount.describe('The amount with its tax, minor units; negative in a refund'),
});

export const InvoiceView = z.strictObject({
  id: idSchema('inv').nullable().describe('The id of the invoice or credit note; null for a receipt'),
  object: z
    .enum(['invoice', 'credit_note', 'receipt'])
    .describe('A credit note corrects an earlier invoice. A receipt is made of one delivery and has no number'),
  credits: z
    .strictObject({
      id: idSchema('inv').describe('The id of the invoice'),
      number: z.string().describe('The number of the invoice'),
    })
    .nullable()
    .describe('The invoice that a credit note corrects; null for the others'),
  number: z.string().nullable().describe('The number of the invoice, without gaps before it; null for a receipt'),
  period: z.string().nullable().describe('The month, such as `2026-01`; null for a receipt'),
  delivery_id: idSchema('del').nullable().describe('The delivery of a receipt; null for an invoice'),
  time_zone: z.string().describe('The IANA time zone of the dates'),
  period_start: z.iso.datetime().nullable().describe('When the month began, UTC; null for a receipt'),
  period_end: z.iso.datetime().nullable().describe('When the month ended, UTC, excluded; null for a receipt'),
  issued_at: z.iso.datetime().describe('When the invoice was issued, or when the receipt was last charged, UTC'),
  seller: PartyView.describe('The seller at that time'),
  buyer: PartyView.describe('The vendor at that time'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency of all amounts'),
  lines: z.array(InvoiceLineView).describe('The charges and refunds, oldest first'),
  net: amount.describe('The sum of the lines without tax, minor units'),
  tax: amount.describe('The tax in the lines, minor units'),
  amount: amount.describe('The sum of the lines with tax, minor units; negative in a credit note'),
  paid: amount.describe('The part that the wallet paid, less what came back to it, minor units'),
  due: amount.describe('The part that exceeded the holds, minor units. The next money in the wallet pays it'),
  rounding: z.string().describe('How amounts were rounded'),
  sha256: z
    .string()
    .nullable()
    .describe('SHA-256 of the PDF, hexadecimal; null until it is printed, and for a receipt'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
});

/** A document in a list, without its parties and its lines. */
export const InvoiceHeadView = InvoiceView.pick({
  id: true,
  object: true,
  credits: true,
  number: true,
  period: true,
  issued_at: true,
  currency: true,
  net: true,
  tax: true,
  amount: true,
  live_mode: true,
});

export const InvoiceListQuery = z
  .strictObject({
    ...pageQuery,
    type: z.enum(['invoice', 'credit_note']).exactOptional().describe('Only invoices, or only credit notes'),
    ...PAYER,
  })
  .transform(({ type, ...rest }) => ({
    ...rest,
    narrowed: type === undefined ? {} : { isCredit: type === 'credit_note' },
  }));

/** A document as a list has it. */
export function presentHead(head: InvoiceHead): z.output<typeof InvoiceHeadView> {
  const { id, number, period, credits, issuedAt, liveMode } = head;
  const object = kindOf(head);
  return { id, object, credits, number, period, issued_at: isoTime(issuedAt), ...amountsOf(head), live_mode: liveMode };
}

function amountsOf({ currency, sums }: Pick<InvoiceHead, 'currency' | 'sums'>) {
  return { currency, net: sums.amount - sums.tax, tax: sums.tax, amount: sums.amount };
}

function kindOf({ credits }: Pick<InvoiceHead, 'credits'>): 'invoice' | 'credit_note' {
  return credits === null ? 'invoice' : 'credit_note';
}

/** An invoice, a credit note or a receipt as JSON. */
export function presentBill(bill: Invoice | Receipt): z.output<typeof InvoiceView> {
  const { zone, issuedAt, seller, buyer, lines, sums, liveMode } = bill;
  return {
    ...identityOf(bill),
    time_zone: zone,
    issued_at: isoTime(issuedAt),
    seller: presentParty(seller),
    buyer: presentParty(buyer),
    lines: lines.map(presentLine),
    ...amountsOf(bill),
    paid: sums.paid,
    due: sums.due,
    rounding: ROUNDING,
    live_mode: liveMode,
  };
}

function identityOf(bill: Invoice | Receipt) {
  if ('number' in bill) {
    const { id, credits, number, period, from, to, sha256 } = bill;
    const span = { period_start: isoTime(from), period_end: isoTime(to) };
    return { id, object: kindOf(bill), credits, number, period, delivery_id: null, ...span, sha256 };
  }
  const none = {
    id: null,
    credits: null,
    number: null,
    period: null,
    period_start: null,
    period_end: null,
    sha256: null,
  };
  return { ...none, object: 'receipt' as const, delivery_id: bill.deliveryId };
}

function presentParty({ name, taxId, address }: BillParty): z.output<typeof PartyView> {
  return { name, tax_id: taxId, address: [...address] };
}

function presentLine({
  date,
  type,
  deliveryId,
  count,
  amount: whole,
  tax,
}: BillLine): z.output<typeof InvoiceLineView> {
  return { date, type, delivery_id: deliveryId, quantity: count, net: whole - tax, tax, amount: whole };
}
