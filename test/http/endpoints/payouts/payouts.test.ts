import { beforeAll, expect, test } from 'vitest';
import { advancePayouts } from '../../../../src/dispatch/due/pay-out.ts';
import { newId, type CourierId } from '../../../../src/domain/ids.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { SANDBOX_TRANSFERS } from '../../../../src/models/sandbox/sandbox-transfer-store.ts';
import type { Payout } from '../../../../src/money/payouts/payout.ts';
import { earn } from '../../../money/payouts/an-earning.ts';
import { crashAfterEffect } from '../../idempotency/crash-after-effect.ts';
import { addCourier, addServer, addStaff, call } from '../../house.ts';
import { replyOf } from '../../routes.ts';
import { withoutRow } from '../../sandbox-behaviours.ts';
import { HOUR_MS, isOurs, openPayees, payDue } from './payees.ts';

const payees = await openPayees('payouts');
const { house, ctx, later, earned, stateOf, earnerOf, born, aGateway } = payees;

let [finance, other, service] = ['', '', ''];
beforeAll(async () => {
  [finance, other] = [await addStaff(house, 'finance'), await addStaff(house, 'finance')];
  service = await ctx.credentials.issueInternal('payroll', 600);
});

/** A courier who has earned this much, with a bank account whose last digits say how the sandbox treats it. */
async function earner(currency: string, pay: number, mode = '00'): Promise<CourierId> {
  const { id, token } = await addCourier(house);
  const body = { holder_name: 'Ada Obi', currency, country: 'NG', account_number: `06900000${mode}`, bank_code: '044' };
  const set = await call(house, `PUT /couriers/${id}/bank-account`, { token, body });
  expect(set.status).toBe(200);
  await earn(ctx, id, { pay, currency });
  return id;
}

const askFor = (currency: string, token = finance) => payees.askFor(currency, token);
const listed = async (query: string, token = finance) =>
  (await call(house, `GET /payouts?${query}`, { token })).body.data ?? [];

/** Makes the payouts of the currency, and returns that of the courier. */
async function payoutOf(id: CourierId, currency: string, token = finance): Promise<Payout> {
  expect((await askFor(currency, token)).status).toBe(202);
  await payDue(ctx)(isOurs);
  const { items } = await ctx.payouts.list({ courierId: id }, { limit: 1, after: null });
  const [payout] = items;
  if (payout === undefined) throw new Error('the courier has no payout');
  return payout;
}

test('[J145] a batch pays all that each courier has earned to their bank account, once', async () => {
  const [one, poor] = [await earner('EUR', 5_000), await earner('EUR', 99)];
  const { id: without } = await addCourier(house);
  await earn(ctx, without, { pay: 700 });
  const { id: moved, token } = await addCourier(house);
  const account = { holder_name: 'Ada', currency: 'EUR', iban: 'DE75512108001245126199' };
  for (const holder_name of ['Ada', 'Eve'])
    await call(house, `PUT /couriers/${moved}/bank-account`, { token, body: { ...account, holder_name } });
  await earn(ctx, moved, { pay: 800 });
  const asked = await Promise.all([askFor('EUR'), askFor('EUR', other), askFor('EUR', service)]);
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(asked.map(({ body }) => JSON.stringify(body['requested_by']))).size).toBe(1);
  for (let turn = 0; turn < 3; turn += 1) await Promise.all([payDue(ctx)(isOurs), payDue(ctx)(isOurs)]);
  const again = await askFor('EUR');
  expect(again.body).toMatchObject({ status: 'made', payouts: 1, amount: 5_000, currency: 'EUR', live_mode: false });
  expect(replyOf('POST /payouts/process')?.safeParse(again.body).error).toBeUndefined();
  const payouts = await listed(`batch_id=${String(again.body['id'])}`, service);
  expect(payouts).toMatchObject([{ courier_id: one, amount: 5_000, status: 'paid', bank_account_last4: '0000' }]);
  expect(await listed(`courier_id=${one}&status=paid`)).toEqual(payouts);
  expect(await listed(`courier_id=${one}&status=failed`)).toEqual([]);
  const left = await Promise.all([one, poor, without, moved].map((id) => earned(id, 'EUR')));
  expect(left).toEqual([0, 99, 700, 800]);
  const { body } = await call(house, `GET /couriers/${one}/earnings`, { token: await addStaff(house, 'support') });
  expect(body.data).toMatchObject([
    { type: 'payout', amount: -5_000, balance_after: 0, payout_id: payouts[0]?.['id'] },
    {},
  ]);
  expect(await ctx.audit.list({ action: 'payout.process' }, { limit: 20, after: null })).toMatchObject({ items: [{}] });
});

test('[J146] a payout above the limit needs a second member of finance, and never the one who asked for it', async () => {
  const id = await earner('USD', 100_001);
  const payout = await payoutOf(id, 'USD');
  expect(payout.state).toBe('awaiting_approval');
  expect(await earned(id, 'USD')).toBe(0);
  const approve = (token: string) => call(house, `POST /payouts/${payout.id}/approve`, { token });
  expect((await approve(finance)).body).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await approve(await addStaff(house, 'admin', 'support'))).status).toBe(403);
  const answers = await Promise.all([approve(other), approve(other)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await payDue(ctx)(isOurs);
  expect(await stateOf(payout.id)).toBe('paid');
  expect((await approve(other)).status).toBe(200);
  expect((await approve(await addStaff(house, 'finance'))).body).toMatchObject({ code: 'payout_not_open' });
  const { items } = await ctx.audit.list({ action: 'payout.approve', objectId: payout.id }, { limit: 20, after: null });
  expect(items).toHaveLength(1);
  expect((await call(house, `POST /payouts/${newId('pay')}/approve`, { token: finance })).status).toBe(404);
});

test('[J146] a payout that nobody approves within 7 days is canceled, and the courier has the money again', async () => {
  const id = await earner('GBP', 100_001);
  const payout = await payoutOf(id, 'GBP', service);
  await payDue(later(167 * HOUR_MS))(isOurs);
  expect(await stateOf(payout.id)).toBe('awaiting_approval');
  await payDue(later(169 * HOUR_MS))(isOurs);
  expect([await stateOf(payout.id), await earned(id, 'GBP')]).toEqual(['canceled', 100_001]);
});

const replaceAccount = async (courier: CourierId, currency: string, holder_name: string) => {
  const body = { holder_name, currency, country: 'NG', account_number: '0123456789', bank_code: '044' };
  const token = await addStaff(house, 'support');
  expect((await call(house, `PUT /couriers/${courier}/bank-account`, { token, body })).status).toBe(200);
};

test('[J370] a payout that is approved after its bank account was replaced goes to neither account', async () => {
  const id = await earner('CHF', 100_001);
  const payout = await payoutOf(id, 'CHF');
  await replaceAccount(id, 'CHF', 'Ada Obi');
  expect((await call(house, `POST /payouts/${payout.id}/approve`, { token: other })).status).toBe(200);
  await payDue(ctx)(isOurs);
  expect(await listed(`courier_id=${id}`)).toMatchObject([
    { id: payout.id, status: 'failed', reason: 'bank_account_replaced' },
  ]);
  expect(await earned(id, 'CHF')).toBe(100_001);
  expect(await house.mongo.collection(SANDBOX_TRANSFERS).findOne({ _id: payout.id })).toBeNull();
});

test('[J370] a payout that was sent goes on when its bank account is replaced', async () => {
  const id = await earner('SEK', 900, '09');
  const payout = await payoutOf(id, 'SEK');
  expect(payout.state).toBe('processing');
  await replaceAccount(id, 'SEK', 'Ada Obi');
  await payDue(later(30_000))(isOurs);
  expect([await stateOf(payout.id), await earned(id, 'SEK')]).toEqual(['paid', 0]);
});

test('[J370] a payout that may have been sent is not sent again to an account that was replaced', async () => {
  const id = await earnerOf('NOK', '00');
  const payout = await born(id, 'NOK');
  const before = await ctx.payouts.find(payout);
  if (before !== null) await ctx.payouts.replace({ ...before, state: 'processing', version: 2 }, null, null);
  await replaceAccount(id, 'NOK', 'Ada Obi');
  await payDue(ctx)(isOurs);
  expect(await listed(`courier_id=${id}`)).toMatchObject([{ status: 'needs_action', reason: 'bank_account_replaced' }]);
});

type Cell = [mode: string, states: readonly Payout['state'][], isBack: boolean];
/** The states of a payout for each behaviour of the sandbox: after the first call, after a look, and later. */
const CELLS: readonly Cell[] = [
  ['00', ['paid', 'paid', 'paid'], false],
  ['01', ['failed', 'failed', 'failed'], true],
  ['07', ['needs_action', 'needs_action', 'needs_action'], false],
  ['08', ['needs_action', 'needs_action', 'needs_action'], false],
  ['09', ['processing', 'paid', 'paid'], false],
  ['10', ['processing', 'paid', 'paid'], false],
  ['11', ['failed', 'failed', 'failed'], true],
  ['12', ['paid', 'paid', 'reversed'], true],
  ['13', ['needs_action', 'needs_action', 'paid'], false],
  ['14', ['processing', 'processing', 'paid'], false],
  // These are behaviours of payments.
  ...['02', '03', '04', '05', '06', '15', '16'].map((mode): Cell => [mode, ['paid', 'paid', 'paid'], false]),
];

test('[J147] each behaviour of the sandbox has a row here', () => {
  expect(withoutRow(CELLS.map(([mode]) => mode))).toEqual([]);
});

test.each(CELLS)('[J147] with behaviour %s of the sandbox a payout is %j', async (mode, states, isBack) => {
  const currency = `Y${'ABCDEFGHIJKLMNOPQ'[Number(mode)] ?? ''}F`;
  const id = await earnerOf(currency, mode);
  const made = await born(id, currency);
  const seen: unknown[] = [];
  await payDue(ctx)(isOurs);
  seen.push(await stateOf(made));
  await payDue(later(30_000))(isOurs);
  seen.push(await stateOf(made));
  const old = { $set: { createdAt: ctx.clock.now() - 61_000 } };
  await house.mongo.collection(SANDBOX_TRANSFERS).updateOne({ _id: made }, old);
  await payDue(later(2 * HOUR_MS))(isOurs);
  seen.push(await stateOf(made));
  expect(seen).toEqual(states);
  expect(await earned(id, currency)).toBe(isBack ? 900 : 0);
});

test('[J148] a process that dies around the call of the gateway loses no payout and sends none twice', async () => {
  const [before, after] = [await earnerOf('XKF', '00'), await earnerOf('XLF', '00')];
  const [lost, sent] = [await born(before, 'XKF'), await born(after, 'XLF')];
  const dying = aGateway(() => Promise.reject(new Error('killed')));
  const payout = await ctx.payouts.find(lost);
  // Killed after it noted that it sends, and before the call.
  if (payout !== null) await ctx.payouts.replace({ ...payout, state: 'processing', version: 2 }, null, null);
  await payDue(dying.ctx)(isOurs);
  expect([await stateOf(lost), await stateOf(sent)]).toEqual(['processing', 'processing']);
  expect([dying.made.has(sent), dying.sends()]).toEqual([true, 2]);
  const alive = { ...later(HOUR_MS), gateways: dying.ctx.gateways };
  await Promise.all([payDue(alive)(isOurs), payDue(alive)(isOurs)]);
  expect([await stateOf(lost), await stateOf(sent)]).toEqual(['paid', 'paid']);
  expect([dying.made.size, dying.sends()]).toEqual([2, 2]);
});

test('[J328] work that loses its lease before it calls the gateway sends nothing, and the next leader sends the payout', async () => {
  const gateway = aGateway(async ({ amount, currency }) => ({ status: 'success', amount, currency, reason: null }));
  const payout = await born(await earnerOf('XUF', '00'), 'XUF');
  let isLeader = true;
  const replace: typeof ctx.payouts.replace = async (next, ...rest) => {
    if (next.id === payout && next.state === 'processing') isLeader = false;
    return ctx.payouts.replace(next, ...rest);
  };
  await advancePayouts(
    { ...gateway.ctx, payouts: { ...ctx.payouts, replace } },
    { gateway: 'sandbox', liveMode: false },
  )(() => isLeader);
  expect([isLeader, await stateOf(payout), gateway.made.has(payout)]).toEqual([false, 'pending', false]);
  await payDue({ ...later(HOUR_MS), gateways: gateway.ctx.gateways })(isOurs);
  expect([await stateOf(payout), gateway.made.has(payout)]).toEqual(['paid', true]);
});

test('[J149] a transfer that comes back after it was paid returns the money once', async () => {
  const id = await earnerOf('XMF', '00');
  const gateway = aGateway(async ({ amount, currency }) => ({ status: 'success', amount, currency, reason: null }));
  const payout = await born(id, 'XMF');
  await payDue(gateway.ctx)(isOurs);
  expect([await stateOf(payout), await earned(id, 'XMF')]).toEqual(['paid', 0]);
  const was = gateway.made.get(payout);
  if (was !== undefined) gateway.made.set(payout, { ...was, status: 'reversed', reason: 'account_closed' });
  const soon = { ...later(120_000), gateways: gateway.ctx.gateways };
  await Promise.all([payDue(soon)(isOurs), payDue(soon)(isOurs), payDue(soon)(isOurs)]);
  expect([await stateOf(payout), await earned(id, 'XMF')]).toEqual(['reversed', 900]);
  expect(await ctx.payouts.find(payout)).toMatchObject({ reason: 'account_closed', dueAt: null });
});

test('[J150] live couriers are not paid while no gateway makes live transfers, and a batch has a date of this week', async () => {
  const ask = (body: object) => call(house, 'POST /payouts/process', { token: service, body });
  expect((await ask({ currency: 'EUR', live_mode: true })).body).toMatchObject({ status: 422, code: 'no_gateway' });
  for (const date of ['2020-01-01', '2199-01-01'])
    expect((await ask({ currency: 'EUR', date })).body).toMatchObject({ status: 422, errors: [{ pointer: '/date' }] });
  const wrong = await call(house, `GET /payouts?courier_id=${newId('cou')}&live_mode=true`, { token: finance });
  expect(wrong.body).toMatchObject({ status: 422, errors: [{ pointer: '/live_mode' }] });
  expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J343] a retry after midnight returns the batch of the day before', async () => {
  const body = { currency: 'GHS' };
  const asked = { token: finance, body, headers: { 'idempotency-key': newId('req') } };
  const first = await call(house, 'POST /payouts/process', asked);
  await crashAfterEffect(house);
  const tomorrow = await addServer(house, { clock: later(24 * HOUR_MS).clock });
  const again = await call(tomorrow, 'POST /payouts/process', asked);
  expect([first.status, again.status]).toEqual([202, 202]);
  expect([again.body['id'], again.body['date']]).toEqual([first.body['id'], first.body['date']]);
  const next = await call(tomorrow, 'POST /payouts/process', { token: finance, body });
  expect(next.body['date']).not.toBe(first.body['date']);
});
