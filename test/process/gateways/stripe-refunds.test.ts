import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { RefundOrder } from '../../../src/money/top-ups/top-up-refund.ts';
import { createStripeGateway } from '../../../src/process/gateways/stripe-gateway.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { openFakeStripe } from './fake-stripe.ts';
import { sendTo } from './send-to.ts';

const fake = await openFakeStripe();
const gateway = await createStripeGateway({
  key: 'sk_test_abcdefghijkl',
  webhookSecret: 'whsec_abcdefghijkl',
  url: fake.url,
  realMs: 2000,
  homeUrl: 'https://delivery.example',
  clock: { real: { wall: () => 0 } },
});
const { refunds } = gateway;

beforeEach(() => {
  fake.faults.splice(0);
  fake.heard.splice(0);
});

/** A payment of 25.00 EUR at Stripe, and refunds of it. */
async function aPayment() {
  const topUp = aTopUp({ gateway: 'stripe', amount: amountOf(2500) });
  const { gatewayId: paymentId } = await gateway.open(topUp, { email: null });
  fake.pay(paymentId);
  return (amount: number): RefundOrder => ({
    reference: newId('tur'),
    topUpId: topUp.id,
    paymentId,
    amount: amountOf(amount),
    currency: 'EUR',
  });
}

test('[J276] a refund of a payment is made once, however often it is sent, and found among others by its reference', async () => {
  const order = await aPayment();
  const orders = [order(500), order(600), order(700)];
  for (const one of orders) {
    expect(await refunds.find(one)).toBe('absent');
    const made = { status: 'success', amount: one.amount, currency: 'EUR', reason: null };
    expect([await sendTo(refunds, one), await sendTo(refunds, one)]).toEqual([made, made]);
  }
  for (const one of orders) expect(await refunds.find(one)).toMatchObject({ status: 'success', amount: one.amount });
  expect(fake.madeRefunds.size).toBe(3);
  const [sent] = fake.heard.filter(({ method, url }) => method === 'POST' && url.pathname === '/v1/refunds');
  expect(sent?.headers['idempotency-key']).toBe(orders[0]?.reference);
});

test.each([
  ['pending', 'pending', null],
  ['requires_action', 'needs_action', null],
  ['succeeded', 'success', null],
  ['failed', 'failed', 'expired_or_canceled_card'],
  ['canceled', 'failed', null],
  ['something new', 'pending', null],
])('[J276] a refund that is %s at Stripe is %s', async (status, meaning, reason) => {
  const order = (await aPayment())(400);
  await sendTo(refunds, order);
  fake.changeRefund(order.reference, { status, failure_reason: reason });
  expect(await refunds.find(order)).toEqual({ status: meaning, amount: 400, currency: 'EUR', reason });
});

test('[J276] a refund that Stripe refuses has failed, and one without an answer is found afterwards', async () => {
  const order = await aPayment();
  expect(await sendTo(refunds, order(2501))).toMatchObject({ status: 'failed', reason: 'refused_by_gateway' });
  const one = order(400);
  for (const fault of ['unavailable', 'limited', 'unauthorized', 'silence'] as const) {
    fake.faults.push(fault);
    await expect(sendTo(refunds, one)).rejects.toMatchObject({ code: 'gateway_unavailable' });
    fake.faults.push(fault);
    await expect(refunds.find(one)).rejects.toMatchObject({ code: 'gateway_unavailable' });
  }
  expect(await refunds.find(one)).toBe('absent');
  fake.loseNextRefund();
  await expect(sendTo(refunds, one)).rejects.toMatchObject({ code: 'gateway_unavailable' });
  expect(await refunds.find(one)).toMatchObject({ status: 'success', amount: 400 });
  expect(await sendTo(refunds, one)).toMatchObject({ status: 'success', amount: 400 });
  const made = [...fake.madeRefunds.values()].filter(({ metadata }) => metadata.refund_id === one.reference);
  expect(made).toHaveLength(1);
});

test('[J276] a payment that nobody has made is not refunded', async () => {
  const topUp = aTopUp({ gateway: 'stripe', amount: amountOf(2500) });
  const { gatewayId: paymentId } = await gateway.open(topUp, { email: null });
  const order: RefundOrder = {
    reference: newId('tur'),
    topUpId: topUp.id,
    paymentId,
    amount: amountOf(1),
    currency: 'EUR',
  };
  await expect(sendTo(refunds, order)).rejects.toMatchObject({ code: 'gateway_unavailable' });
  expect(await sendTo(refunds, { ...order, paymentId: 'cs_test_none' })).toMatchObject({ status: 'failed' });
});
