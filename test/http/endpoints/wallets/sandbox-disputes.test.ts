import { expect, test } from 'vitest';
import { advanceRefunds } from '../../../../src/dispatch/due/pay-out.ts';
import { sendDue } from '../../../../src/http/sandbox/send-notices.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { SANDBOX_PAYMENTS } from '../../../../src/models/sandbox/sandbox-shape.ts';
import { TOP_UPS } from '../../../../src/models/ledger/wallets/top-up-shape.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { addStaff, call, openHouse } from '../../house.ts';
import { aPayer } from './paying.ts';

const house = await openHouse('sandbox_disputes');
const { ctx } = house;
const payments = house.mongo.collection(SANDBOX_PAYMENTS);
const MINUTE_MS = 60_000;

/** A vendor who has paid at the sandbox, and whose callback has not been sent. */
async function unseen(amount: number) {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount });
  await payer.choose(body['authorization_url']);
  const id = String(body['id']);
  return {
    payer,
    id,
    /** Lets a minute pass at the sandbox. */
    passMinute: async () => {
      const earlier = { $inc: { resolvedAt: -MINUTE_MS, noticeAt: -MINUTE_MS } };
      expect((await payments.updateOne({ _id: id, noticeAt: { $exists: true } }, earlier)).modifiedCount).toBe(1);
    },
    loseCallbacks: () => payments.updateOne({ _id: id }, { $unset: { noticeAt: '' } }),
    dueAt: async () => (await house.mongo.collection(TOP_UPS).findOne({ _id: id as never }))?.dueAt,
    chargebacks: async () => (await payer.find(id))['chargebacks'],
    categories: async () =>
      (await call(house, 'GET /billing/transactions', { token: payer.token })).body.data?.map((one) => one['category']),
  };
}

/** A vendor whose payment at the sandbox is credited. */
async function paid(amount: number) {
  const one = await unseen(amount);
  await one.payer.work();
  expect([await one.payer.available(), await one.dueAt()]).toEqual([amount, undefined]);
  return one;
}

test('[J268] money that the bank takes back leaves the wallet once, although its callback comes early and twice', async () => {
  const { payer, id, passMinute, dueAt, chargebacks, categories } = await paid(5015);
  const raw = JSON.stringify({ type: 'dispute.updated', reference: id });
  const early = { raw, headers: { 'x-sandbox-signature': ctx.sandboxSigner.sign(`callback ${raw}`) } };
  expect((await call(house, 'POST /gateways/sandbox/callbacks', early)).status).toBe(200);
  await payer.work();
  expect([await payer.available(), await chargebacks()]).toEqual([5015, []]);
  await passMinute();
  for (const _time of [1, 2]) {
    await payer.makeNoticeDue(id);
    await payer.work();
    expect([await payer.available(), await dueAt()]).toEqual([0, undefined]);
  }
  const dispute = { id: `dispute_${id}`, cause: 'dispute', status: 'final', amount: 5015, currency: 'EUR' };
  expect(await payer.find(id)).toMatchObject({ status: 'succeeded', chargebacks: [dispute] });
  expect(await categories()).toEqual(['repayment', 'chargeback', 'top_up']);
  const span = { liveMode: false, from: 0, to: ctx.clock.now() + MINUTE_MS };
  const listed = await ctx.gateways[0]?.payments?.list(span, null);
  expect(listed?.items).toContainEqual(expect.objectContaining({ gatewayId: id, amount: 5015 }));
});

test('[J268] money that the bank returns comes back once, also if that callback is lost', async () => {
  for (const isLost of [false, true]) {
    const { payer, id, passMinute, loseCallbacks, dueAt, chargebacks, categories } = await paid(5016);
    await passMinute();
    await payer.work();
    expect([await payer.available(), await chargebacks()]).toMatchObject([0, [{ status: 'open' }]]);
    expect(Number(await dueAt()) - ctx.clock.now()).toBeGreaterThan(23 * 60 * MINUTE_MS);
    await passMinute();
    if (isLost) await Promise.all([loseCallbacks(), payer.makeDue(id)]);
    for (const _time of [1, 2]) await payer.work();
    expect([await payer.available(), await chargebacks()]).toMatchObject([5016, [{ status: 'returned' }]]);
    expect(await dueAt()).toBeUndefined();
    expect(await categories()).toEqual(['chargeback_return', 'repayment', 'chargeback', 'top_up']);
  }
});

test('[J271] money that the bank of the payer has taken back is not refunded as well, until it is returned', async () => {
  const { payer, id, passMinute } = await paid(5016);
  const finance = await addStaff(house, 'finance');
  const refund = async (amount: number) => {
    const body = { reference: `of-${amount}`, reason: 'the shop has closed', amount };
    return (await call(house, `POST /wallets/top-ups/${id}/refunds`, { token: finance, body })).body;
  };
  await passMinute();
  await payer.work();
  expect(await refund(1000)).toMatchObject({ status: 422, code: 'refund_exceeds_top_up' });
  await passMinute();
  await payer.work();
  expect(await refund(2000)).toMatchObject({ status: 'pending', amount: 2000 });
  expect(await payer.available()).toBe(3016);
});

test('[J268] a bank that takes back a payment of which a part was refunded leaves a debt of that part', async () => {
  const { payer, id, passMinute, categories } = await paid(5015);
  const finance = await addStaff(house, 'finance');
  const body = { reference: 'one', reason: 'the shop has closed', amount: 2000 };
  const refund = await call(house, `POST /wallets/top-ups/${id}/refunds`, { token: finance, body });
  expect(refund.status).toBe(202);
  await advanceRefunds(ctx, { gateway: 'sandbox', liveMode: false })(() => true);
  await passMinute();
  await payer.work();
  expect(await categories()).toEqual(['repayment', 'chargeback', 'top_up_refund', 'top_up']);
  expect(await payer.balance()).toMatchObject({ available: 0, owed: 2000 });
  expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J268] without a callback the money stays until the next look, which books it once', async () => {
  const { payer, id, passMinute, loseCallbacks, categories } = await paid(5015);
  await passMinute();
  await loseCallbacks();
  await payer.work();
  expect(await payer.available()).toBe(5015);
  for (const _look of [1, 2]) {
    await payer.makeDue(id);
    await payer.work();
    expect(await payer.available()).toBe(0);
    expect(await categories()).toEqual(['repayment', 'chargeback', 'top_up']);
  }
});

test('[J268] the callback is sent again if the receiver is away', async () => {
  const { payer, id, passMinute } = await paid(5015);
  await passMinute();
  await expect(sendDue({ ...ctx, ownUrl: 'http://127.0.0.1:1' }, () => true)).rejects.toThrow();
  expect(await payments.findOne({ _id: id })).toMatchObject({ notices: 1, tries: 1 });
  await payer.makeNoticeDue(id);
  await payer.work();
  expect(await payer.available()).toBe(0);
});

test('[J268] money that is taken back before the credit leaves the wallet too, and what is missing becomes a debt', async () => {
  const early = await unseen(5015);
  await early.passMinute();
  await early.payer.work();
  expect(await early.categories()).toEqual(['repayment', 'chargeback', 'top_up']);
  const { payer, id, passMinute } = await paid(5015);
  const wallet = `wallet:${payer.vendorId}:test.EUR` as const;
  const hold = { key: `hold:${id}`, account: wallet, amount: amountOf(2000), about: id };
  await ctx.ledger.post({ do: 'hold', hold }, null);
  await passMinute();
  await payer.work();
  expect(await ctx.ledger.balance(wallet)).toMatchObject({ posted: 2000, held: 2000, owed: 2000 });
  expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});
