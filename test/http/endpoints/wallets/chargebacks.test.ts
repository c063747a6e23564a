import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { settleDue } from '../../../../src/dispatch/due/settle-top-ups.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { Refusal } from '../../../../src/domain/refusals/refusals.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { TOP_UPS } from '../../../../src/models/ledger/wallets/top-up-shape.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import type { TopUp } from '../../../../src/money/top-ups/top-up.ts';
import { createFlutterwaveGateway } from '../../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../../src/process/gateways/paystack-gateway.ts';
import { createStripeGateway } from '../../../../src/process/gateways/stripe-gateway.ts';
import { openFakeFlutterwave } from '../../../process/gateways/fake-flutterwave.ts';
import { openFakePaystack } from '../../../process/gateways/fake-paystack.ts';
import { openFakeStripe } from '../../../process/gateways/fake-stripe.ts';
import { addServer, addStaff, call, openHouse, type House } from '../../house.ts';
import { replyOf } from '../../routes.ts';
import { aPayer } from './paying.ts';

const house = await openHouse('chargebacks');
const [stripe, flutterwave, paystack] = [await openFakeStripe(), await openFakeFlutterwave(), await openFakePaystack()];
const common = { realMs: 5000, homeUrl: 'https://delivery.example' };
const [key, webhookSecret] = ['sk_test_abcdefghijkl', 'whsec_abcdefghijkl'];
const [flutterwaveKey, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
const gateways = [
  await createStripeGateway({
    ...common,
    key,
    webhookSecret,
    url: stripe.url,
    clock: { real: { wall: () => Date.now() } },
  }),
  createFlutterwaveGateway({ ...common, key: flutterwaveKey, secretHash, url: flutterwave.url }),
  createPaystackGateway({ ...common, key, url: paystack.url }),
];
let [own, finance] = [house, ''];
beforeAll(async () => {
  const ctx: House['ctx'] = { ...house.ctx, gateways };
  own = { ...house, ctx, ...(await addServer(house, { gateways })) };
  finance = await addStaff(own, 'finance');
});

/** An event of Stripe about an object, as Stripe signs it. */
async function tell(type: string, object: object, secret = webhookSecret): Promise<number> {
  const raw = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
  const signature = new Stripe(key).webhooks.generateTestHeaderString({ payload: raw, secret });
  const headers = { 'stripe-signature': signature };
  return (await call(own, 'POST /gateways/stripe/callbacks', { raw, headers })).status;
}

async function tellFlutterwave(reference: unknown): Promise<void> {
  const raw = JSON.stringify({ event: 'charge.completed', data: { id: 2, tx_ref: reference, status: 'successful' } });
  const headers = { 'flutterwave-signature': createHmac('sha256', secretHash).update(raw).digest('base64') };
  expect((await call(own, 'POST /gateways/flutterwave/callbacks', { raw, headers })).status).toBe(200);
}

/** A top-up of 25.00 EUR that is paid at Stripe, and at which nobody has looked yet. */
async function unseen() {
  const payer = await aPayer(own, 'EUR');
  const { body } = await payer.fund({ amount: 2500, gateway: 'stripe' });
  const topUp = await own.ctx.topUps.find(body['id'] as TopUp['id']);
  const session = topUp?.checkout?.gatewayId ?? '';
  const intent = `pi_${session}`;
  stripe.change(session, { status: 'complete', payment_status: 'paid', payment_intent: intent });
  await payer.makeDue(body['id']);
  return { payer, id: String(body['id']), of: { payment_intent: intent, amount: 2500, currency: 'eur' } };
}

/** A vendor with 25.00 EUR that were paid at Stripe. */
async function paid() {
  const one = await unseen();
  await one.payer.work();
  expect(await one.payer.available()).toBe(2500);
  return one;
}

const alertsOf = (id: string) =>
  own.lines.filter(({ level, fields }) => level === 'error' && fields['topUp'] === id).length;

test('[J264] a disputed payment leaves the wallet once, after the gateway has confirmed it, and comes back once if it is won', async () => {
  const { payer, id, of } = await paid();
  const dispute = { ...of, id: `dp_${id}`, status: 'needs_response' };
  expect(await tell('charge.dispute.created', dispute, 'whsec_another_one')).toBe(401);
  // The callback alone is not believed.
  expect(await tell('charge.dispute.created', dispute)).toBe(200);
  await payer.work();
  expect([await payer.available(), alertsOf(id)]).toEqual([2500, 0]);
  stripe.disputes.push(dispute);
  for (const type of ['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.updated']) {
    expect(await tell(type, dispute)).toBe(200);
    await payer.work();
    expect([await payer.available(), alertsOf(id)]).toEqual([0, 1]);
  }
  const chargeback = { id: dispute.id, cause: 'dispute', amount: 2500, currency: 'EUR' };
  expect(await payer.find(id)).toMatchObject({ status: 'succeeded', chargebacks: [{ ...chargeback, status: 'open' }] });
  const listed = await call(own, 'GET /wallets/top-ups?status=succeeded', { token: finance });
  expect(listed.body.data).toContainEqual(expect.objectContaining({ id, chargebacks: [expect.anything()] }));
  expect(replyOf('GET /wallets/top-ups')?.safeParse(listed.body).error).toBeUndefined();
  const categories = async () =>
    (await call(own, 'GET /billing/transactions', { token: payer.token })).body.data?.map((one) => one['category']);
  expect(await categories()).toEqual(['repayment', 'chargeback', 'top_up']);
  dispute.status = 'won';
  for (const _time of [1, 2]) {
    await tell('charge.dispute.closed', dispute);
    await payer.work();
    expect([await payer.available(), alertsOf(id)]).toEqual([2500, 2]);
  }
  expect(await payer.find(id)).toMatchObject({ chargebacks: [{ ...chargeback, status: 'returned' }] });
  expect(await categories()).toEqual(['chargeback_return', 'repayment', 'chargeback', 'top_up']);
});

test('[J264] what the wallet has spent becomes a debt, and held money stays held', async () => {
  const { payer, id, of } = await paid();
  const wallet = `wallet:${payer.vendorId}:test.EUR` as const;
  const hold = { key: `hold:${id}`, account: wallet, amount: amountOf(2000), about: id };
  await own.ctx.ledger.post({ do: 'hold', hold }, null);
  stripe.disputes.push({ ...of, id: `dp_${id}`, status: 'lost' });
  await tell('charge.dispute.closed', of);
  await payer.work();
  expect(await own.ctx.ledger.balance(wallet)).toMatchObject({ posted: 2000, held: 2000, owed: 2000 });
  expect(await verifyLedger(own.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J265] a refund at the gateway is taken out of the wallet, and one that we asked for is not', async () => {
  const { payer, id, of } = await paid();
  const refund = (name: string, amount: number, metadata = {}) => ({
    ...of,
    id: `re_${name}_${id}`,
    amount,
    metadata,
    status: 'succeeded',
  });
  const asked = { amount: 900, reference: newId('req'), reason: 'the shop has closed' };
  const ours = await call(own, `POST /wallets/top-ups/${id}/refunds`, { token: finance, body: asked });
  stripe.refunds.push(refund('again', 200, { refund_id: ours.body['id'] }), refund('theirs', 700, { note: id }));
  stripe.refunds.push(
    refund('ours', 900, { refund_id: ours.body['id'] }),
    refund('false', 100, { refund_id: newId('tur') }),
  );
  await tell('charge.refunded', of);
  await payer.work();
  expect(await payer.available()).toBe(600);
  const { chargebacks } = await payer.find(id);
  expect(chargebacks).toMatchObject([200, 700, 100].map((amount) => ({ cause: 'refund', amount, status: 'final' })));
});

test('[J265] a refund before the credit is taken out too, also if the gateway is silent just after the credit', async () => {
  const { payer, id, of } = await unseen();
  stripe.refunds.push({ ...of, id: `re_${id}`, amount: 700, status: 'succeeded' });
  await tell('charge.refunded', of);
  const chargebacks = { list: () => Promise.reject(new Refusal('gateway_unavailable')), referenceOf: async () => null };
  const silent = { ...own.ctx, gateways: gateways.map((gateway) => ({ ...gateway, chargebacks })) };
  await settleDue(silent, { gateway: 'stripe', liveMode: false }, () => true);
  expect([await payer.available(), (await payer.find(id))['status']]).toEqual([2500, 'succeeded']);
  const rowOf = () => own.mongo.collection(TOP_UPS).findOne({ _id: id as never });
  expect((await rowOf())?.dueAt).toBeGreaterThan(own.ctx.clock.now());
  await payer.makeDue(id);
  await payer.work();
  expect(await payer.available()).toBe(1800);
  expect(await rowOf()).not.toHaveProperty('dueAt');
});

test('[J264] an inquiry takes nothing, and a payment of somebody else is left alone', async () => {
  const { payer, id, of } = await paid();
  stripe.disputes.push({ ...of, id: `dp_${id}`, status: 'warning_needs_response' });
  await tell('charge.dispute.created', of);
  expect(await tell('charge.dispute.created', { ...of, payment_intent: 'pi_of_another_program' })).toBe(200);
  await payer.work();
  expect([await payer.available(), (await payer.find(id))['chargebacks']]).toEqual([2500, []]);
});

test('[J264] if the gateway does not answer, it is told to send the callback again, and a look is repeated', async () => {
  const { payer, id, of } = await paid();
  stripe.disputes.push({ ...of, id: `dp_${id}`, status: 'lost' });
  stripe.faults.push('unavailable');
  expect(await tell('charge.dispute.closed', of)).toBe(503);
  expect(await tell('charge.dispute.closed', of)).toBe(200);
  stripe.faults.push('unavailable');
  await payer.work();
  expect(await payer.available()).toBe(2500);
  await payer.makeDue(id);
  await payer.work();
  expect(await payer.available()).toBe(0);
  expect(await own.mongo.collection(TOP_UPS).findOne({ _id: id as never })).not.toHaveProperty('dueAt');
});

test('[J323] a refund that somebody makes at Paystack leaves the wallet once, and comes back once if it fails', async () => {
  const payer = await aPayer(own, 'NGN');
  const { body } = await payer.fund({ amount: 2500, gateway: 'paystack' });
  const id = String(body['id']);
  const reference = `top-${id.slice('top_'.length)}`;
  paystack.change(reference, { status: 'success' });
  await payer.makeDue(id);
  await payer.work();
  const transaction = paystack.transactions.get(reference)?.id ?? 0;
  const made = { id: 7, transaction, amount: 900, currency: 'NGN', merchant_note: 'by somebody' };
  for (const [status, left] of [
    ['pending', 1600],
    ['processed', 1600],
    ['failed', 2500],
  ] as const) {
    paystack.refunds.set('foreign', { ...made, status });
    const raw = JSON.stringify({ event: `refund.${status}`, data: { transaction_reference: reference } });
    const headers = { 'x-paystack-signature': createHmac('sha512', key).update(raw).digest('hex') };
    for (const _time of [1, 2]) {
      expect((await call(own, 'POST /gateways/paystack/callbacks', { raw, headers })).status).toBe(200);
      await payer.work();
    }
    expect(await payer.available()).toBe(left);
  }
  expect((await payer.find(id))['chargebacks']).toMatchObject([{ id: '7', cause: 'refund', status: 'returned' }]);
});

test('[J266] a second payment for one top-up at Flutterwave is in suspense once, and the log has an error', async () => {
  const payer = await aPayer(own, 'KES');
  const { body } = await payer.fund({ amount: 2500, gateway: 'flutterwave' });
  const id = String(body['id']);
  flutterwave.tryToPay(id, { status: 'successful' });
  await tellFlutterwave(id);
  await payer.work();
  expect([await payer.available(), alertsOf(id)]).toEqual([2500, 0]);
  flutterwave.payAgain(id, 19);
  for (const _time of [1, 2]) {
    await tellFlutterwave(id);
    await payer.work();
  }
  expect([await payer.available(), alertsOf(id)]).toEqual([2500, 1]);
  const { body: list } = await call(own, 'GET /wallets/suspense?status=open', { token: finance });
  expect(list.data?.filter((one) => one['top_up_id'] === id)).toMatchObject([{ amount: 1900, payment_id: '2' }]);
  const kinds = (await own.mongo.collection(ENTRIES).find({ about: id }).toArray()).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['suspense', 'top_up']);
});
