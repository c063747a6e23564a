import { expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { SANDBOX_TRANSFERS } from '../../../../src/models/sandbox/sandbox-transfer-store.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { requestRefund } from '../../../../src/money/top-ups/request-refund.ts';
import type { TopUpRefund } from '../../../../src/money/top-ups/top-up-refund.ts';
import { adjustWallet } from '../../../../src/money/wallets/adjust-wallet.ts';
import { addStaff, call } from '../../house.ts';
import { replyOf } from '../../routes.ts';
import { withoutRow } from '../../sandbox-behaviours.ts';
import { HOUR_MS, MILLION, openRefunds, PAID } from './refunding.ts';

const { house, ctx, staff, toppedUp, refund, read, work, kindsOf } = await openRefunds('top_up_refunds');

test('[J274] finance refunds a part of a top-up and then the rest, and the vendor sees both', async () => {
  const { payer, topUpId } = await toppedUp();
  const key = { 'idempotency-key': 'refund-1' };
  const body = { reference: 'ticket-1', reason: 'the shop has closed', amount: 2000 };
  const ask = (token: string) => call(house, `POST /wallets/top-ups/${topUpId}/refunds`, { token, body, headers: key });
  const answer = await ask(staff.finance);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    202,
    `/wallets/refunds/${String(answer.body['id'])}`,
  ]);
  expect(answer.body).toMatchObject({ status: 'pending', amount: 2000, top_up_id: topUpId, reason: body.reason });
  expect(replyOf('POST /wallets/top-ups/{id}/refunds')?.safeParse(answer.body).error).toBeUndefined();
  expect([await payer.available(), (await ask(staff.finance)).body['id']]).toEqual([3000, answer.body['id']]);
  expect((await refund(topUpId, { reference: 'ticket-1' }, staff.other)).body['id']).toBe(answer.body['id']);
  const rest = await refund(topUpId, {}, staff.other);
  expect(rest.body).toMatchObject({ amount: 3000, status: 'pending' });
  await work();
  expect([await read(answer.body['id']), await read(rest.body['id'])]).toMatchObject([
    { status: 'paid', failure: null },
    { status: 'paid' },
  ]);
  const { body: list } = await call(house, `GET /wallets/refunds?top_up_id=${topUpId}&status=paid`, {
    token: staff.other,
  });
  expect(list.data?.map(({ id }) => id)).toEqual([rest.body['id'], answer.body['id']]);
  const { body: seen } = await call(house, 'GET /billing/transactions?type=debit', { token: payer.token });
  const shown = { type: 'debit', category: 'top_up_refund', description: body.reason };
  expect(seen.data).toMatchObject([
    { ...shown, amount: -3000, balance_after: 0 },
    { ...shown, amount: -2000, balance_after: 3000 },
  ]);
  const { items } = await ctx.audit.list({ action: 'top_up.refund' }, { limit: 20, after: null });
  expect(items.filter(({ vendorId }) => vendorId === payer.vendorId)).toHaveLength(2);
});

test('[J274] nobody but finance refunds top-ups, and only those that have succeeded at a gateway of this process', async () => {
  const { payer, topUpId } = await toppedUp();
  for (const token of [payer.token, await addStaff(house, 'support', 'admin')])
    expect((await refund(topUpId, {}, token)).status).toBe(403);
  const { body: pending } = await payer.fund({ amount: 100 });
  expect((await refund(String(pending['id']))).body).toMatchObject({ status: 409, code: 'top_up_not_refundable' });
  expect((await refund(newId('top'))).body).toMatchObject({ status: 404, code: 'top_up_not_found' });
  expect(await read(newId('tur'))).toMatchObject({ status: 404, code: 'top_up_refund_not_found' });
  const gateways = ctx.gateways.filter(({ name }) => name !== 'sandbox');
  const asked = { id: newId('tur'), reference: 'x', note: 'x', requestedBy: newId('stf'), amount: amountOf(1) };
  const refused = requestRefund({ ...ctx, gateways }, topUpId, asked);
  await expect(refused).rejects.toMatchObject({ code: 'no_gateway' });
  expect(await payer.available()).toBe(PAID);
});

test('[J271] refunds that are asked for at once never exceed the top-up', async () => {
  const { payer, topUpId } = await toppedUp();
  const answers = await Promise.all(Array.from({ length: 20 }, () => refund(topUpId, { amount: 400 })));
  const codes = answers.map(({ status, body }) => String(status === 202 ? 202 : body['code'])).toSorted();
  expect(codes).toEqual([...Array(12).fill('202'), ...Array(8).fill('refund_exceeds_top_up')]);
  expect(await payer.available()).toBe(200);
  await Promise.all([work(), work()]);
  const list = async () => {
    const route = `GET /wallets/refunds?top_up_id=${topUpId}&limit=100`;
    return (await call(house, route, { token: staff.finance })).body.data;
  };
  // On a busy machine the gateway may answer too late. A later look finds what it has done.
  for (let looks = 1; looks <= 5 && (await list())?.some(({ status }) => status === 'processing'); looks += 1)
    await work(looks * HOUR_MS);
  expect((await list())?.map(({ status, amount }) => [status, amount])).toEqual(Array(12).fill(['paid', 400]));
});

test('[J371] a refund may name any part of a top-up, however large the server lets top-ups be', async () => {
  const { payer, topUpId } = await toppedUp(3 * MILLION);
  const part = await refund(topUpId, { amount: 2 * MILLION });
  expect([part.status, part.text]).toEqual([202, part.text]);
  expect((await refund(topUpId, { amount: 2 * MILLION })).body).toMatchObject({
    code: 'refund_exceeds_top_up',
    metadata: { refundable: MILLION },
  });
  expect(await payer.available()).toBe(MILLION);
});

test('[J271] a refund never exceeds what the wallet has available', async () => {
  const { payer, topUpId } = await toppedUp();
  const { vendorId } = payer;
  const charge = { vendorId, liveMode: false, currency: 'EUR', amount: amountOf(-3000), reason: 'x', reference: 'x' };
  await adjustWallet(ctx, charge);
  expect((await refund(topUpId)).body).toMatchObject({ status: 402, code: 'insufficient_funds' });
  const answers = await Promise.all([1, 2, 3].map(() => refund(topUpId, { amount: 1900 })));
  expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['202', '402', '402']);
  expect(await payer.available()).toBe(100);
});

type Cell = [mode: string, states: readonly TopUpRefund['state'][], kinds: readonly string[]];
/** The states of a refund for each behaviour of the sandbox: after the first call, after a look, and later. */
const CELLS: readonly Cell[] = [
  ['00', ['paid', 'paid', 'paid'], ['_paid']],
  ['01', ['failed', 'failed', 'failed'], ['_return']],
  ['07', ['needs_action', 'needs_action', 'needs_action'], []],
  ['08', ['needs_action', 'needs_action', 'needs_action'], []],
  ['09', ['processing', 'paid', 'paid'], ['_paid']],
  ['10', ['processing', 'paid', 'paid'], ['_paid']],
  ['11', ['failed', 'failed', 'failed'], ['_return']],
  ['12', ['paid', 'paid', 'reversed'], ['_paid', '_return']],
  ['13', ['needs_action', 'needs_action', 'paid'], ['_paid']],
  ['14', ['processing', 'processing', 'paid'], ['_paid']],
  // These are behaviours of payments.
  ...['02', '03', '04', '05', '06', '15', '16'].map((mode): Cell => [mode, ['paid', 'paid', 'paid'], ['_paid']]),
];

test('[J272] each behaviour of the sandbox has a row here', () => {
  expect(withoutRow(CELLS.map(([mode]) => mode))).toEqual([]);
});

test.each(CELLS)('[J272] with an amount that ends in %s a refund is %j', async (mode, states, kinds) => {
  const { payer, topUpId } = await toppedUp();
  const amount = Number(`10${mode}`);
  const { body } = await refund(topUpId, { amount });
  const id = String(body['id']);
  expect(await payer.available()).toBe(PAID - amount);
  const seen: unknown[] = [];
  const look = async (afterMs: number): Promise<void> => {
    await work(afterMs);
    seen.push((await read(id))['status']);
  };
  await look(0);
  await look(30_000);
  const old = { $set: { createdAt: ctx.clock.now() - 61_000 } };
  await house.mongo.collection(SANDBOX_TRANSFERS).updateOne({ _id: id }, old);
  await look(2 * HOUR_MS);
  expect(seen).toEqual(states);
  expect(await kindsOf(id)).toEqual(['', ...kinds].map((end) => `top_up_refund${end}`));
  expect(await payer.available()).toBe(kinds.includes('_return') ? PAID : PAID - amount);
});
