import { expect, test } from 'vitest';
import { newId, type TopUpRefundId } from '../../../../src/domain/ids.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { SANDBOX_TRANSFERS } from '../../../../src/models/sandbox/sandbox-transfer-store.ts';
import { call } from '../../house.ts';
import { HOUR_MS, openRefunds, PAID } from './refunding.ts';

const { house, ctx, staff, toppedUp, refund, read, work, aGateway } = await openRefunds('stuck_refunds');

test('[J273] a process that dies around the call of the gateway loses no refund and sends none twice', async () => {
  const { payer, topUpId } = await toppedUp();
  const [lost, sent] = (await Promise.all([refund(topUpId, { amount: 1000 }), refund(topUpId, { amount: 2000 })])).map(
    ({ body }) => String(body['id']) as TopUpRefundId,
  );
  const dying = aGateway(() => Promise.reject(new Error('killed')));
  const before = lost === undefined ? null : await ctx.topUpRefunds.find(lost);
  // Killed after it noted that it sends, and before the call.
  if (before !== null) await ctx.topUpRefunds.replace({ ...before, state: 'processing', version: 2 }, null, null);
  await work(0, dying.gateways);
  const states = async () => [(await read(lost))['status'], (await read(sent))['status']];
  expect([await states(), dying.made.size, dying.sends()]).toEqual([['processing', 'processing'], 2, 2]);
  await Promise.all([work(HOUR_MS, dying.gateways), work(HOUR_MS, dying.gateways)]);
  expect([await states(), dying.made.size, dying.sends()]).toEqual([['paid', 'paid'], 2, 2]);
  expect(await payer.available()).toBe(2000);
});

test('[J273] the list of transfers, which is compared with payouts, has no refunds', async () => {
  const { topUpId } = await toppedUp();
  const id = String((await refund(topUpId)).body['id']);
  await work();
  expect((await read(id))['status']).toBe('paid');
  const { transfers } = ctx.gateways.find(({ name }) => name === 'sandbox') ?? {};
  const span = { liveMode: false, from: 0, to: ctx.clock.now() + HOUR_MS };
  expect(await house.mongo.collection(SANDBOX_TRANSFERS).countDocuments({ _id: id })).toBe(1);
  expect(await transfers?.list(span, null)).toEqual({ items: [], next: null });
});

test('[J273] a refund that comes back after it was paid is in the wallet again once', async () => {
  const { payer, topUpId } = await toppedUp();
  const gateway = aGateway(async ({ amount, currency }) => ({ status: 'success', amount, currency, reason: null }));
  const id = String((await refund(topUpId)).body['id']) as TopUpRefundId;
  await work(0, gateway.gateways);
  expect([(await read(id))['status'], await payer.available()]).toEqual(['paid', 0]);
  const was = gateway.made.get(id);
  if (was !== undefined) gateway.made.set(id, { ...was, status: 'failed', reason: 'expired_card' });
  await Promise.all([1, 2, 3].map(() => work(120_000, gateway.gateways)));
  expect(await read(id)).toMatchObject({ status: 'reversed', failure: 'expired_card' });
  expect(await payer.available()).toBe(PAID);
  const { body } = await call(house, 'GET /billing/transactions?category=top_up_refund_return', { token: payer.token });
  expect(body.data).toMatchObject([{ type: 'credit', amount: PAID, balance_after: PAID }]);
  expect((await refund(topUpId)).body).toMatchObject({ amount: PAID, status: 'pending' });
  expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J275] a refund that waits for a person ends as another member of finance says, once', async () => {
  const { payer, topUpId } = await toppedUp();
  const gateway = aGateway((of) => Promise.resolve({ ...of, status: 'needs_action', reason: 'call the gateway' }));
  const asked = await Promise.all([refund(topUpId, { amount: 1000 }), refund(topUpId, { amount: 2000 })]);
  const [paid = '', failed = ''] = asked.map(({ body }) => String(body['id']));
  const resolve = (id: string, outcome: string, token = staff.other) =>
    call(house, `POST /wallets/refunds/${id}/resolve`, { token, body: { outcome, reason: 'seen at the gateway' } });
  expect((await resolve(paid, 'paid')).body).toMatchObject({ status: 409, code: 'top_up_refund_not_open' });
  await work(0, gateway.gateways);
  expect((await resolve(paid, 'paid', staff.finance)).body).toMatchObject({ status: 403, code: 'forbidden' });
  const answers = await Promise.all([resolve(paid, 'paid'), resolve(paid, 'paid')]);
  expect(answers.map(({ status, body }) => [status, body['status']])).toEqual([
    [200, 'paid'],
    [200, 'paid'],
  ]);
  expect((await resolve(paid, 'failed')).body).toMatchObject({ code: 'top_up_refund_not_open' });
  expect((await resolve(failed, 'failed')).body).toMatchObject({ status: 'failed', failure: 'seen at the gateway' });
  expect((await resolve(newId('tur'), 'paid')).status).toBe(404);
  for (const [id, made] of gateway.made) gateway.made.set(id, { ...made, status: 'failed' });
  for (const hours of [1, 100]) await work(hours * HOUR_MS, gateway.gateways);
  expect([(await read(paid))['status'], await payer.available()]).toEqual(['paid', 4000]);
  const { items } = await ctx.audit.list({ action: 'top_up_refund.resolve' }, { limit: 20, after: null });
  expect(items.map(({ objectId }) => objectId).toSorted()).toEqual([paid, failed].toSorted());
  const { text } = await call(house, 'GET /audit', { token: payer.token });
  expect(text).not.toContain('seen at the gateway');
});
