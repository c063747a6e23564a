import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PriceRule } from '../../../src/domain/pricing/rules.ts';
import { chargeDelivery, pricedKg } from '../../../src/money/prices/charges.ts';
import { RULES } from './rules.ts';

const PLAIN: PriceRule[] = [
  { id: null, terms: { type: 'base', amount: 350 } },
  { id: null, terms: { type: 'distance', per_km: 95 } },
  { id: null, terms: { type: 'surge', most_bp: 15_000 } },
];
const INPUT = { distanceM: 1350, metadata: {}, priority: 'express', surge: 1, taxRateBp: 0 } as const;

const inputs = fc.record({
  distanceM: fc.nat(300_000),
  metadata: fc.record({ weight: fc.double({ min: 0, max: 2000, noNaN: true }) }),
  priority: fc.constantFrom('express' as const, 'scheduled' as const),
  surge: fc.integer({ min: 10, max: 100 }).map((tenths) => tenths / 10),
  taxRateBp: fc.nat(10_000),
});

describe('the charges of a delivery', () => {
  test('[J30] whatever rules, demand and tax are, lines are whole, not negative, and sum exactly to the fee', () => {
    const holds = fc.property(RULES, inputs, (rules, input) => {
      const { lines, fee } = chargeDelivery(rules, input);
      expect(lines.every(({ amount }) => Number.isSafeInteger(amount) && amount >= 0)).toBe(true);
      expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(fee);
      expect(new Set(lines.map(({ type }) => type)).size).toBe(lines.length);
    });
    fc.assert(holds);
  });

  test('[J30] each line is rounded half up once', () => {
    // 14 tenths of a km at 95 a km are 133.0; 15 tenths are 142.5.
    expect(chargeDelivery(PLAIN, INPUT).lines).toContainEqual({ type: 'distance', amount: 133 });
    expect(chargeDelivery(PLAIN, { ...INPUT, distanceM: 1401 }).lines).toContainEqual({
      type: 'distance',
      amount: 143,
    });
  });

  test('[J30] the kg above the free weight are counted in whole grams', () => {
    expect(pricedKg({ weight: 2.2 }, 1.2)).toBe(1);
    expect(pricedKg({ weight: 2.201 }, 1.2)).toBe(2);
    expect([pricedKg({}, 0), pricedKg({ weight: 1.1 }, 5), pricedKg({ weight: 0.001 }, 0)]).toEqual([0, 0, 1]);
    const holds = fc.property(fc.nat(10_000_000), fc.nat(1_000_000), (weightG, freeG) => {
      const aboveG = BigInt(Math.max(0, weightG - freeG));
      expect(pricedKg({ weight: weightG / 1000 }, freeG / 1000)).toBe(Number((aboveG + 999n) / 1000n));
    });
    // A weight of whole kg above the free one is where fractions go wrong.
    const whole = fc.property(fc.nat(9000), fc.nat(1_000_000), (kg, freeG) => {
      expect(pricedKg({ weight: (freeG + kg * 1000) / 1000 }, freeG / 1000)).toBe(kg);
    });
    fc.assert(holds);
    fc.assert(whole);
  });

  test('[J31] the tax in a fee is one line, and changes neither the fee nor the order of the lines', () => {
    const holds = fc.property(RULES, inputs, (rules, input) => {
      const { lines, fee } = chargeDelivery(rules, input);
      expect(fee).toBe(chargeDelivery(rules, { ...input, taxRateBp: 0 }).fee);
      const tax = lines.find(({ type }) => type === 'tax')?.amount ?? 0;
      const exact = fee - (fee * 10_000) / (10_000 + input.taxRateBp);
      expect(Math.abs(tax - exact)).toBeLessThanOrEqual(0.5 + 1e-6);
    });
    fc.assert(holds);
    expect(chargeDelivery(PLAIN, { ...INPUT, taxRateBp: 1900 })).toMatchObject({
      fee: 483,
      lines: [
        { type: 'base', amount: 294 },
        { type: 'distance', amount: 112 },
        { type: 'tax', amount: 77 },
      ],
    });
  });

  test('[J32] demand raises the other lines by its factor, and never by more than the rule allows', () => {
    const raised = chargeDelivery(PLAIN, { ...INPUT, surge: 1.3 });
    expect(raised.lines).toContainEqual({ type: 'surge', amount: 145 });
    expect(raised).toMatchObject({ surgeBp: 13_000, isSurgeCapped: false });
    const capped = chargeDelivery(PLAIN, { ...INPUT, surge: 2 });
    expect(capped.lines).toContainEqual({ type: 'surge', amount: 242 });
    expect(capped).toMatchObject({ surgeBp: 15_000, isSurgeCapped: true });
    const without = chargeDelivery(PLAIN.slice(0, 2), { ...INPUT, surge: 2 });
    expect(without).toMatchObject({ fee: 483, surgeBp: 10_000 });
  });
});
