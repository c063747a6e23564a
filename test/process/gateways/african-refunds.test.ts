import { describe, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { RefundOrder } from '../../../src/money/top-ups/top-up-refund.ts';
import type { Gateway } from '../../../src/ports/money/gateways.ts';
import { createFlutterwaveGateway } from '../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../src/process/gateways/paystack-gateway.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { openFakeFlutterwave } from './fake-flutterwave.ts';
import { openFakePaystack } from './fake-paystack.ts';
import { sendTo } from './send-to.ts';

const common = { realMs: 2000, homeUrl: 'https://delivery.example' };
const unavailable = { code: 'gateway_unavailable' };
const PAID = amountOf(2551);

async function openPaystack() {
  const fake = await openFakePaystack();
  const gateway = createPaystackGateway({ ...common, key: 'sk_test_abcdefghijkl', url: fake.url });
  const pay = (reference: string) => fake.change(reference, { status: 'success' });
  return { fake, gateway, pay, posts: () => fake.heard.filter(({ method, url }) => isPost(method, url, '/refund')) };
}

async function openFlutterwave() {
  const fake = await openFakeFlutterwave();
  const [key, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
  const gateway = createFlutterwaveGateway({ ...common, key, secretHash, url: fake.url });
  const pay = (reference: string) => fake.tryToPay(reference, { status: 'successful' });
  return { fake, gateway, pay, posts: () => fake.heard.filter(({ method, url }) => isPost(method, url, '/refund')) };
}

function isPost(method: string, { pathname }: URL, end: string): boolean {
  return method === 'POST' && pathname.endsWith(end);
}

function refundsOf({ refunds }: Gateway) {
  if (refunds === undefined) throw new Error('the gateway makes refunds');
  return refunds;
}

// The services themselves were never asked: the fakes follow their public documents, which each of them names.
describe.each(Object.entries({ paystack: openPaystack, flutterwave: openFlutterwave }))('%s', async (name, open) => {
  const { fake, gateway, pay, posts } = await open();
  const refunds = refundsOf(gateway);

  /** A payment of 25.51 NGN, and refunds of it. */
  async function aPayment() {
    const topUp = aTopUp({ gateway: gateway.name, currency: 'NGN', amount: PAID });
    const { gatewayId: paymentId } = await gateway.open(topUp, { email: null });
    pay(paymentId);
    return (amount: number): RefundOrder => ({
      reference: newId('tur'),
      topUpId: topUp.id,
      paymentId,
      amount: amountOf(amount),
      currency: 'NGN',
    });
  }

  test('[J320] a refund is made once, however often it is sent, and found among others by its reference', async () => {
    const [order, other] = [await aPayment(), await aPayment()];
    const orders = [order(501), order(1000), other(501)];
    for (const one of orders) {
      const made = { status: 'pending', amount: one.amount, currency: 'NGN', reason: null };
      expect([await sendTo(refunds, one), await sendTo(refunds, one)]).toEqual([made, made]);
    }
    fake.changeRefund(orders[1]?.reference ?? '', name === 'paystack' ? 'processed' : 'completed-mpgs');
    const found = await Promise.all(orders.map((one) => refunds.find(one)));
    expect(found).toMatchObject([{ status: 'pending' }, { status: 'success', amount: 1000 }, { status: 'pending' }]);
    expect(posts()).toHaveLength(3);
  });

  test('[J320] a refund that the gateway refuses has failed', async () => {
    const order = await aPayment();
    const one = order(PAID + 1);
    const refused = { status: 'failed', amount: PAID + 1, currency: 'NGN', reason: 'refused_by_gateway' };
    expect(await sendTo(refunds, one)).toEqual(refused);
    await sendTo(refunds, order(PAID - 100));
    expect(await sendTo(refunds, order(101))).toEqual({ ...refused, amount: 101 });
    await expect(refunds.find({ ...one, paymentId: 'top-of-another' })).rejects.toMatchObject(unavailable);
  });

  test('[J320] a refund whose answer got lost is found, and until then a person must look', async () => {
    const one = (await aPayment())(400);
    const before = posts().length;
    fake.loseNextRefund();
    fake.hiddenRefunds.add(one.reference);
    await expect(sendTo(refunds, one)).rejects.toMatchObject(unavailable);
    const unseen = { status: 'needs_action', amount: 400, currency: 'NGN', reason: 'not_seen_at_gateway' };
    expect(await refunds.find(one)).toEqual(unseen);
    fake.hiddenRefunds.delete(one.reference);
    expect(await refunds.find(one)).toMatchObject({ status: 'pending', amount: 400 });
    expect(posts()).toHaveLength(before + 1);
  });

  test('[J320] a gateway that does not answer has said nothing', async () => {
    const one = (await aPayment())(400);
    for (const fault of ['unavailable', 'limited', 'unauthorized', 'silence'] as const)
      for (const ask of [() => sendTo(refunds, one), () => refunds.find(one)]) {
        fake.faults.push(fault);
        await expect(ask()).rejects.toMatchObject(unavailable);
      }
    expect([await refunds.find(one)]).toMatchObject([{ reason: 'not_seen_at_gateway' }]);
  });

  test('[J324] a gateway that has too many requests has not made the refund', async () => {
    const one = (await aPayment())(400);
    const [before, sending] = [posts().length, await refunds.prepare(one)];
    expect(posts()).toHaveLength(before);
    fake.faults.push('limited');
    expect(await sending()).toBe('not_taken');
    expect(await sending()).toMatchObject({ status: 'pending', amount: 400 });
    expect([...fake.refunds.keys()].filter((key) => key.startsWith(one.reference))).toHaveLength(1);
  });

  const rows =
    name === 'paystack'
      ? [
          ['pending', 'pending', null],
          ['processing', 'pending', null],
          ['processed', 'success', null],
          ['failed', 'failed', 'failed'],
          ['needs-attention', 'needs_action', 'needs-attention'],
          ['something new', 'pending', null],
        ]
      : [
          ['processing', 'pending', null],
          ['pending-momo', 'pending', null],
          ['completed', 'success', null],
          ['completed-bank-transfer', 'success', null],
          ['successful', 'success', null],
          ['failed', 'failed', 'failed'],
          ['something new', 'pending', null],
        ];
  test.each(rows)('[J320] a refund that is %s there is %s', async (status, meaning, reason) => {
    const one = (await aPayment())(401);
    await sendTo(refunds, one);
    fake.changeRefund(one.reference, String(status));
    expect(await refunds.find(one)).toEqual({ status: meaning, amount: 401, currency: 'NGN', reason });
  });
});

test.each([
  ['that was paid twice', {}, 1],
  ['of which less was paid first', { amount: 10 }, 2],
  ['of which other money was paid first', { currency: 'USD' }, 2],
  ['whose first payment failed', { status: 'failed' }, 2],
  ['after a payment of another program', { tx_ref: 'an-order' }, 2],
])('[J320] of a top-up at Flutterwave %s, the payment that was credited is refunded', async (_what, first, number) => {
  const { fake, gateway } = await openFlutterwave();
  const topUp = aTopUp({ gateway: 'flutterwave', currency: 'NGN', amount: PAID });
  const { gatewayId: paymentId } = await gateway.open(topUp, { email: null });
  fake.tryToPay(topUp.id, { status: 'successful', ...first });
  fake.payAgain(topUp.id, 25.51);
  const order = { reference: newId('tur'), topUpId: topUp.id, paymentId, amount: PAID, currency: 'NGN' };
  expect(await sendTo(refundsOf(gateway), order)).toMatchObject({ status: 'pending', amount: PAID });
  expect([...fake.refunds.values()].map((one) => one.transaction_id)).toEqual([number]);
});

test('[J320] a refund that names a payment of Flutterwave is made from it and found there, beside an older one', async () => {
  const { fake, gateway } = await openFlutterwave();
  const topUp = aTopUp({ gateway: 'flutterwave', currency: 'NGN', amount: PAID });
  await gateway.open(topUp, { email: null });
  fake.tryToPay(topUp.id, { status: 'successful' });
  fake.payAgain(topUp.id, 25.51);
  const order = { reference: newId('tur'), topUpId: topUp.id, paymentId: '2', amount: PAID, currency: 'NGN' };
  expect(await sendTo(gateway.refunds, order)).toMatchObject({ status: 'pending', amount: PAID });
  expect([...fake.refunds.values()].map((one) => one.transaction_id)).toEqual([2]);
  expect(await gateway.refunds.find(order)).toMatchObject({ status: 'pending', amount: PAID });
});

test('[J327] a refund at Flutterwave is found whatever its payment is now, and one that failed may say 0', async () => {
  const { fake, gateway } = await openFlutterwave();
  const topUp = aTopUp({ gateway: 'flutterwave', currency: 'NGN', amount: PAID });
  const { gatewayId: paymentId } = await gateway.open(topUp, { email: null });
  fake.tryToPay(topUp.id, { status: 'successful' });
  const order = { reference: newId('tur'), topUpId: topUp.id, paymentId, amount: PAID, currency: 'NGN' };
  await sendTo(gateway.refunds, order);
  fake.tryToPay(topUp.id, { status: 'refunded' });
  expect(await gateway.refunds.find(order)).toMatchObject({ status: 'pending', amount: PAID });
  fake.changeRefund(order.reference, 'failed', 0);
  expect(await gateway.refunds.find(order)).toMatchObject({ status: 'failed', amount: PAID });
  fake.changeRefund(order.reference, 'completed', 0);
  await expect(gateway.refunds.find(order)).rejects.toMatchObject(unavailable);
  fake.tryToPay(topUp.id, { status: 'failed' });
  await expect(gateway.refunds.find(order)).rejects.toMatchObject(unavailable);
});
