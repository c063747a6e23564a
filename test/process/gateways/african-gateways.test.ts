import { expect, test } from 'vitest';
import { amountOf } from '../../../src/money/amount.ts';
import { createFlutterwaveGateway } from '../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../src/process/gateways/paystack-gateway.ts';
import { aTopUp } from '../../money/top-ups/a-top-up.ts';
import { openFakeFlutterwave } from './fake-flutterwave.ts';
import { openFakePaystack } from './fake-paystack.ts';

const common = { realMs: 1000, homeUrl: 'https://delivery.example' };
const SECRET = 'a-secret-hash-of-ours';
const paystack = await openFakePaystack();
const flutterwave = await openFakeFlutterwave();
const atPaystack = createPaystackGateway({ ...common, key: 'sk_test_abcdefghijkl', url: paystack.url });
const atFlutterwave = createFlutterwaveGateway({
  ...common,
  key: 'FLWSECK_TEST-abcdefghijkl',
  secretHash: SECRET,
  url: flutterwave.url,
});
const nobody = { email: null };

test('[J214] if the answer of Paystack got lost, a retry opens a page under another reference', async () => {
  const topUp = aTopUp({ gateway: 'paystack', currency: 'NGN' });
  paystack.faults.push('lost');
  await expect(atPaystack.open(topUp, nobody)).rejects.toMatchObject({ code: 'gateway_unavailable' });
  const { url, gatewayId } = await atPaystack.open(topUp, nobody);
  expect(gatewayId).toBe(`${topUp.id.replace('_', '-')}.2`);
  paystack.change(gatewayId, { status: 'success' });
  const payment = { is: 'paid', reference: topUp.id, amount: 1000, currency: 'NGN' };
  expect(await atPaystack.verify({ ...topUp, checkout: { url, gatewayId } })).toEqual(payment);
  for (let more = 0; more < 3; more += 1) await atPaystack.open(topUp, nobody);
  await expect(atPaystack.open(topUp, nobody)).rejects.toMatchObject({ code: 'top_up_refused' });
});

test('[J214] a receipt goes to the vendor, or to this service if the vendor has no address', async () => {
  await atPaystack.open(aTopUp({ currency: 'NGN' }), { email: 'ada@shop.example' });
  await atFlutterwave.open(aTopUp({ currency: 'NGN' }), nobody);
  expect(JSON.parse(paystack.heard.at(-1)?.body ?? '')).toMatchObject({ email: 'ada@shop.example' });
  const { customer, session_duration: minutes } = JSON.parse(flutterwave.heard.at(-1)?.body ?? '');
  expect([customer, minutes]).toEqual([{ email: 'wallets@delivery.example' }, 30]);
});

test.each([
  ['XOF', 1500, '1500'],
  ['UGX', 500_000, '500000'],
  ['NGN', 1501, '15.01'],
  ['NGN', 999_999_999_999, '9999999999.99'],
  ['NGN', 110, '1.10'],
])('[J215] at Flutterwave, %s %i in minor units is %s, both ways', async (currency, size, major) => {
  const topUp = aTopUp({ gateway: 'flutterwave', currency, amount: amountOf(size) });
  const { url, gatewayId } = await atFlutterwave.open(topUp, nobody);
  expect(flutterwave.asked.get(topUp.id)).toMatchObject({ amount: major, currency });
  flutterwave.tryToPay(topUp.id, { status: 'successful', amount: Number(major) });
  const [listed] = (await atFlutterwave.paymentsOf?.(topUp)) ?? [];
  const paid = { is: 'paid', reference: topUp.id, paymentId: listed?.id, amount: size, currency };
  expect(await atFlutterwave.verify({ ...topUp, checkout: { url, gatewayId } })).toEqual(paid);
});

test('[J215] an amount with a fraction of a minor unit cannot be used', async () => {
  const topUp = { ...aTopUp({ gateway: 'flutterwave', currency: 'XOF' }), checkout: { url: '', gatewayId: '' } };
  await atFlutterwave.open(topUp, nobody);
  flutterwave.tryToPay(topUp.id, { status: 'successful', amount: 10.5 });
  await expect(atFlutterwave.verify(topUp)).rejects.toMatchObject({ code: 'gateway_unavailable' });
});

test('[J213] an older account of Flutterwave proves a callback with the text itself', () => {
  const topUp = aTopUp();
  const raw = JSON.stringify({ event: 'charge.completed', data: { tx_ref: topUp.id, status: 'successful' } });
  const read = (headers: Record<string, string>) => atFlutterwave.readCallback(Buffer.from(raw), headers).is;
  expect(read({ 'verif-hash': SECRET })).toBe('about');
  expect(read({ 'verif-hash': `${SECRET}x` })).toBe('forged');
  // The text may have leaked. A wrong signature beside it still counts.
  expect(read({ 'verif-hash': SECRET, 'flutterwave-signature': 'x' })).toBe('forged');
});
