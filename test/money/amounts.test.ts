import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate, amountOf, dividedHalfUp } from '../../src/money/amount.ts';
import { exponentOf, readAmount, writeAmount } from '../../src/money/currencies.ts';

const total = fc.maxSafeInteger();
const weights = fc
  .array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 })
  .filter((all) => all.some((weight) => weight > 0));

test('[J1] the parts of an amount sum to it, and each is within one unit of its exact share', () => {
  fc.assert(
    fc.property(total, weights, (whole, all) => {
      const parts = allocate(amountOf(whole), all);
      expect(parts.reduce((sum, part) => sum + BigInt(part), 0n)).toBe(BigInt(whole));
      const sum = BigInt(all.reduce((one, other) => one + other, 0));
      for (const [index, part] of parts.entries()) {
        const off = BigInt(part) * sum - BigInt(whole) * BigInt(all[index] ?? 0);
        expect(off > -sum && off < sum).toBe(true);
      }
    }),
  );
});

test('[J1] the largest remainder gets the unit that is left, and the first of equal ones', () => {
  expect(allocate(amountOf(100), [1, 1, 1])).toEqual([34, 33, 33]);
  expect(allocate(amountOf(-100), [1, 1, 1])).toEqual([-34, -33, -33]);
  expect(allocate(amountOf(10), [1, 5, 0])).toEqual([2, 8, 0]);
  expect(() => allocate(amountOf(1), [0, 0])).toThrow(/one is above 0/);
  expect(() => allocate(amountOf(1), [-1, 2])).toThrow(/not negative/);
});

test('[J2] a quotient is rounded half up by its magnitude', () => {
  const cases = [
    [5n, 2n, 3],
    [-5n, 2n, -3],
    [7n, 3n, 2],
    [-7n, 3n, -2],
    [0n, 9n, 0],
  ] as const;
  for (const [value, by, wanted] of cases) expect(dividedHalfUp(value, by)).toBe(wanted);
});

test('[J2] an amount is read with exactly the digits of its currency', () => {
  expect(readAmount('12.50', 'EUR')).toBe(1250);
  expect(readAmount('-0.01', 'NGN')).toBe(-1);
  expect(readAmount('1250', 'XOF')).toBe(1250);
  expect(readAmount('1.250', 'KWD')).toBe(1250);
  for (const odd of ['12.5', '12', '0.00', '1e3', ' 1.00', '1.00 ', '١.00', '+1.00', '99999999999.00', ''])
    expect([odd, readAmount(odd, 'EUR')]).toEqual([odd, null]);
  expect([exponentOf('JPY'), exponentOf('EUR'), exponentOf('TND')]).toEqual([0, 2, 3]);
});

test('[J2] an amount that is written is read as the same amount', () => {
  const size = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }).filter((one) => one !== 0);
  fc.assert(
    fc.property(size, fc.constantFrom('EUR', 'NGN', 'XOF', 'KWD'), (amount, currency) => {
      expect(readAmount(writeAmount(amountOf(amount), currency), currency)).toBe(amount);
    }),
  );
});

test('[J2] an amount is a safe integer', () => {
  for (const odd of [0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN]) expect(() => amountOf(odd)).toThrow(/whole number/);
});
