import { fc, test as check } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { amountOf } from '../../../src/money/amount.ts';
import { gatherLines, MOST_LINES } from '../../../src/money/billing/gather-lines.ts';
import { endOfPeriod, nextPeriod, periodAt, startOfPeriod } from '../../../src/money/billing/periods.ts';
import { groupedAmount, readAmount, shownAmount } from '../../../src/money/currencies.ts';
import { CHARGE_TYPES } from '../../../src/domain/pricing/funds.ts';
import { aTransaction } from './an-invoice.ts';
import { aLine } from './charges.ts';

const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01');
const line = fc
  .record({ type: fc.constantFrom(...CHARGE_TYPES), amount: fc.nat(1_000_000), share: fc.nat(100) })
  .map(({ type, amount, share }) => aLine(type, amount, Math.floor((amount * share) / 100)));
const charge = fc
  .record({ lines: fc.array(line, { minLength: 1, maxLength: 4 }), day: fc.nat(30), owed: fc.nat(100) })
  .map(({ lines, day, owed }) => aTransaction(lines, { at: START + day * DAY_MS, owed: amountOf(owed) }));

check.prop([fc.array(charge, { maxLength: 20 }), fc.boolean()])(
  '[J121] the lines of a bill add up to its charges, however many they are',
  (charges, isLong) => {
    const filler = isLong ? Array.from({ length: MOST_LINES + 1 }, () => aTransaction([aLine('tip', 1)])) : [];
    const all = [...charges, ...filler];
    const gathering = gatherLines('UTC');
    for (const one of all) gathering.add(one);
    const [lines, sums] = [gathering.lines(), gathering.sums()];
    const own = all.flatMap((one) => one.lines);
    const sum = (values: readonly { readonly amount: number; readonly tax: number }[], name: 'amount' | 'tax') =>
      values.reduce((total, value) => total + value[name], 0);
    expect([sum(lines, 'amount'), sum(lines, 'tax')]).toEqual([sum(own, 'amount'), sum(own, 'tax')]);
    expect([sums.amount, sums.tax]).toEqual([sum(own, 'amount'), sum(own, 'tax')]);
    expect(sums.paid + sums.due).toBe(sums.amount);
    expect(lines.reduce((total, { count }) => total + count, 0)).toBe(own.length);
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
    if (isLong) expect(lines.every(({ deliveryId }) => deliveryId === null)).toBe(true);
  },
);

test('[J121] a bill lists its charges in the order in which they were booked', () => {
  const gathering = gatherLines('UTC');
  const [first, second] = [aTransaction([aLine('delivery', 5), aLine('tip', 3)]), aTransaction([aLine('wait', 2)])];
  for (const one of [second, first]) gathering.add(one);
  expect(gathering.lines().map(({ type }) => type)).toEqual(['delivery', 'tip', 'wait']);
});

check.prop([
  fc.integer({ min: 0, max: 2_000_000 }),
  fc.constantFrom('UTC', 'Africa/Lagos', 'America/New_York', 'Pacific/Apia'),
])(
  '[J122] each instant belongs to one month of a time zone, and months follow each other without a gap',
  (minutes, zone) => {
    const at = START + minutes * 60_000;
    const period = periodAt(zone, at);
    expect(startOfPeriod(zone, period)).toBeLessThanOrEqual(at);
    expect(endOfPeriod(zone, period)).toBeGreaterThan(at);
    expect(endOfPeriod(zone, period)).toBe(startOfPeriod(zone, nextPeriod(period)));
  },
);

check.prop([fc.integer({ min: 1, max: 10 ** 12 }), fc.constantFrom('NGN', 'XOF', 'KWD')])(
  '[J124] an amount on a bill has commas between thousands, and reads back as it is',
  (amount, currency) => {
    const text = groupedAmount(amountOf(-amount), currency);
    expect(text).toMatch(/^-\d{1,3}(,\d{3})*(\.\d+)?$/);
    expect(readAmount(text.replaceAll(',', ''), currency)).toBe(-amount);
  },
);

test('[J124] an amount has the sign of its currency, or its code', () => {
  expect(shownAmount(amountOf(-145_000), 'NGN')).toBe('-₦1,450.00');
  expect(shownAmount(amountOf(1234), 'GHS')).toBe('GH₵12.34');
  expect(shownAmount(amountOf(1_234_567), 'XOF')).toBe('XOF 1,234,567');
});
