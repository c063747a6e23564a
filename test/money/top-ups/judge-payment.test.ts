import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { judgePayment, type Payment } from '../../../src/money/top-ups/judge-payment.ts';
import { NOON } from '../../builders.ts';
import { aTopUp } from './a-top-up.ts';

const GIVE_UP_MS = 3_600_000;
const AFTER_MS = 7_200_000;
const topUp = aTopUp({ checkout: { url: 'https://pay.example', gatewayId: '1' } });
const asked = { is: 'paid', reference: topUp.id, amount: topUp.amount, currency: topUp.currency } as const;
const judge = (payment: Payment, now = NOON, over = {}) =>
  judgePayment({ ...topUp, ...over }, payment, now, { giveUpMs: GIVE_UP_MS, afterExpiryMs: AFTER_MS });

property.prop([
  fc.record({
    reference: fc.constantFrom<string>(topUp.id, newId('top')),
    amount: fc.oneof(fc.constant(1000), fc.integer({ min: 1, max: 2000 })).map(amountOf),
    currency: fc.constantFrom('EUR', 'USD'),
  }),
  fc.constantFrom('pending' as const, 'failed' as const, 'expired' as const),
  fc.integer({ min: 0, max: 10 * GIVE_UP_MS }),
])('[J80] only a payment with the same reference, amount and currency is credited, however late', (paid, state, ms) => {
  const agrees = paid.reference === topUp.id && paid.amount === topUp.amount && paid.currency === topUp.currency;
  const verdict = judge({ is: 'paid', ...paid }, NOON + ms, { state });
  expect(verdict.is === 'credit').toBe(agrees);
});

test('[J84] another amount or currency is suspended, and an answer about another reference is not used', () => {
  const { amount, currency } = asked;
  expect(judge({ ...asked, amount: amountOf(999) })).toEqual({ is: 'suspend', amount: 999, currency });
  expect(judge({ ...asked, currency: 'USD' })).toEqual({ is: 'suspend', amount, currency: 'USD' });
  expect(judge({ ...asked, reference: 'another' })).toEqual({ is: 'distrust' });
});

test('[J85] an unpaid top-up expires with its checkout, and a payment on its way is given up later', () => {
  const [last, late] = [topUp.expiresAt - 1, NOON + GIVE_UP_MS];
  for (const is of ['open', 'unknown'] as const) {
    expect(judge({ is }, last)).toEqual({ is: 'wait', isPaid: false });
    expect(judge({ is }, topUp.expiresAt)).toMatchObject({ is: 'end', state: 'expired', reason: 'not_paid' });
  }
  expect(judge({ is: 'processing' }, late - 1)).toEqual({ is: 'wait', isPaid: true });
  expect(judge({ is: 'processing' }, late)).toMatchObject({ is: 'end', state: 'expired', reason: 'unconfirmed' });
  expect(judge({ is: 'declined' })).toEqual({ is: 'end', state: 'failed', reason: 'declined', isFinal: true });
});

test('[J210] an expired top-up is asked about until its page is closed, or for a bounded time', () => {
  const end = topUp.expiresAt + AFTER_MS;
  for (const is of ['open', 'unknown'] as const) {
    for (const now of [topUp.expiresAt, end - 1]) expect(judge({ is }, now)).toMatchObject({ isFinal: false });
    expect(judge({ is }, end)).toMatchObject({ state: 'expired', isFinal: true });
    // The address of the page got lost, so nobody has seen it.
    expect(judge({ is }, topUp.expiresAt, { checkout: null })).toMatchObject({ state: 'expired', isFinal: true });
  }
  for (const now of [NOON, topUp.expiresAt, end]) {
    const closed = { is: 'end', state: 'expired', reason: 'not_paid', isFinal: true };
    expect(judge({ is: 'closed' }, now)).toEqual(closed);
  }
});
