import fc from 'fast-check';
import { latLngToCell } from 'h3-js';
import { expect, test } from 'vitest';
import type { Subsidy } from '../../../src/domain/pricing/split.ts';
import type { PriceRule, RuleTerms } from '../../../src/domain/pricing/rules.ts';
import { addSubsidy, payingOf, splitFee, type Paying } from '../../../src/money/prices/split-fee.ts';
import { aStop } from '../../builders.ts';
import { DISCOUNT_RULES } from './rules.ts';

const PAYING: Paying = {
  orderValue: 3000,
  customerTier: 'gold',
  promo: 'MAY',
  dropOffs: [aStop(1).place],
  subsidy: null,
};
const CELL = latLngToCell(aStop(1).place.lat, aStop(1).place.lng, 7);

const by = (...terms: RuleTerms[]): PriceRule[] => terms.map((each) => ({ id: null, terms: each }));
const subsidised = (fee: number, subsidy: Subsidy | null) => splitFee(fee, [], { ...PAYING, subsidy });

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
  const holds = fc.property(amount, DISCOUNT_RULES, fc.option(subsidies), (fee, rules, subsidy) => {
    const { customer, vendor, platform, discounts } = splitFee(fee, rules, { ...PAYING, subsidy });
    expect(customer + vendor + platform).toBe(fee);
    expect(Math.min(customer, vendor, platform)).toBeGreaterThanOrEqual(0);
    expect(discounts.reduce((sum, each) => sum + each.amount, 0)).toBe(fee - customer);
    expect(discounts.every((each) => each.amount > 0)).toBe(true);
  });
  fc.assert(holds);
});

test('[J34] a subsidy is an amount, a share or all of the fee. It never exceeds its cap or the fee', () => {
  expect(subsidised(585, null)).toMatchObject({ customer: 585, vendor: 0, platform: 0, discounts: [] });
  expect(subsidised(585, { type: 'fixed', amount: 200 })).toMatchObject({ customer: 385, vendor: 200 });
  expect(subsidised(585, { type: 'fixed', amount: 900 })).toMatchObject({ customer: 0, vendor: 585 });
  // A half of 585 is 292.5, which is rounded up.
  expect(subsidised(585, { type: 'percent', rate_bp: 5000 })).toMatchObject({ customer: 292, vendor: 293 });
  expect(subsidised(585, { type: 'percent', rate_bp: 5000, cap: 100 })).toMatchObject({ customer: 485, vendor: 100 });
  expect(subsidised(585, { type: 'free' })).toMatchObject({ customer: 0, vendor: 585 });
  expect(subsidised(585, { type: 'free', cap: 500 })).toMatchObject({ customer: 85, vendor: 500 });
});

test('[J233] a subsidy that is applied later gives the shares of a quote that was requested with it', () => {
  const holds = fc.property(amount, DISCOUNT_RULES, subsidies, (fee, rules, subsidy) => {
    const { ruleIds: _none, ...plain } = splitFee(fee, rules, PAYING);
    const later = addSubsidy({ ...plain, surgeBp: 10_000, isSurgeCapped: false }, subsidy);
    const { customer, vendor, platform } = splitFee(fee, rules, { ...PAYING, subsidy });
    expect([later.customer, later.vendor, later.platform]).toEqual([customer, vendor, platform]);
    expect(later.discounts.reduce((sum, each) => sum + each.amount, later.customer)).toBe(fee);
    expect(later.discounts.every((each) => each.amount > 0)).toBe(true);
  });
  fc.assert(holds);
});

test('[J36] the customer never pays more than the surge protection allows. The rule names who pays the excess', () => {
  for (const paid_by of ['vendor', 'platform'] as const) {
    const capped = by({ type: 'surge_protection', most: 500, paid_by });
    expect(splitFee(585, capped, PAYING)).toMatchObject({ customer: 500, [paid_by]: 85 });
    expect(splitFee(400, capped, PAYING)).toMatchObject({ customer: 400, discounts: [] });
  }
  const holds = fc.property(amount, amount, DISCOUNT_RULES, fc.option(subsidies), (fee, most, rules, subsidy) => {
    const all = [...rules, ...by({ type: 'surge_protection', most, paid_by: 'platform' })];
    expect(splitFee(fee, all, { ...PAYING, subsidy }).customer).toBeLessThanOrEqual(most);
  });
  fc.assert(holds);
});

test('[J37] a flag or a threshold that fits the quote lets the vendor pay all that the customer would pay', () => {
  const free = { customer: 0, vendor: 585, platform: 0 };
  const threshold = by({ type: 'free_delivery_threshold', order_value: 3000 });
  expect(splitFee(585, threshold, PAYING)).toMatchObject(free);
  expect(splitFee(585, threshold, { ...PAYING, orderValue: 2999 })).toMatchObject({ customer: 585 });
  expect(splitFee(585, threshold, { ...PAYING, orderValue: null })).toMatchObject({ customer: 585 });
  const tier = by({ type: 'tier_flag', tiers: ['silver', 'gold'] });
  expect(splitFee(585, tier, PAYING)).toMatchObject(free);
  for (const customerTier of [null, 'bronze'])
    expect(splitFee(585, tier, { ...PAYING, customerTier })).toMatchObject({ customer: 585 });
  const always = by({ type: 'free_delivery_threshold', order_value: 0 });
  expect(splitFee(585, always, { ...PAYING, orderValue: null })).toMatchObject({ customer: 585 });
  const region = by({ type: 'region_flag', cells: [latLngToCell(-33.9, 18.4, 7), CELL] });
  expect(splitFee(585, region, PAYING)).toMatchObject(free);
  const far = { ...PAYING, dropOffs: [...PAYING.dropOffs, { lat: 6.5, lng: 3.4 }] };
  expect(splitFee(585, region, far)).toMatchObject({ customer: 585 });
});

test('[J37] the value of an order is the sum of all drop-offs that name one', () => {
  const { place } = aStop(1);
  const of = (...orderValues: (number | null | undefined)[]) =>
    payingOf({
      subsidy: null,
      customerTier: 'gold',
      promo: 'MAY',
      dropOffs: orderValues.map((orderValue) => (orderValue === undefined ? { place } : { place, orderValue })),
    });
  expect(of(1000, undefined, 250)).toEqual({
    subsidy: null,
    customerTier: 'gold',
    promo: 'MAY',
    orderValue: 1250,
    dropOffs: [place, place, place],
  });
  expect([of(undefined).orderValue, of(null).orderValue, of(0).orderValue]).toEqual([null, null, 0]);
});

test('[J38] a promotion applies to quotes that name its code. Others pay before the vendor pays the rest', () => {
  const promotion = { type: 'promotion', code: 'MAY', rate_bp: 2000, paid_by: 'platform' } as const;
  expect(splitFee(585, by(promotion), PAYING)).toMatchObject({ customer: 468, platform: 117 });
  expect(splitFee(585, by({ ...promotion, cap: 50 }), PAYING)).toMatchObject({ customer: 535, platform: 50 });
  expect(splitFee(585, by(promotion), { ...PAYING, promo: 'JUNE' })).toMatchObject({ customer: 585 });
  const both = by({ type: 'tier_flag', tiers: ['gold'] }, promotion);
  expect(splitFee(585, both, PAYING)).toMatchObject({ customer: 0, vendor: 468, platform: 117 });
});
