import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { buyerOf, sellerOf, type Invoice, type Receipt } from '../../../src/money/billing/bill.ts';
import { gatherLines, MOST_LINES } from '../../../src/money/billing/gather-lines.ts';
import { issuedFrom, nextPeriod, startOfPeriod } from '../../../src/money/billing/periods.ts';
import { paperOf, ROUNDING } from '../../../src/money/billing/print-bill.ts';
import {
  BILLED_KINDS,
  directionOf,
  DIRECTIONS,
  kindsOf,
  TRANSACTION_KINDS,
} from '../../../src/money/billing/transactions.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aVendor } from '../../builders.ts';
import { anInvoice, aTransaction } from './an-invoice.ts';
import { aLine } from './charges.ts';

const { billing } = defaultSettings();

function invoiceOf(
  over: Partial<Invoice> = {},
  charges = [aTransaction([aLine('delivery', 145_000, 10_116)])],
): Invoice {
  return {
    ...anInvoice({ currency: 'NGN', liveMode: true }, charges),
    number: 'INV-2026-000007',
    sha256: null,
    ...over,
  };
}

test('[J124] the paper of an invoice names its parties, its month, each line with its tax, and how amounts were rounded', () => {
  const charge = aTransaction([aLine('delivery', 145_000, 10_116), aLine('tip', 5000)], { owed: amountOf(1000) });
  const invoice = invoiceOf({}, [charge]);
  const paper = paperOf(invoice);
  expect(paper).toMatchObject({
    title: 'Invoice',
    facts: [
      ['Number', 'INV-2026-000007'],
      ['Issued', '2026-02-01'],
      ['Period', '2026-01-01 to 2026-01-31'],
      ['Time zone', 'UTC'],
      ['Currency', 'NGN (₦)'],
    ],
    parties: [
      { heading: 'From', lines: ['Example Dispatch', '1 Marina Road', 'Lagos', 'Tax number TIN 1'] },
      { heading: 'To', lines: ['Mama Ẹbùn'] },
    ],
    rows: [
      ['2026-01-05', 'Delivery', charge.deliveryId, '1', '1,348.84', '101.16', '1,450.00'],
      ['2026-01-05', 'Tip', charge.deliveryId, '1', '50.00', '0.00', '50.00'],
    ],
    totals: [
      ['Net', '₦1,398.84'],
      ['Tax', '₦101.16'],
      ['Total', '₦1,500.00'],
      ['Paid from the wallet', '₦1,490.00'],
      ['Due', '₦10.00'],
    ],
    notes: [ROUNDING],
    footer: 'Invoice INV-2026-000007',
    createdAt: invoice.issuedAt,
  });
  expect(ROUNDING).toMatch(/rounded half up.*The totals are the sums of the lines\.$/);
  expect(paper.columns.map(({ heading, isNumber }) => [heading, isNumber])).toEqual([
    ['Date', false],
    ['Description', false],
    ['Delivery', false],
    ['Qty', true],
    ['Net', true],
    ['Tax', true],
    ['Amount', true],
  ]);
});

test('[J125] the paper of a receipt names its delivery and the date of its charge', () => {
  const { id: _id, number: _number, period: _period, from: _from, to: _to, sha256: _sha256, ...bill } = invoiceOf();
  const receipt: Receipt = { ...bill, deliveryId: newId('del') };
  expect(paperOf(receipt)).toMatchObject({
    title: 'Receipt',
    facts: [
      ['Delivery', receipt.deliveryId],
      ['Date', '2026-02-01'],
      ['Currency', 'NGN (₦)'],
    ],
    footer: `Receipt ${receipt.deliveryId}`,
  });
});

test('[J124] a paper says that it is about test deliveries, and that its lines are sums', () => {
  expect(paperOf(invoiceOf({ liveMode: false })).notes).toEqual([ROUNDING, expect.stringContaining('test deliveries')]);
  const many = Array.from({ length: MOST_LINES + 1 }, () => aTransaction([aLine('wait', 20)]));
  const { notes, rows } = paperOf(invoiceOf({}, many));
  expect(notes).toEqual([ROUNDING, expect.stringContaining('sums by date')]);
  expect(rows).toEqual([['2026-01-05', 'Waiting time', '', '501', '100.20', '0.00', '100.20']]);
});

test('[J124] each type of charge has words of its own', () => {
  const types = ['delivery', 'tip', 'wait', 'return', 'cancellation'] as const;
  const { rows } = paperOf(invoiceOf({}, [aTransaction(types.map((type) => aLine(type, 1)))]));
  expect(rows.map(([, words]) => words)).toEqual([
    'Delivery',
    'Tip',
    'Waiting time',
    'Return of goods',
    'Cancellation',
  ]);
});

test('[J121] up to 500 lines each name their delivery', () => {
  const gathering = gatherLines('UTC');
  for (let index = 0; index < MOST_LINES; index += 1) gathering.add(aTransaction([aLine('tip', 1)]));
  expect(gathering.lines()).toHaveLength(MOST_LINES);
  expect(gathering.lines().every(({ deliveryId, count }) => deliveryId !== null && count === 1)).toBe(true);
});

test('[J121] above 500 lines, each date has one line for each type', () => {
  const gathering = gatherLines('UTC');
  const at = (day: number) => ({ at: Date.UTC(2026, 0, day, 12) });
  for (let index = 0; index < MOST_LINES; index += 1)
    gathering.add(aTransaction([aLine(index % 2 === 0 ? 'tip' : 'wait', 2)], at(6)));
  gathering.add(aTransaction([aLine('tip', 5)], at(5)));
  expect(gathering.lines().map(({ date, type, count, amount }) => [date, type, count, amount])).toEqual([
    ['2026-01-05', 'tip', 1, 5],
    ['2026-01-06', 'wait', 250, 500],
    ['2026-01-06', 'tip', 250, 500],
  ]);
});

test('[J254] the seller of a bill follows from the settings, and the buyer from the account', () => {
  const seller = { ...billing, sellerName: 'Ours', sellerAddress: '1 Marina Road;  Lagos ;', sellerTaxId: 'TIN 1' };
  expect(sellerOf(seller)).toEqual({ name: 'Ours', taxId: 'TIN 1', address: ['1 Marina Road', 'Lagos'] });
  expect(sellerOf({ ...seller, sellerTaxId: '' }).taxId).toBeNull();
  const buyer = (business: object) => {
    const vendor = aVendor({ name: 'Corner Bakery' });
    return buyerOf({ ...vendor, business: { ...vendor.business, ...business } });
  };
  expect(buyer({})).toEqual({ name: 'Corner Bakery', taxId: null, address: [] });
  const address = { street: '1 Long Street', postal_code: '10115', city: 'Berlin', country: 'DE' };
  expect(buyer({ legalName: 'Bakery Ltd', taxId: 'DE 1', address })).toEqual({
    name: 'Bakery Ltd',
    taxId: 'DE 1',
    address: ['1 Long Street', '10115 Berlin', 'DE'],
  });
  const { postal_code: _code, ...short } = address;
  expect(buyer({ address: short }).address).toEqual(['1 Long Street', 'Berlin', 'DE']);
  expect(buyer({ address: '1 Long Street, Berlin' }).address).toEqual(['1 Long Street, Berlin']);
});

test('[J110] a transaction is a debit if the wallet pays or the debt grows, and otherwise a credit', () => {
  const of = (wallet: number, owed: number) => directionOf({ wallet: amountOf(wallet), owed: amountOf(owed) });
  expect([of(-1, 0), of(0, 1), of(-1, 1), of(-5, -5)]).toEqual(['debit', 'debit', 'debit', 'debit']);
  expect([of(1, 0), of(0, -1), of(1, 1), of(0, 0)]).toEqual(['credit', 'credit', 'credit', 'credit']);
});

test('[J111] a filter by direction names the kinds that may have it, and vendors see no payouts', () => {
  expect(DIRECTIONS).toEqual(['debit', 'credit']);
  expect(kindsOf('debit')).toEqual(expect.arrayContaining(['charge', 'repayment', 'adjustment', 'top_up_refund']));
  expect(kindsOf('debit')).not.toContain('top_up');
  expect(kindsOf('credit')).toEqual(expect.arrayContaining(['adjustment', 'top_up', 'refund', 'top_up_refund_return']));
  expect(kindsOf('credit')).not.toContain('charge');
  for (const hidden of ['suspense', 'payout', 'payout_paid', 'payout_return', 'top_up_refund_paid'] as const)
    expect(TRANSACTION_KINDS).not.toContain(hidden);
  expect(BILLED_KINDS).toContain('charge');
});

test('[J122] December is followed by January of the next year', () => {
  expect([nextPeriod('2026-11'), nextPeriod('2026-12'), nextPeriod('0999-12')]).toEqual([
    '2026-12',
    '2027-01',
    '1000-01',
  ]);
  expect(nextPeriod('2026-01')).toBe('2026-02');
});

test('[J120] an invoice is issued some time after its month has ended in the time zone of the vendor', () => {
  const issueAfterMs = 3_600_000;
  const from = issuedFrom({ ...billing, issueAfterMs }, 'Africa/Lagos', '2026-01');
  expect(from).toBe(startOfPeriod('Africa/Lagos', '2026-02') + issueAfterMs);
  expect(from).toBe(Date.parse('2026-02-01T00:00:00Z'));
});
