import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exponentOf } from '../../src/domain/currency-digits.ts';
import { allocate, amountOf, dividedHalfUp } from '../../src/money/amount.ts';
import {
  groupedAmount,
  readAmount,
  readMajor,
  shownAmount,
  symbolOf,
  writeAmount,
} from '../../src/money/currencies.ts';

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
  expect(allocate(amountOf(10), [5, 1])).toEqual([8, 2]);
  expect(allocate(amountOf(0), [1, 2])).toEqual([0, 0]);
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
  for (const odd of ['', 'x', '5.', '5.0', '0']) expect([odd, readAmount(odd, 'XOF')]).toEqual([odd, null]);
  expect([readAmount('10000000000.00', 'EUR'), readAmount('10000000000.01', 'EUR')]).toEqual([1_000_000_000_000, null]);
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

test('[J2] an amount is written with all digits of its currency', () => {
  const written = (amount: number, currency: string) => writeAmount(amountOf(amount), currency);
  expect([written(0, 'EUR'), written(-5, 'EUR'), written(1250, 'EUR')]).toEqual(['0.00', '-0.05', '12.50']);
  expect([written(0, 'XOF'), written(-5, 'XOF'), written(5, 'KWD')]).toEqual(['0', '-5', '0.005']);
});

test('[J124] an amount that people read has the sign of its currency, or its code, and commas', () => {
  const signs = ['EUR', 'GBP', 'GHS', 'NGN', 'USD', 'XOF'].map(symbolOf);
  expect(signs).toEqual(['€', '£', 'GH₵', '₦', '$', 'XOF']);
  const shown = (amount: number, currency: string) => shownAmount(amountOf(amount), currency);
  expect([shown(0, 'EUR'), shown(-100_000_000, 'EUR'), shown(1000, 'XOF')]).toEqual([
    '€0.00',
    '-€1,000,000.00',
    'XOF 1,000',
  ]);
  expect(groupedAmount(amountOf(123_456_789), 'KWD')).toBe('123,456.789');
});

test('[J215] a number of major units is read digit by digit, and never rounded', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000_000_000 }),
      fc.constantFrom('NGN', 'XOF', 'KWD'),
      (size, currency) => {
        const written = writeAmount(amountOf(size), currency);
        expect(readMajor(written, currency)).toBe(size);
        // As JSON writes it: without zeros at the end.
        expect(readMajor(String(Number(written)), currency)).toBe(size);
      },
    ),
  );
  expect([readMajor('1.10', 'NGN'), readMajor('1.1000', 'NGN'), readMajor('7', 'KWD')]).toEqual([110, 110, 7000]);
  for (const odd of ['1.105', '-1', '1e3', '', '.5', '1.', '99999999999999']) expect(readMajor(odd, 'NGN')).toBe(null);
});

test('[J2] an amount is a safe integer, and zero has no sign', () => {
  expect([Object.is(amountOf(-0), 0), amountOf(-7n)]).toEqual([true, -7]);
  for (const odd of [0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN]) expect(() => amountOf(odd)).toThrow(/whole number/);
});
