import assert from 'node:assert';
import { expect, test } from 'vitest';
import { advanceRefunds } from '../../../../src/dispatch/due/pay-out.ts';
import { newId, type TopUpId, type TopUpRefundId } from '../../../../src/domain/ids.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import { TOP_UPS } from '../../../../src/models/ledger/wallets/top-up-shape.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { createFlutterwaveGateway } from '../../../../src/process/gateways/flutterwave-gateway.ts';
import { createPaystackGateway } from '../../../../src/process/gateways/paystack-gateway.ts';
import { openFakeFlutterwave } from '../../../process/gateways/fake-flutterwave.ts';
import { openFakePaystack } from '../../../process/gateways/fake-paystack.ts';
import { addServer, addStaff, call, openHouse, type House } from '../../house.ts';
import { aPayer } from './paying.ts';

const common = { realMs: 5000, homeUrl: 'https://delivery.example' };
const HOUR_MS = 3_600_000;

async function openPaystack() {
  const fake = await openFakePaystack();
  const gateway = createPaystackGateway({ ...common, key: 'sk_test_abcdefghijkl', url: fake.url });
  return {
    fake,
    gateway,
    done: 'processed',
    pay: (reference: string) => fake.change(reference, { status: 'success' }),
  };
}

async function openFlutterwave() {
  const fake = await openFakeFlutterwave();
  const [key, secretHash] = ['FLWSECK_TEST-abcdefghijkl', 'a-secret-hash-of-ours'];
  const gateway = createFlutterwaveGateway({ ...common, key, secretHash, url: fake.url });
  const pay = (reference: string) => fake.tryToPay(reference, { status: 'successful' });
  return { fake, gateway, done: 'completed-mpgs', pay };
}

const OPENS = { paystack: openPaystack, flutterwave: openFlutterwave };
type Opened = Awaited<ReturnType<(typeof OPENS)[keyof typeof OPENS]>>;

/** A vendor with a top-up of 50.00 NGN at a gateway, its refunds, and the work of the server on them some time later. */
async function toppedUpAt(what: string, { fake, gateway, done, pay }: Opened) {
  const house = await openHouse(what);
  const gateways = [gateway];
  const ctx = { ...house.ctx, gateways };
  const own: House = { ...house, ctx, ...(await addServer(house, { gateways })) };
  const [payer, token] = [await aPayer(own, 'NGN'), await addStaff(own, 'finance')];
  const { body } = await payer.fund({ amount: 5000 });
  pay(String((await ctx.topUps.find(body['id'] as never))?.checkout?.gatewayId));
  await payer.makeDue(body['id']);
  await payer.work();
  expect(await payer.available()).toBe(5000);
  const refund = async (amount: number): Promise<TopUpRefundId> => {
    const asked = { amount, reference: newId('req'), reason: 'the shop has closed' };
    const answer = await call(own, `POST /wallets/top-ups/${String(body['id'])}/refunds`, { token, body: asked });
    expect(answer.status).toBe(202);
    return String(answer.body['id']) as TopUpRefundId;
  };
  const turn = (ms: number) => {
    const clock = { ...ctx.clock, now: () => ctx.clock.now() + ms };
    return advanceRefunds({ ...ctx, clock }, { gateway: gateway.name, liveMode: false })(() => true);
  };
  const stateOf = async (id: TopUpRefundId) => (await ctx.topUpRefunds.find(id))?.state;
  return { house, own, fake, ctx, payer, topUpId: String(body['id']), refund, turn, stateOf, done };
}

test.each(Object.entries(OPENS))(
  '[J321] a refund at %s is sent once, and a person looks for one that cannot be found',
  async (name, open) => {
    const { house, fake, ctx, payer, refund, turn, stateOf, done } = await toppedUpAt(
      `refunds by ${name}`,
      await open(),
    );
    const first = await refund(1000);
    fake.hiddenRefunds.add(first);
    fake.loseNextRefund();
    await turn(0);
    expect(await stateOf(first)).toBe('processing');
    for (const hours of [1, 3]) {
      await turn(hours * HOUR_MS);
      expect(await stateOf(first)).toBe('needs_action');
    }
    expect(await ctx.topUpRefunds.find(first)).toMatchObject({ reason: 'not_seen_at_gateway' });
    const posted = fake.heard.filter(({ method, url }) => method === 'POST' && url.pathname.endsWith('refund'));
    expect(posted).toHaveLength(1);
    fake.hiddenRefunds.delete(first);
    fake.changeRefund(first, done);
    const second = await refund(4000);
    fake.changeRefund(second, done);
    await turn(5 * HOUR_MS);
    expect([await stateOf(first), await stateOf(second)]).toEqual(['paid', 'processing']);
    fake.changeRefund(second, 'failed');
    await turn(7 * HOUR_MS);
    expect([await stateOf(first), await stateOf(second), await payer.available()]).toEqual(['paid', 'failed', 4000]);
    expect(fake.refunds.size).toBe(2);
    expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  },
);

test.each(Object.entries(OPENS))(
  '[J324] a refund at %s that fails before it is sent waits, and is sent later',
  async (name, open) => {
    const { fake, ctx, payer, refund, turn, stateOf, done } = await toppedUpAt(
      `waiting refunds by ${name}`,
      await open(),
    );
    const id = await refund(1000);
    for (const [hours, fault] of (['limited', 'unavailable'] as const).entries()) {
      fake.faults.push(fault);
      await turn(hours * HOUR_MS);
      expect(await ctx.topUpRefunds.find(id)).toMatchObject({ state: 'pending', failures: hours + 1 });
    }
    expect(fake.refunds.size).toBe(0);
    await turn(3 * HOUR_MS);
    fake.changeRefund(id, done);
    await turn(5 * HOUR_MS);
    expect([await stateOf(id), await payer.available()]).toEqual(['paid', 4000]);
  },
);

test('[J320] the rest of a top-up at Flutterwave never leaves from a further payment', async () => {
  const opened = await openFlutterwave();
  const { fake } = opened;
  const { payer, topUpId, refund, turn, stateOf, done } = await toppedUpAt('refunds of paid twice', opened);
  const first = await refund(1000);
  await turn(0);
  fake.changeRefund(first, done);
  fake.tryToPay(topUpId, { status: 'refunded' });
  fake.payAgain(topUpId, 50);
  const rest = await refund(4000);
  await turn(HOUR_MS);
  expect([await stateOf(first), await stateOf(rest), await payer.available()]).toEqual(['paid', 'failed', 4000]);
  expect([...fake.refunds.values()].map((one) => one.transaction_id)).toEqual([1]);
});

/** The same at Paystack, with another member of finance, and the looks of the server at the payment. */
async function toppedUpAtPaystack(what: string) {
  const opened = await openPaystack();
  const { fake } = opened;
  const one = await toppedUpAt(what, opened);
  const { own, ctx, payer, topUpId, turn } = one;
  const other = await addStaff(own, 'finance');
  /** Lets the server look at the payment again. Returns what the wallet has then, and the entries about the top-up. */
  const afterLook = async () => {
    await ctx.topUps.reportLater(topUpId as TopUpId, 'paystack');
    await payer.work();
    const entries = await own.mongo.collection(ENTRIES).find({ about: topUpId }).toArray();
    return [await payer.available(), entries.map(({ kind }) => kind).toSorted()];
  };
  /** Lets a refund get lost, so that another person ends it as failed. */
  const giveUp = async (id: TopUpRefundId): Promise<void> => {
    fake.hiddenRefunds.add(id);
    fake.loseNextRefund();
    for (const hours of [0, 1]) await turn(hours * HOUR_MS);
    const body = { outcome: 'failed', reason: 'not in the dashboard' };
    const { status } = await call(own, `POST /wallets/refunds/${id}/resolve`, { token: other, body });
    expect(status).toBe(200);
  };
  return { ...one, fake, afterLook, giveUp };
}

test('[J325] a refund that a person has ended as failed is a chargeback if Paystack makes it after all', async () => {
  const { fake, house, payer, refund, giveUp, afterLook, done } = await toppedUpAtPaystack('refunds after all');
  const id = await refund(1000);
  await giveUp(id);
  expect([await payer.available(), await afterLook()]).toEqual([5000, [5000, ['top_up']]]);
  fake.hiddenRefunds.delete(id);
  fake.changeRefund(id, done);
  expect(await afterLook()).toEqual([4000, ['chargeback', 'repayment', 'top_up']]);
  fake.changeRefund(id, 'failed');
  expect(await afterLook()).toEqual([5000, ['chargeback', 'chargeback_return', 'repayment', 'top_up']]);
  expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J325] when a person ends a refund as failed, the server looks whether Paystack shows it by now', async () => {
  const { fake, payer, refund, giveUp } = await toppedUpAtPaystack('refunds seen late');
  const id = await refund(1000);
  await giveUp(id);
  fake.hiddenRefunds.delete(id);
  await payer.work();
  expect(await payer.available()).toBe(4000);
});

test('[J325] a refund that a person ends as failed and the look at its payment are one write', async () => {
  const { house, refund, topUpId } = await toppedUpAtPaystack('refunds ended at once');
  const id = await refund(1000);
  const before = await house.ctx.topUpRefunds.find(id);
  assert(before !== null);
  const end = (version: number) => house.ctx.topUpRefunds.resolve({ ...before, state: 'failed', version }, null, null);
  const dueAt = async () => (await house.mongo.collection(TOP_UPS).findOne({ _id: topUpId as TopUpId }))?.dueAt;
  expect([await dueAt(), await end(before.version + 2), await dueAt()]).toEqual([undefined, false, undefined]);
  expect(await end(before.version + 1)).toBe(true);
  expect(await dueAt()).toBeLessThanOrEqual(house.ctx.clock.now());
});

test('[J325] a refund that somebody repeats at Paystack is a chargeback, also if it names ours', async () => {
  const { fake, refund, turn, afterLook, done, stateOf } = await toppedUpAtPaystack('repeated refunds');
  const id = await refund(1000);
  await turn(0);
  expect(await afterLook()).toEqual([4000, ['top_up']]);
  const [ours] = fake.refunds.values();
  if (ours === undefined) throw new Error('the refund was made');
  fake.changeRefund(id, 'failed');
  fake.refunds.set('repeated', { ...ours, id: 99, status: done, merchant_note: `retry of ${id}` });
  await turn(HOUR_MS);
  expect(await stateOf(id)).toBe('failed');
  expect(await afterLook()).toEqual([4000, ['chargeback', 'repayment', 'top_up']]);
});

test('[J326] a payment at Paystack that was refunded before the server saw it is credited, and the refund is a chargeback', async () => {
  const { own, fake, payer, house } = await toppedUpAtPaystack('refunded unseen');
  const { body } = await payer.fund({ amount: 2500 });
  const id = String(body['id']);
  const reference = id.replace('_', '-');
  fake.change(reference, { status: 'reversed' });
  const refund = { transaction: fake.transactions.get(reference)?.id ?? 0, amount: 2500, currency: 'NGN' };
  fake.refunds.set('foreign', { ...refund, id: 7, status: 'processed', merchant_note: 'by somebody' });
  await payer.makeDue(id);
  await payer.work();
  expect(await payer.find(id)).toMatchObject({ status: 'succeeded', chargebacks: [{ amount: 2500, status: 'final' }] });
  expect(await payer.available()).toBe(5000);
  const kinds = (await own.mongo.collection(ENTRIES).find({ about: id }).toArray()).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['chargeback', 'repayment', 'top_up']);
  expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});
