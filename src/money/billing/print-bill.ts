import { dateIn } from '../../domain/analytics/local-date.ts';
import type { Paper, PaperFact } from '../../domain/files/paper.ts';
import { amountOf, type Amount } from '../amount.ts';
import { groupedAmount, shownAmount, symbolOf } from '../currencies.ts';
import { wordsOf, type BillLine, type BillParty, type Invoice, type Receipt } from './bill.ts';

// One row per line: this is a table.
// oxfmt-ignore
const COLUMNS = [
  { heading: 'Date',        width: 51,  isNumber: false },
  { heading: 'Description', width: 76,  isNumber: false },
  { heading: 'Delivery',    width: 162, isNumber: false },
  { heading: 'Qty',         width: 32,  isNumber: true },
  { heading: 'Net',         width: 62,  isNumber: true },
  { heading: 'Tax',         width: 58,  isNumber: true },
  { heading: 'Amount',      width: 58,  isNumber: true },
] as const;

/** How amounts are rounded. Every bill says so. */
export const ROUNDING =
  'All amounts contain their tax. The tax of each line was rounded half up to the smallest unit of the currency, once. ' +
  'The totals are the sums of the lines.';
const SUMMED =
  'The lines are sums by date. `GET /vendor/settlement/charges` lists each charge of the period as JSON or CSV.';
const TEST = 'This document is about test deliveries. It is not an invoice, and nothing was paid.';

/** The document that people read. Equal bills have equal papers. */
export function paperOf(bill: Invoice | Receipt): Paper {
  const { currency, lines, sums } = bill;
  const title = titleOf(bill);
  const name = 'number' in bill ? bill.number : bill.deliveryId;
  const isCredit = title === 'Credit note';
  const money = (amount: Amount): string => shownAmount(amount, currency);
  return {
    title,
    facts: [...factsOf(bill), ['Currency', `${currency} (${symbolOf(currency)})`]],
    parties: [
      { heading: 'From', lines: linesOf(bill.seller) },
      { heading: 'To', lines: linesOf(bill.buyer) },
    ],
    columns: COLUMNS,
    rows: lines.map((line) => rowOf(line, currency)),
    totals: [
      ['Net', money((sums.amount - sums.tax) as Amount)],
      ['Tax', money(sums.tax)],
      ['Total', money(sums.amount)],
      ...(isCredit
        ? [['Returned to the wallet', money(amountOf(0 - sums.paid))] as const]
        : [['Paid from the wallet', money(sums.paid)] as const, ['Due', money(sums.due)] as const]),
    ],
    notes: [ROUNDING, ...(isSummed(lines) ? [SUMMED] : []), ...(bill.liveMode ? [] : [TEST])],
    footer: `${title} ${name}`,
    createdAt: bill.issuedAt,
  };
}

function titleOf(bill: Invoice | Receipt): 'Invoice' | 'Credit note' | 'Receipt' {
  if (!('number' in bill)) return 'Receipt';
  return bill.credits === null ? 'Invoice' : 'Credit note';
}

function factsOf(bill: Invoice | Receipt): PaperFact[] {
  const issued = dateIn(bill.zone, bill.issuedAt);
  if (!('number' in bill)) {
    return [
      ['Delivery', bill.deliveryId],
      ['Date', issued],
    ];
  }
  return [
    ['Number', bill.number],
    ...(bill.credits === null ? [] : [['Invoice', bill.credits.number] as const]),
    ['Issued', issued],
    ['Period', `${dateIn(bill.zone, bill.from)} to ${dateIn(bill.zone, bill.to - 1)}`],
    ['Time zone', bill.zone],
  ];
}

function linesOf({ name, address, taxId }: BillParty): string[] {
  return [name, ...address, ...(taxId === null ? [] : [`Tax number ${taxId}`])];
}

function rowOf(line: BillLine, currency: string): string[] {
  const { date, deliveryId, count, amount, tax } = line;
  const amounts = [amount - tax, tax, amount].map((one) => groupedAmount(one as Amount, currency));
  return [date, wordsOf(line), deliveryId ?? '', String(count), ...amounts];
}

function isSummed(lines: readonly BillLine[]): boolean {
  return lines.some(({ deliveryId }) => deliveryId === null);
}
