import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceCourierPay } from '../../src/money/courier-pay.ts';

const PAY = { courierShareBp: 8000, taxRateBp: 0 };

test('[D150] a courier earns 80 % of the fee without its tax, rounded half up at each step', () => {
  expect(priceCourierPay(450, PAY)).toBe(360);
  expect(priceCourierPay(0, PAY)).toBe(0);
  expect(priceCourierPay(119, { ...PAY, taxRateBp: 1900 })).toBe(80);
  // 3 × 80 % = 2.4 and 1.25 × 2 = 2.5
  expect([priceCourierPay(3, PAY), priceCourierPay(5, { ...PAY, courierShareBp: 5000 })]).toEqual([2, 3]);
});

test('[D150] the pay is a whole number between nothing and the fee', () => {
  const bp = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_000 }), bp, bp, (fee, courierShareBp, taxRateBp) => {
      const pay = priceCourierPay(fee, { courierShareBp, taxRateBp });
      expect(Number.isSafeInteger(pay) && pay >= 0 && pay <= fee).toBe(true);
      expect(pay).toBeLessThanOrEqual(priceCourierPay(fee + 1, { courierShareBp, taxRateBp }));
    }),
  );
});
