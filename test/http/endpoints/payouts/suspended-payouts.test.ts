import { beforeAll, expect, test } from 'vitest';
import { setCourierState } from '../../../../src/dispatch/couriers/onboard-courier.ts';
import { standingIn } from '../../../../src/domain/couriers/courier.ts';
import type { CourierId, PayoutId } from '../../../../src/domain/ids.ts';
import { SANDBOX_TRANSFERS } from '../../../../src/models/sandbox/sandbox-transfer-store.ts';
import { anEntry } from '../../../models/audit/an-entry.ts';
import { earn } from '../../../money/payouts/an-earning.ts';
import { addStaff, call } from '../../house.ts';
import { HOUR_MS, isOurs, openPayees, payDue } from './payees.ts';

const { house, ctx, later, earned, stateOf, askFor, earnerOf, born } = await openPayees('suspended payouts');

let [finance, other] = ['', ''];
beforeAll(async () => {
  [finance, other] = [await addStaff(house, 'finance'), await addStaff(house, 'finance')];
});

/** An amount that needs an approval. */
const LARGE = 100_001;
const suspend = (courierId: CourierId) => setCourierState(ctx, { courierId, state: 'suspended' }, { type: 'system' });
const activate = (courierId: CourierId) => setCourierState(ctx, { courierId, state: 'active' }, { type: 'system' });
const seen = async (courierId: CourierId) =>
  (await call(house, `GET /payouts?courier_id=${courierId}`, { token: finance })).body.data?.[0];
const resolve = (id: PayoutId, outcome: string, token = other) =>
  call(house, `POST /payouts/${id}/resolve`, { token, body: { outcome, reason: 'goods are missing' } });
const transferOf = (_id: PayoutId) => house.mongo.collection(SANDBOX_TRANSFERS).findOne({ _id });

test('[J381] a payout to a courier whom staff have suspended waits for a second person, who sees why', async () => {
  const id = await earnerOf('CHF', '00');
  await suspend(id);
  await askFor('CHF', finance);
  const payout = await born(id, 'CHF');
  await payDue(ctx)(isOurs);
  expect(await seen(id)).toMatchObject({ id: payout, status: 'awaiting_approval', reason: 'courier_suspended' });
  const approve = (token: string) => call(house, `POST /payouts/${payout}/approve`, { token });
  expect((await approve(finance)).body).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await approve(other)).body).toMatchObject({ status: 'pending', reason: 'courier_suspended' });
  await payDue(ctx)(isOurs);
  expect(await seen(id)).toMatchObject({ status: 'paid', reason: null });
  expect(await earned(id, 'CHF')).toBe(0);
});

test('[J381] a courier who is suspended after their payout was made has the earnings again', async () => {
  const id = await earnerOf('SEK', '00');
  const payout = await born(id, 'SEK');
  await suspend(id);
  await payDue(ctx)(isOurs);
  expect(await seen(id)).toMatchObject({ id: payout, status: 'failed', reason: 'courier_suspended' });
  expect([await earned(id, 'SEK'), await transferOf(payout)]).toEqual([900, null]);
});

/** The change of the reason in the entry of an approval. */
const reasonOf = async (objectId: PayoutId) =>
  (await ctx.audit.list({ action: 'payout.approve', objectId }, { limit: 20, after: null })).items.map(
    ({ changes }) => changes['reason'],
  );

test('[J381] an approval counts for a suspension only if the courier was suspended when it was given', async () => {
  const [held, late, back] = [await earnerOf('XOF', '00'), await earnerOf('XPF', '00'), await earnerOf('XQF', '00')];
  for (const id of [held, late]) await earn(ctx, id, { pay: LARGE, currency: id === held ? 'XOF' : 'XPF' });
  await suspend(back);
  const payouts = [await born(held, 'XOF'), await born(late, 'XPF'), await born(back, 'XQF')] as const;
  expect([await seen(held), await seen(back)]).toMatchObject([{ reason: null }, { reason: 'courier_suspended' }]);
  await suspend(held);
  await activate(back);
  expect([await seen(held), await seen(late)]).toMatchObject([{ reason: 'courier_suspended' }, { reason: null }]);
  const answers = await Promise.all(payouts.map((id) => call(house, `POST /payouts/${id}/approve`, { token: other })));
  expect(answers.map(({ body }) => body['reason'])).toEqual(['courier_suspended', null, null]);
  await Promise.all([suspend(late), suspend(back)]);
  await payDue(ctx)(isOurs);
  expect(await Promise.all(payouts.map(stateOf))).toEqual(['paid', 'failed', 'failed']);
  expect(await seen(late)).toMatchObject({ reason: 'courier_suspended' });
  expect(await Promise.all(payouts.map(reasonOf))).toEqual([
    [{ from: null, to: 'courier_suspended' }],
    [undefined],
    [{ from: 'courier_suspended', to: null }],
  ]);
});

test('[J381] a payout that may have been sent is not sent again after a suspension, and a person must look', async () => {
  const id = await earnerOf('XNF', '00');
  const payout = await born(id, 'XNF');
  const before = await ctx.payouts.find(payout);
  // A process noted that it sends, and died before the call.
  if (before !== null) await ctx.payouts.replace({ ...before, state: 'processing', version: 2 }, null, null);
  await suspend(id);
  for (const ms of [0, HOUR_MS]) await payDue(later(ms))(isOurs);
  expect(await seen(id)).toMatchObject({ id: payout, status: 'needs_action', reason: 'courier_suspended' });
  expect([await earned(id, 'XNF'), await transferOf(payout)]).toEqual([0, null]);
});

test('[J381] a courier whose document has expired is paid', async () => {
  const id = await earnerOf('NOK', '00');
  const courier = await ctx.couriers.get(id);
  await ctx.couriers.setStanding(courier, standingIn(courier, 'suspended', 'documents'), anEntry());
  const payout = await born(id, 'NOK');
  await payDue(ctx)(isOurs);
  expect(await stateOf(payout)).toBe('paid');
});

test('[J382] finance declines a payout that waits for an approval, and nothing is sent', async () => {
  const id = await earnerOf('DKK', '00');
  await suspend(id);
  await askFor('DKK', finance);
  const payout = await born(id, 'DKK');
  expect((await resolve(payout, 'failed', finance)).body).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await resolve(payout, 'paid')).body).toMatchObject({ status: 409, code: 'payout_not_open' });
  const answers = await Promise.all([resolve(payout, 'failed'), resolve(payout, 'failed')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await seen(id)).toMatchObject({ status: 'failed', reason: 'goods are missing', approved_by: null });
  const approved = await call(house, `POST /payouts/${payout}/approve`, { token: other });
  expect(approved.body).toMatchObject({ status: 409, code: 'payout_not_open' });
  await payDue(ctx)(isOurs);
  expect([await earned(id, 'DKK'), await transferOf(payout)]).toEqual([900, null]);
  const { items } = await ctx.audit.list({ action: 'payout.resolve', objectId: payout }, { limit: 20, after: null });
  expect(items).toMatchObject([{ changes: { status: { from: 'awaiting_approval', to: 'failed' } } }]);
});
