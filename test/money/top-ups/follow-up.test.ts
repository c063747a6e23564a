import { expect, test } from 'vitest';
import { amountOf } from '../../../src/money/amount.ts';
import { furtherOf } from '../../../src/money/top-ups/follow-up.ts';
import { aTopUp } from './a-top-up.ts';

const payment = (id: string, amount: number) => ({ id, amount: amountOf(amount), currency: 'EUR' });
const [less, right, again] = [payment('1', 900), payment('2', 1000), payment('3', 1000)];

test('[J340] the payment that a top-up names is left out, whether it is listed or not', () => {
  const named = aTopUp({ state: 'succeeded', paymentId: '3' });
  expect(furtherOf(named, [less, right, again])).toEqual([less, right]);
  expect(furtherOf(named, [right])).toEqual([right]);
});

test('[J340] if a top-up names no payment, the first that fits is left out, or the first that does not', () => {
  const all = [less, right, again];
  expect(furtherOf(aTopUp({ state: 'succeeded' }), all)).toEqual([less, again]);
  expect(furtherOf(aTopUp({ state: 'failed', reason: 'mismatch' }), all)).toEqual([right, again]);
  expect(furtherOf(aTopUp({ state: 'succeeded' }), [right])).toEqual([]);
});
