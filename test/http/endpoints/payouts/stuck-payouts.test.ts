import { beforeAll, expect, test } from 'vitest';
import type { CourierId, PayoutId } from '../../../../src/domain/ids.ts';
import { Refusal } from '../../../../src/domain/refusals/refusals.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { batchIdOf, type Payout } from '../../../../src/money/payouts/payout.ts';
import type { TransferOrder } from '../../../../src/money/payouts/transfer.ts';
import { makeDue } from '../../../../src/dispatch/due/pay-out.ts';
import { requestBatch } from '../../../../src/money/payouts/request-batch.ts';
import { aBatch } from '../../../money/payouts/a-payout.ts';
import { anEntry } from '../../../models/audit/an-entry.ts';
import { addStaff, call } from '../../house.ts';
import { HOUR_MS, isOurs, openPayees, payDue } from './payees.ts';

const { house, ctx, later, earned, stateOf, askFor, batchOf, earnerOf, born, aGateway } =
  await openPayees('stuck payouts');

/** Replaces payouts, but those that the test locks are in use by somebody else. */
const replaceUnless =
  (isLocked: (payout: Payout) => boolean): typeof ctx.payouts.replace =>
  (payout, ...rest) =>
    isLocked(payout) ? Promise.reject(new Refusal('busy')) : ctx.payouts.replace(payout, ...rest);

let [finance, other, service] = ['', '', ''];
beforeAll(async () => {
  [finance, other] = [await addStaff(house, 'finance'), await addStaff(house, 'finance')];
  service = await ctx.credentials.issueInternal('payroll', 600);
});

test('[J231] a batch that cannot be made stops neither other batches nor payouts, and is made after a pause', async () => {
  const [stuck, free, sent] = [await earnerOf('XNF', '00'), await earnerOf('XOF', '00'), await earnerOf('XQF', '00')];
  const due = await born(sent, 'XQF');
  for (const currency of ['XNF', 'XOF']) await batchOf(currency);
  const list: typeof ctx.bankAccounts.list = (batch, limit) =>
    batch.currency === 'XNF' ? Promise.reject(new Error('unreadable')) : ctx.bankAccounts.list(batch, limit);
  const broken = { bankAccounts: { ...ctx.bankAccounts, list } };
  const left = () => Promise.all([earned(stuck, 'XNF'), earned(free, 'XOF')]);
  await payDue({ ...ctx, ...broken })(isOurs);
  expect([await left(), await stateOf(due)]).toEqual([[900, 0], 'paid']);
  const about = { what: 'payout batch', id: expect.stringContaining('XNF'), error: new Error('unreadable') };
  expect(house.lines.map(({ fields }) => fields)).toContainEqual(expect.objectContaining(about));
  await payDue(later(25_000))(isOurs);
  expect(await left()).toEqual([900, 0]);
  await payDue(later(31_000))(isOurs);
  expect(await left()).toEqual([0, 0]);
});

test('[J231] a courier whose earnings cannot be read is left out after some tries, and the others are paid', async () => {
  const [bad, good] = [await earnerOf('XRF', '00'), await earnerOf('XRF', '00')];
  await batchOf('XRF');
  const balances: typeof ctx.earnings.balances = (courierId) =>
    courierId === bad ? Promise.reject(new Error('unreadable')) : ctx.earnings.balances(courierId);
  for (const hours of [0, 1, 2, 3, 4, 5])
    await payDue({ ...later(hours * HOUR_MS), earnings: { ...ctx.earnings, balances } })(isOurs);
  expect([await earned(bad, 'XRF'), await earned(good, 'XRF')]).toEqual([900, 0]);
  expect(await batchOf('XRF')).toMatchObject({ state: 'made', payouts: 1 });
});

test('[J253] a transfer that came back is seen at the next try, though the look could not be written at first', async () => {
  const earner = await earnerOf('XSF', '00');
  const payout = await born(earner, 'XSF');
  await payDue(ctx)(isOurs);
  expect(await stateOf(payout)).toBe('paid');
  const gateway = aGateway((order) => Promise.resolve({ ...order, status: 'reversed', reason: 'account_closed' }));
  const { amount, currency } = (await ctx.payouts.find(payout)) ?? { amount: amountOf(0), currency: '' };
  gateway.made.set(payout, { status: 'reversed', amount, currency, reason: 'account_closed' });
  const at = (ms: number) => ({ ...later(ms), gateways: gateway.ctx.gateways });
  const locked = { ...ctx.payouts, replace: replaceUnless(({ state }) => state === 'reversed') };
  await payDue({ ...at(61_000), payouts: locked })(isOurs);
  expect([await stateOf(payout), await earned(earner, 'XSF')]).toEqual(['paid', 0]);
  await payDue(at(61_000 + 25_000))(isOurs);
  expect(await stateOf(payout)).toBe('paid');
  await payDue(at(61_000 + 31_000))(isOurs);
  expect([await stateOf(payout), await earned(earner, 'XSF')]).toEqual(['reversed', 900]);
});

test('[J253] a silent gateway is asked again after pauses that grow, and no look at it is counted', async () => {
  const earner = await earnerOf('XUF', '00');
  const payout = await born(earner, 'XUF');
  const silent = () => Promise.reject(new Refusal('gateway_unavailable'));
  const gateway = aGateway(silent);
  const lookAt = async (ms: number) => {
    await payDue({ ...later(ms), gateways: gateway.ctx.gateways })(isOurs);
    const found = await ctx.payouts.find(payout);
    return [found?.state, found?.looks, found?.failures];
  };
  const known = { ...gateway.transfers };
  gateway.transfers.find = silent;
  expect(await lookAt(0)).toEqual(['processing', 0, 0]);
  expect(await lookAt(6000)).toEqual(['processing', 0, 1]);
  expect(await lookAt(37_000)).toEqual(['processing', 0, 2]);
  Object.assign(gateway.transfers, known);
  expect(await lookAt(90_000)).toEqual(['processing', 0, 2]);
  expect(await lookAt(98_000)).toEqual(['paid', 0, 0]);
  expect(gateway.sends()).toBe(1);
});

test('[J236] a payout that waits for a person ends as they say, once, and the gateway is not asked again', async () => {
  const stuck = (of: TransferOrder) => Promise.resolve({ ...of, status: 'needs_action' as const, reason: 'code' });
  const gateway = aGateway(stuck);
  const [paid, failed] = [await earnerOf('CHF', '00'), await earnerOf('SEK', '00')];
  for (const currency of ['CHF', 'SEK']) expect((await askFor(currency, finance)).status).toBe(202);
  const payouts = [await born(paid, 'CHF'), await born(failed, 'SEK')] as const;
  const resolve = (id: PayoutId, outcome: string, token = other) =>
    call(house, `POST /payouts/${id}/resolve`, { token, body: { outcome, reason: 'seen at the bank' } });
  expect((await resolve(payouts[0], 'paid')).body).toMatchObject({ code: 'payout_not_open' });
  await payDue(gateway.ctx)(isOurs);
  expect((await resolve(payouts[0], 'paid', finance)).body).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await resolve(payouts[0], 'paid', service)).status).toBe(403);
  const answers = await Promise.all([resolve(payouts[0], 'paid'), resolve(payouts[0], 'paid')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await resolve(payouts[0], 'failed')).body).toMatchObject({ status: 409, code: 'payout_not_open' });
  expect((await resolve(payouts[1], 'failed')).body).toMatchObject({ status: 'failed', reason: 'seen at the bank' });
  expect([await earned(paid, 'CHF'), await earned(failed, 'SEK')]).toEqual([0, 900]);
  for (const [id, made] of gateway.made) gateway.made.set(id, { ...made, status: 'failed' });
  for (const hours of [1, 100]) await payDue({ ...later(hours * HOUR_MS), gateways: gateway.ctx.gateways })(isOurs);
  expect([await stateOf(payouts[0]), await earned(paid, 'CHF')]).toEqual(['paid', 0]);
  const { items } = await ctx.audit.list({ action: 'payout.resolve' }, { limit: 20, after: null });
  expect(items.map(({ objectId }) => objectId).toSorted()).toEqual([...payouts].toSorted());
});

test('[J262] a payout of a batch that a service asked for is ended by any one member of finance', async () => {
  const stuck = (of: TransferOrder) => Promise.resolve({ ...of, status: 'needs_action' as const, reason: 'code' });
  const gateway = aGateway(stuck);
  for (const [currency, token, outcome, left] of [
    ['NOK', finance, 'failed', 900],
    ['DKK', other, 'paid', 0],
  ] as const) {
    const courier = await earnerOf(currency, '00');
    expect((await askFor(currency, service)).status).toBe(202);
    const id = await born(courier, currency);
    await payDue(gateway.ctx)(isOurs);
    const body = { outcome, reason: 'seen at the bank' };
    const answer = await call(house, `POST /payouts/${id}/resolve`, { token, body });
    expect([answer.status, answer.body['status'], await earned(courier, currency)]).toEqual([200, outcome, left]);
  }
});

test('[J345] any process makes the payouts of a batch, for the gateway that the process of the request chose', async () => {
  const [earner, before] = [await earnerOf('XVF', '00'), await earnerOf('XWF', '00')];
  const elsewhere = ctx.gateways.map((gateway) => ({ ...gateway, name: 'paystack' as const }));
  const asked = { liveMode: false, currency: 'XVF', date: null, askedAt: ctx.clock.now() };
  await requestBatch({ ...ctx, gateways: elsewhere }, asked, { type: 'system', id: null });
  const { gateway: _none, ...old } = aBatch({ id: batchIdOf(false, 'XWF', '2026-01-05'), currency: 'XWF' });
  await ctx.payouts.addBatch(old, anEntry());
  await makeDue({ ...ctx, gateways: [] })(isOurs);
  const gatewayOf = async (courierId: CourierId) =>
    (await ctx.payouts.list({ courierId }, { limit: 1, after: null })).items[0]?.gateway;
  expect([await gatewayOf(earner), await gatewayOf(before)]).toEqual(['paystack', undefined]);
  // A batch of an older version names none, so a process with a gateway that fits makes it.
  await makeDue(later(31_000))(isOurs);
  expect(await gatewayOf(before)).toBe('sandbox');
});
