import { beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { followUp } from '../../../../src/money/top-ups/follow-up.ts';
import type { TopUp } from '../../../../src/money/top-ups/top-up.ts';
import { openFakeStripe } from '../../../process/gateways/fake-stripe.ts';
import { addServer, addStaff, call, openHouse, type House } from '../../house.ts';
import { aPayer, stripeAt } from './paying.ts';

const house = await openHouse('changed-disputes');
const stripe = await openFakeStripe();
const gateways = [await stripeAt(stripe.url)];
let [own, finance] = [house, ''];
beforeAll(async () => {
  const ctx: House['ctx'] = { ...house.ctx, gateways };
  own = { ...house, ctx, ...(await addServer(house, { gateways })) };
  finance = await addStaff(own, 'finance');
});

/** A top-up of 25.00 EUR that is credited, and a dispute of it that is not listed yet. */
async function credited() {
  const payer = await aPayer(own, 'EUR');
  const { body } = await payer.fund({ amount: 2500, gateway: 'stripe' });
  const id = body['id'] as TopUp['id'];
  const session = (await own.ctx.topUps.find(id))?.checkout?.gatewayId ?? '';
  const of = { payment_intent: `pi_${session}`, currency: 'eur' };
  stripe.change(session, { status: 'complete', payment_status: 'paid', payment_intent: of.payment_intent });
  const look = async () => {
    await payer.makeDue(id);
    await payer.work();
  };
  await look();
  const dispute = (name: string, amount: number, status = 'needs_response', currency = 'eur') => {
    const listed = stripe.disputes.findIndex((one) => one.id === `dp_${name}_${id}`);
    stripe.disputes.splice(listed < 0 ? stripe.disputes.length : listed, 1, {
      ...of,
      id: `dp_${name}_${id}`,
      amount,
      status,
      currency,
    });
  };
  const errors = () => own.lines.filter(({ level, fields }) => level === 'error' && fields['topUp'] === id);
  return { payer, id, look, dispute, errors };
}

test('[J400] if the amount of a dispute changes, the difference is booked once each time, and a won one gives back what was taken', async () => {
  const { payer, id, look, dispute, errors } = await credited();
  const steps = [
    [1000, 'needs_response', 1500],
    [1400, 'under_review', 1100],
    [1000, 'under_review', 1500],
    [1400, 'under_review', 1100],
    [1400, 'won', 2500],
    [1500, 'won', 2500],
  ] as const;
  for (const [amount, status, left] of steps) {
    dispute('first', amount, status);
    for (const _time of [1, 2]) {
      await look();
      expect([amount, status, await payer.available()]).toEqual([amount, status, left]);
    }
  }
  const booked = ['chargeback', 'chargeback', 'chargeback_return', 'chargeback', 'chargeback_return'];
  expect(errors().map(({ fields }) => fields['booked'])).toEqual(booked);
  expect(await payer.find(id)).toMatchObject({ chargebacks: [{ amount: 1500, status: 'returned' }] });
  const { body } = await call(own, 'GET /billing/transactions', { token: payer.token });
  const kinds = body.data?.map((one) => one['category']).filter((kind) => kind !== 'repayment');
  expect(kinds).toEqual([...booked.toReversed(), 'top_up']);
  expect(await verifyLedger(own.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J400] a lost dispute takes its last amount, and counts so for what can be refunded', async () => {
  const { payer, id, look, dispute } = await credited();
  dispute('first', 1000);
  await look();
  dispute('first', 2000, 'lost');
  await look();
  expect(await payer.available()).toBe(500);
  const asked = { amount: 501, reference: 'back', reason: 'the shop has closed' };
  const refused = await call(own, `POST /wallets/top-ups/${id}/refunds`, { token: finance, body: asked });
  expect(refused.body).toMatchObject({ code: 'refund_exceeds_top_up', metadata: { refundable: 500 } });
});

/** A look at the top-up that gets the present answer of the gateway, but only after other work. */
async function lateLook(id: TopUp['id']) {
  const [gateway] = gateways;
  const listed = gateway?.chargebacks;
  const topUp = await own.ctx.topUps.find(id);
  if (gateway === undefined || listed === undefined || topUp === null) throw new Error('Stripe lists disputes');
  const old = await listed.list(topUp);
  const lookNow = () => followUp(own.ctx, gateway, topUp);
  const lookAfter = (work: () => Promise<unknown>) =>
    followUp(own.ctx, { ...gateway, chargebacks: { ...listed, list: () => work().then(() => old) } }, topUp);
  return { lookNow, lookAfter };
}

test('[J402] a dispute that takes money again after it was won is booked once each time, also by two looks at once', async () => {
  const { payer, id, look, dispute, errors } = await credited();
  const [gateway] = gateways;
  const topUp = await own.ctx.topUps.find(id);
  if (gateway === undefined || topUp === null) throw new Error('the top-up is at Stripe');
  const steps = [
    [1000, 'needs_response', 1500],
    [1000, 'won', 2500],
    [1000, 'lost', 1500],
    [1000, 'won', 2500],
    [1700, 'lost', 800],
  ] as const;
  for (const [amount, status, left] of steps) {
    dispute('first', amount, status);
    await Promise.all([1, 2].map(() => followUp(own.ctx, gateway, topUp)));
    await look();
    expect([amount, status, await payer.available()]).toEqual([amount, status, left]);
  }
  const booked = ['chargeback', 'chargeback_return', 'chargeback', 'chargeback_return', 'chargeback'];
  expect(errors().map(({ fields }) => fields['booked'])).toEqual(booked);
  expect(await payer.find(id)).toMatchObject({ chargebacks: [{ amount: 1700, status: 'final' }] });
  expect(await verifyLedger(own.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J400] two looks at once book the difference once, and one with an older answer undoes nothing', async () => {
  const { payer, id, look, dispute } = await credited();
  dispute('first', 1000);
  await look();
  const { lookNow, lookAfter } = await lateLook(id);
  dispute('first', 1700);
  let later = 0;
  await lookAfter(async () => {
    await Promise.all([lookNow(), lookNow()]);
    later = await payer.available();
  });
  expect([later, await payer.available()]).toEqual([800, 800]);
});

test('[J402] a look with an older answer takes nothing more after another one has given back a won dispute', async () => {
  const { payer, id, look, dispute, errors } = await credited();
  dispute('first', 1000);
  await look();
  dispute('first', 1700);
  const { lookNow, lookAfter } = await lateLook(id);
  dispute('first', 1700, 'won');
  // The ledger has another entry under its key.
  const failed = await lookAfter(lookNow).catch(String);
  expect([await payer.available(), failed]).toEqual([2500, expect.stringContaining('key_reused')]);
  await look();
  expect(await payer.available()).toBe(2500);
  expect(errors().map(({ fields }) => fields['booked'])).toEqual(['chargeback', 'chargeback_return']);
});

test('[J400] a dispute that changes its currency is logged once, and the look goes on with the others', async () => {
  const { payer, look, dispute, errors } = await credited();
  dispute('first', 1000);
  await look();
  dispute('first', 1100, 'under_review', 'usd');
  dispute('second', 300);
  for (const _time of [1, 2]) {
    await look();
    expect(await payer.available()).toBe(1200);
  }
  expect(errors().map(({ fields }) => fields['booked'])).toEqual(['chargeback', undefined, 'chargeback']);
  dispute('first', 1100, 'won', 'usd');
  await look();
  expect(await payer.available()).toBe(2200);
});
