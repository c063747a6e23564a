import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PriceRule } from '../../src/domain/pricing/rules.ts';
import { newId } from '../../src/domain/ids.ts';
import { offsetBy, type Coordinates } from '../../src/domain/geo/geo.ts';
import { settingRules } from '../../src/money/prices/setting-rules.ts';
import { findMismatch, priceDelivery } from '../../src/money/pricing.ts';
import { defaultSettings } from '../../src/settings.ts';
import { aQuote, aStop, CENTER } from '../builders.ts';
import { wayThrough } from '../../src/domain/deliveries/way.ts';

const { quotes } = defaultSettings();
const wayOf = (places: readonly Coordinates[]) => wayThrough(places, 'scooter', null);
const BASE = {
  way: wayOf([aStop(0).place, aStop(1).place]),
  metadata: {},
  priority: 'express',
  currency: 'EUR',
  rules: settingRules(quotes),
  surge: 1,
  taxRateBp: 0,
  paying: { orderValue: null, customerTier: null, promo: null, dropOffs: [], subsidy: null },
} as const;

const place = fc.record({
  lat: fc.double({ min: -80, max: 80, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});
const rules = fc.record({
  baseFee: fc.nat(1_000_000),
  perKmFee: fc.nat(100_000),
  perKgFee: fc.nat(100_000),
  freeKg: fc.double({ min: 0, max: 1000, noNaN: true }),
  expressFee: fc.nat(1_000_000),
});

test('[D1] whatever the rules, the lines are whole, not negative and sum exactly to the fee', () => {
  const weights = fc.double({ min: 0, max: 2000, noNaN: true });
  const priorities = fc.constantFrom('express' as const, 'scheduled' as const);
  const places = fc.array(place, { minLength: 2, maxLength: 11 });
  const holds = fc.property(places, weights, priorities, rules, (stops, weight, priority, some) => {
    const input = { ...BASE, way: wayOf(stops), metadata: { weight }, priority };
    const price = priceDelivery({ ...input, rules: settingRules({ ...quotes, ...some }) });
    expect(price.feeBreakdown.every(({ amount }) => Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
    expect(price.feeBreakdown.reduce((sum, { amount }) => sum + amount, 0)).toBe(price.fee);
    expect(new Set(price.feeBreakdown.map(({ type }) => type)).size).toBe(price.feeBreakdown.length);
  });
  fc.assert(holds);
});

test('[D1] base, started 100 m, started kg above the free ones, and the immediate delivery', () => {
  const way = wayOf([CENTER, offsetBy(CENTER, 1000, 0)]);
  const price = priceDelivery({ ...BASE, way, metadata: { weight: 6.2 } });
  expect(price.distanceM).toBe(1350);
  expect(price.feeBreakdown).toEqual([
    { type: 'base', amount: 350 },
    { type: 'distance', amount: 14 * 9 },
    { type: 'weight', amount: 2 * 40 },
    { type: 'priority', amount: 100 },
  ]);
  const plain = priceDelivery({ ...BASE, way, priority: 'scheduled' });
  expect(plain.feeBreakdown.map(({ type }) => type)).toEqual(['base', 'distance']);
});

test('[J43] a price names the rule of each line and each discount, and none for settings, tax and subsidy', () => {
  const [base, most] = [newId('prl'), newId('prl')];
  const named: PriceRule[] = [
    { id: base, terms: { type: 'base', amount: 1000 } },
    { id: null, terms: { type: 'priority', amount: 190 } },
    { id: most, terms: { type: 'surge_protection', most: 1000, paid_by: 'platform' } },
    { id: null, terms: { type: 'weight', per_kg: 40, free_kg: 3 } },
  ];
  const paying = { ...BASE.paying, subsidy: { type: 'fixed', amount: 100 } } as const;
  const price = priceDelivery({ ...BASE, rules: named, taxRateBp: 1900, paying });
  expect(price.trail).toEqual([
    { ruleId: base, type: 'base', amount: 840 },
    { ruleId: null, type: 'priority', amount: 160 },
    { ruleId: null, type: 'tax', amount: 190 },
    { ruleId: most, type: 'surge_protection', amount: 190 },
    { ruleId: null, type: 'subsidy', amount: 100 },
  ]);
  expect(price).toMatchObject({
    fee: 1190,
    freeKg: 3,
    split: { customer: 900, surgeBp: 10_000, isSurgeCapped: false },
  });
  expect(priceDelivery({ ...BASE, rules: named.slice(0, 1) }).freeKg).toBe(0);
});

test('[J354] a quote in a currency that the vendor has left covers no delivery', () => {
  const quote = aQuote();
  const { places, isTimed, metadata, priority } = quote;
  const asked = { places, isTimed, metadata, priority, vehicle: 'scooter' } as const;
  expect(findMismatch(quote, { ...asked, currency: 'EUR' }, quotes)).toBeNull();
  expect(findMismatch(quote, { ...asked, currency: 'GHS' }, quotes)).toBe('currency');
});

test('[D2] a quote covers the places within 100 m, the category, the weight class, the priority and the vehicle it was made for', () => {
  const quote = aQuote({ metadata: { category: 'Food', weight: 5.5 } });
  const { places, isTimed, metadata, priority, currency } = quote;
  const asked = { places, isTimed, metadata, priority, currency, vehicle: 'scooter' } as const;
  const [pickup = CENTER, dropOff = CENTER] = quote.places;
  expect(findMismatch(quote, asked, quotes)).toBeNull();
  expect(findMismatch(quote, { ...asked, places: [pickup, offsetBy(dropOff, 0, 99)] }, quotes)).toBeNull();
  expect(findMismatch(quote, { ...asked, metadata: { category: 'Food', weight: 6 } }, quotes)).toBeNull();
  expect(findMismatch(quote, { ...asked, places: [pickup, offsetBy(dropOff, 0, 101)] }, quotes)).toBe('places');
  expect(findMismatch(quote, { ...asked, places: [...quote.places, pickup] }, quotes)).toBe('places');
  expect(findMismatch(quote, { ...asked, places: [pickup] }, quotes)).toBe('places');
  expect(findMismatch(quote, { ...asked, isTimed: true }, quotes)).toBe('windows');
  expect(findMismatch(quote, { ...asked, metadata: { weight: 5.5 } }, quotes)).toBe('category');
  expect(findMismatch(quote, { ...asked, metadata: { category: 'Food', weight: 6.1 } }, quotes)).toBe('weight');
  expect(findMismatch(quote, { ...asked, priority: 'scheduled' }, quotes)).toBe('priority');
  const cycled = aQuote({ ...quote, vehicle: 'bicycle' });
  expect(findMismatch(cycled, { ...asked, vehicle: 'bicycle' }, quotes)).toBeNull();
  expect(findMismatch(cycled, asked, quotes)).toBe('vehicle');
  expect(findMismatch(quote, { ...asked, vehicle: 'van' }, quotes)).toBeNull();
  const generous = { ...quote, freeKg: 10 };
  expect(findMismatch(generous, { ...asked, metadata: { category: 'Food', weight: 9 } }, quotes)).toBeNull();
});
