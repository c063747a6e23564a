import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Subsidy } from '../../../src/domain/pricing/split.ts';
import { splitFee } from '../../../src/money/prices/split-fee.ts';

const amount = fc.nat(2_000_000);
const cap = fc.option(amount).map((most) => (most === null ? {} : { cap: most }));
const subsidies: fc.Arbitrary<Subsidy> = fc.oneof(
  amount.map((each) => ({ type: 'fixed', amount: each }) as const),
  fc
    .tuple(fc.integer({ min: 1, max: 10_000 }), cap)
    .map(([rate_bp, most]) => ({ type: 'percent', rate_bp, ...most }) as const),
  cap.map((most) => ({ type: 'free', ...most }) as const),
);

test('[J33] customer, vendor and platform pay exactly the fee, and no share is negative', () => {
  const holds = fc.property(amount, fc.option(subsidies), (fee, subsidy) => {
    const { customer, vendor, platform, discounts } = splitFee(fee, subsidy);
    expect(customer + vendor + platform).toBe(fee);
    expect(Math.min(customer, vendor, platform)).toBeGreaterThanOrEqual(0);
    expect(discounts.reduce((sum, each) => sum + each.amount, 0)).toBe(fee - customer);
    expect(discounts.every((each) => each.amount > 0)).toBe(true);
  });
  fc.assert(holds);
});

test('[J34] a subsidy is an amount, a share or all of the fee. It never exceeds its cap or the fee', () => {
  expect(splitFee(585, null)).toEqual({ customer: 585, vendor: 0, platform: 0, discounts: [] });
  expect(splitFee(585, { type: 'fixed', amount: 200 })).toMatchObject({ customer: 385, vendor: 200 });
  expect(splitFee(585, { type: 'fixed', amount: 900 })).toMatchObject({ customer: 0, vendor: 585 });
  // A half of 585 is 292.5, which is rounded up.
  expect(splitFee(585, { type: 'percent', rate_bp: 5000 })).toMatchObject({ customer: 292, vendor: 293 });
  expect(splitFee(585, { type: 'percent', rate_bp: 5000, cap: 100 })).toMatchObject({ customer: 485, vendor: 100 });
  expect(splitFee(585, { type: 'free' })).toMatchObject({ customer: 0, vendor: 585 });
  expect(splitFee(585, { type: 'free', cap: 500 })).toMatchObject({ customer: 85, vendor: 500 });
});
