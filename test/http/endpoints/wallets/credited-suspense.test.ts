import { beforeAll, expect, test } from 'vitest';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import type { TopUp } from '../../../../src/money/top-ups/top-up.ts';
import { openFakeStripe } from '../../../process/gateways/fake-stripe.ts';
import { addServer, addStaff, call, openHouse, type House } from '../../house.ts';
import { aPayer, stripeAt } from './paying.ts';

const house = await openHouse('credited-suspense');
const stripe = await openFakeStripe();
const gateways = [await stripeAt(stripe.url)];
let [own, finance] = [house, ''];
beforeAll(async () => {
  const ctx: House['ctx'] = { ...house.ctx, gateways };
  own = { ...house, ctx, ...(await addServer(house, { gateways })) };
  finance = await addStaff(own, 'finance');
});

/** A top-up of 25.00 EUR of which 24.00 EUR were paid, about which finance has decided. It may be disputed before. */
async function decided(decision: 'credit' | 'return', disputed?: 'lost') {
  const payer = await aPayer(own, 'EUR');
  const { body } = await payer.fund({ amount: 2500, gateway: 'stripe' });
  const id = body['id'] as TopUp['id'];
  const session = (await own.ctx.topUps.find(id))?.checkout?.gatewayId ?? '';
  const intent = `pi_${session}`;
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: intent, amount_total: 2400 } as const;
  stripe.change(session, paid);
  const look = async () => {
    await payer.makeDue(id);
    await payer.work();
  };
  const of = { payment_intent: intent, amount: 2400, currency: 'eur' };
  if (disputed !== undefined) stripe.disputes.push({ ...of, id: `dp_${intent}`, status: disputed });
  await look();
  const { body: list } = await call(own, 'GET /wallets/suspense?status=open', { token: finance });
  const row = list.data?.find((one) => one['top_up_id'] === id);
  const asked = { token: finance, body: { decision, reason: 'the payer asked for it' } };
  expect((await call(own, `POST /wallets/suspense/${String(row?.['id'])}/decide`, asked)).status).toBe(200);
  return { payer, look, of };
}

test('[J397] a dispute of money that was in suspense and was credited leaves the wallet, and comes back if it is won', async () => {
  const { payer, look, of } = await decided('credit');
  expect(await payer.available()).toBe(2400);
  const dispute = { ...of, id: `dp_${of.payment_intent}`, status: 'needs_response' };
  stripe.disputes.push(dispute);
  for (const _time of [1, 2]) {
    await look();
    expect(await payer.available()).toBe(0);
  }
  dispute.status = 'won';
  for (const _time of [1, 2]) {
    await look();
    expect(await payer.available()).toBe(2400);
  }
  expect(await verifyLedger(own.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J397] a dispute that was lost before the credit leaves the wallet as well, without another callback', async () => {
  const { payer } = await decided('credit', 'lost');
  await payer.work();
  expect(await payer.balance()).toMatchObject({ available: 0, owed: 0 });
});

test('[J397] a refund of money that was in suspense and was returned takes nothing out of the wallet', async () => {
  const { payer, look, of } = await decided('return');
  stripe.refunds.push({ ...of, id: `re_${of.payment_intent}`, status: 'succeeded' });
  await look();
  expect(await payer.balance()).toMatchObject({ available: 0, owed: 0 });
});
