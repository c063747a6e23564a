import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { settleTopUp } from '../../../../src/money/top-ups/settle-top-up.ts';
import { SANDBOX_PAYMENTS } from '../../../../src/models/sandbox/sandbox-shape.ts';
import { TOP_UPS } from '../../../../src/models/ledger/wallets/top-up-shape.ts';
import { addVendor, call, openHouse } from '../../house.ts';
import { aTopUp } from '../../../money/top-ups/a-top-up.ts';
import { aPayer } from './paying.ts';

const MOST = 3;
const house = await openHouse('top_ups', (settings) => ({
  ...settings,
  topUps: { ...settings.topUps, mostPending: MOST, mostAmount: 1_000_000 },
}));
const { ctx } = house;
const CALLBACKS = 'POST /gateways/sandbox/callbacks';

/** A callback as the sandbox sends it. */
function aCallback(reference: unknown, type = 'payment.paid') {
  const raw = JSON.stringify({ type, reference });
  return { raw, headers: { 'x-sandbox-signature': ctx.sandboxSigner.sign(`callback ${raw}`) } };
}

test('[J81] a top-up has a page on which the payer pays, and is credited after the gateway has confirmed it', async () => {
  const payer = await aPayer(house);
  const body = { amount: 2500, currency: 'EUR', gateway: 'sandbox', return_url: 'https://shop.example/wallet?a=1&b=2' };
  const started = await payer.fund(body);
  expect(started.status).toBe(202);
  const { id } = started.body;
  expect(started.headers.get('location')).toBe(`/wallets/top-ups/${String(id)}`);
  expect(started.body).toMatchObject({
    object: 'top_up',
    reference: id,
    status: 'pending',
    amount: 2500,
    authorization_url: expect.stringContaining(`${house.url}/sandbox/checkout/`),
    ended_at: null,
    live_mode: false,
  });
  const page = await fetch(String(started.body['authorization_url']));
  expect(await page.text()).toContain('25.00 EUR');
  await payer.work();
  expect(await payer.available()).toBe(0);
  const paid = await payer.choose(started.body['authorization_url']);
  expect(await paid.text()).toContain('href="https://shop.example/wallet?a=1&amp;b=2"');
  expect(await payer.available()).toBe(0);
  await payer.work();
  expect(await payer.available()).toBe(2500);
  expect(await payer.find(id)).toMatchObject({ status: 'succeeded', reason: null, ended_at: expect.any(String) });
});

test('[J82] a callback credits nothing by itself, and one with a wrong signature is refused', async () => {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount: 2500 });
  const callback = aCallback(body['id']);
  const forged = {
    ...callback,
    headers: { 'x-sandbox-signature': createHmac('sha256', 'x').update(callback.raw).digest('base64url') },
  };
  const refused = await call(house, CALLBACKS, forged);
  expect([refused.status, refused.body['code']]).toEqual([401, 'unauthorized']);
  expect(await payer.balance()).toMatchObject({ pending: 0 });
  for (const _time of [1, 2]) expect((await call(house, CALLBACKS, callback)).status).toBe(200);
  // The sandbox has said that the payer paid, and does not confirm it.
  expect(await payer.balance()).toMatchObject({ available: 0, pending: 2500 });
  await payer.work();
  expect(await payer.balance()).toMatchObject({ available: 0, pending: 0 });
  expect((await call(house, CALLBACKS, aCallback(newId('top')))).status).toBe(200);
  expect((await call(house, CALLBACKS, aCallback(body['id'], 'payment.other'))).status).toBe(200);
  expect((await call(house, 'POST /gateways/nobody/callbacks', callback)).status).toBe(404);
});

test('[J339] the pending amount of a wallet contains only top-ups in its currency', async () => {
  const payer = await aPayer(house);
  const paid = { vendorId: payer.vendorId, isPaid: true };
  await ctx.topUps.add(aTopUp({ ...paid, amount: amountOf(700) }), MOST);
  const foreign = aTopUp({ ...paid, amount: amountOf(90_000) });
  await ctx.topUps.add(foreign, MOST);
  // Vendors could change their currency after their first money in earlier releases.
  await house.mongo.collection(TOP_UPS).updateOne({ _id: foreign.id }, { $set: { currency: 'GHS' } });
  expect(await payer.balance()).toMatchObject({ currency: 'EUR', pending: 700 });
});

test('[J83] the server looks at a top-up whose callback never came, after pauses that grow', async () => {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount: 2505 });
  await payer.choose(body['authorization_url']);
  const row = () => house.mongo.collection(TOP_UPS).findOne({ _id: body['id'] as never });
  const { createdAt = 0, dueAt: firstAt = 0 } = (await row()) ?? {};
  expect(firstAt - createdAt).toBe(ctx.settings.topUps.firstLookMs);
  const pauses: number[] = [];
  for (const _look of [1, 2, 3]) {
    await payer.makeDue(body['id']);
    const claims = await Promise.all([
      ctx.topUps.claimDue({ gateway: 'sandbox', liveMode: false }, 10),
      ctx.topUps.claimDue({ gateway: 'sandbox', liveMode: false }, 10),
    ]);
    expect(claims.flat().filter(({ id }) => id === body['id'])).toHaveLength(1);
    pauses.push(((await row())?.dueAt ?? 0) - ctx.clock.now());
  }
  expect(pauses.map((pause) => Math.round(pause / 10_000))).toEqual([3, 6, 12]);
  await payer.makeDue(body['id']);
  await payer.work();
  expect(await payer.available()).toBe(2505);
  expect(await row()).not.toHaveProperty('dueAt');
});

test('[J86] an account has a bounded number of pending top-ups, even if it starts many at once', async () => {
  const payer = await aPayer(house);
  const answers = await Promise.all(Array.from({ length: 8 }, () => payer.fund({ amount: 2500 })));
  const codes = answers.map(({ status, body }) => `${status} ${String(body['code'])}`).toSorted();
  expect(codes).toEqual([
    ...Array.from({ length: MOST }, () => '202 undefined'),
    ...Array.from({ length: 8 - MOST }, () => '422 too_many_top_ups'),
  ]);
});

test('[J87] a retry with the same key goes on with the same payment', async () => {
  const payer = await aPayer(house);
  const [first, second] = [await payer.fund({ amount: 2500 }, 'same'), await payer.fund({ amount: 2500 }, 'same')];
  expect(second.body).toEqual(first.body);
  const [third, fourth] = await Promise.all([
    payer.fund({ amount: 300 }, 'at once'),
    payer.fund({ amount: 300 }, 'at once'),
  ]);
  expect(third?.body['id']).toBe(fourth?.body['id']);
});

test('[J211] the refusal of a gateway lists those that take the payment', async () => {
  const refused = await (await aPayer(house)).fund({ amount: 2500, gateway: 'stripe' }, 'stripe');
  expect(refused.body['detail']).toBe('`/gateway` must be `sandbox` for EUR in test mode.');
});

test('[J88] the sandbox takes payments of test mode only, and live mode needs another gateway', async () => {
  const { id } = await addVendor(house);
  const { key: token } = await ctx.credentials.addVendorKey(id, true);
  const live = await call(house, 'POST /wallets/fund', { token, body: { amount: 2500 } });
  expect([live.status, live.body['code']]).toEqual([422, 'no_gateway']);
});

test.each([
  [{ amount: 0 }, 400],
  [{ amount: 10.5 }, 400],
  [{ amount: 2500, return_url: 'javascript:alert(1)' }, 400],
  [{ amount: 2500, return_url: 'https://a:b@shop.example' }, 422],
  [{ amount: 2500, gateway: 'nobody' }, 400],
  [{ amount: 2500, currency: 'USD' }, 422],
  [{ amount: 1_000_001 }, 422],
])('[J81] %j is refused with %i', async (body, status) => {
  const payer = await aPayer(house);
  expect((await payer.fund(body)).status).toBe(status);
});

test('[J89] a person pays or declines once, on a page that only its link opens', async () => {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount: 2500 });
  const page = String(body['authorization_url']);
  const answer = await fetch(page);
  expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'");
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect((await fetch(`${page}x`)).status).toBe(404);
  expect((await payer.choose(page, 'steal')).status).toBe(404);
  expect(await (await payer.choose(page, 'decline')).text()).toContain('Declined');
  expect(await (await payer.choose(page, 'pay')).text()).toContain('Declined');
  await payer.work();
  expect(await payer.find(body['id'])).toMatchObject({ status: 'failed', reason: 'declined' });
  const strange = await call(house, `GET /sandbox/payments/${String(body['id'])}`, { token: payer.token });
  expect(strange.status).toBe(401);
});

test('[J85] a payment that the gateway confirms after the top-up has expired is credited', async () => {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount: 2500 });
  await house.mongo.collection(TOP_UPS).updateOne({ _id: body['id'] as never }, { $set: { expiresAt: 1, dueAt: 0 } });
  await payer.work();
  expect(await payer.find(body['id'])).toMatchObject({ status: 'expired', reason: 'not_paid' });
  await payer.choose(body['authorization_url']);
  await payer.work();
  expect(await payer.available()).toBe(2500);
  expect(await payer.find(body['id'])).toMatchObject({ status: 'succeeded', reason: null });
  const row = await house.mongo.collection(TOP_UPS).findOne({ _id: body['id'] as never });
  expect(row).not.toHaveProperty('endsOn');
});

test('[J210] a payment in the last moment is credited once, although our clock is ahead and its callback is lost', async () => {
  const payer = await aPayer(house);
  // The sandbox never sends the callback of such an amount.
  const { body } = await payer.fund({ amount: 2505 });
  const row = await expireOurs(body['id'], ctx.clock.now() - 1);
  await payer.work();
  expect(await payer.find(body['id'])).toMatchObject({ status: 'expired', reason: 'not_paid' });
  const pauseMs = ((await row())?.dueAt ?? 0) - ctx.clock.now();
  expect(Math.round(pauseMs / 10_000)).toBe(3);
  await payer.choose(body['authorization_url']);
  for (const _look of [1, 2]) {
    await payer.makeDue(body['id']);
    await payer.work();
  }
  expect(await payer.find(body['id'])).toMatchObject({ status: 'succeeded', reason: null });
  expect(await payer.balance()).toMatchObject({ available: 2505, pending: 0 });
});

test('[J210] the looks after an expiry end with the page of the gateway, and after a bounded time', async () => {
  const payer = await aPayer(house);
  const { body: old } = await payer.fund({ amount: 2505 });
  const oldRow = await expireOurs(old['id'], ctx.clock.now() - ctx.settings.topUps.afterExpiryMs);
  await payer.work();
  expect(await oldRow()).toMatchObject({ state: 'expired' });
  expect(await oldRow()).not.toHaveProperty('dueAt');
  const { body: closed } = await payer.fund({ amount: 2505 });
  const closedRow = await expireOurs(closed['id'], ctx.clock.now() - 1);
  const atSandbox = { $set: { expiresAt: 1 } };
  await house.mongo.collection(SANDBOX_PAYMENTS).updateOne({ _id: String(closed['id']) }, atSandbox);
  await payer.work();
  expect(await closedRow()).toMatchObject({ state: 'expired' });
  expect(await closedRow()).not.toHaveProperty('dueAt');
  expect(await (await payer.choose(closed['authorization_url'])).text()).toContain('Expired');
});

test('[J214] of two pages that two tries have opened, the one that is stored first counts', async () => {
  const topUp = await ctx.topUps.add(aTopUp({ expiresAt: ctx.clock.now() + 60_000 }), MOST);
  if (topUp === null) throw new Error('the top-up is stored');
  const page = (gatewayId: string) => ({ url: `https://pay.example/${gatewayId}`, gatewayId, expiresAt: 1 });
  const answers = [await ctx.topUps.open(topUp.id, page('2')), await ctx.topUps.open(topUp.id, page('1'))];
  expect(answers.map((answer) => answer?.checkout?.gatewayId)).toEqual(['2', '2']);
});

/** Lets the time pass at which a top-up expires by our clock, and makes a look due. Returns a reader of its row. */
async function expireOurs(id: unknown, expiresAt: number) {
  const rows = house.mongo.collection(TOP_UPS);
  await rows.updateOne({ _id: id as never }, { $set: { expiresAt, dueAt: 0 } });
  return () => rows.findOne({ _id: id as never });
}

test('[J91] two processes that settle a top-up at once, or one that dies in between, book its money once', async () => {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount: 2500 });
  await payer.choose(body['authorization_url']);
  const topUp = await ctx.topUps.find(body['id'] as never);
  if (topUp === null) throw new Error('the top-up is stored');
  const dying = { ...ctx, topUps: { ...ctx.topUps, end: () => Promise.reject(new Error('killed')) } };
  await expect(settleTopUp(dying, topUp)).rejects.toThrow('killed');
  expect(await payer.available()).toBe(0);
  await Promise.all([settleTopUp(ctx, topUp), settleTopUp(ctx, topUp), settleTopUp(ctx, topUp)]);
  expect(await payer.balance()).toMatchObject({ available: 2500, pending: 0 });
});
