import { beforeAll, expect, test } from 'vitest';
import { watchSuspense } from '../../../../src/dispatch/reconcile/watch-suspense.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import { SUSPENSE } from '../../../../src/models/ledger/wallets/suspense-store.ts';
import { settleTopUp } from '../../../../src/money/top-ups/settle-top-up.ts';
import { bookArrival, type Suspense } from '../../../../src/money/suspense/suspense.ts';
import type { TopUp } from '../../../../src/money/top-ups/top-up.ts';
import { aSuspense } from '../../../money/suspense/a-suspense.ts';
import { addStaff, call, openHouse } from '../../house.ts';
import { aPayer } from './paying.ts';

const LIMIT = 10_000;
const house = await openHouse('suspense', (settings) => ({
  ...settings,
  suspense: { ...settings.suspense, approvalAmount: LIMIT },
}));
const { ctx } = house;
const isOurs = (): boolean => true;
let [finance, other] = ['', ''];
beforeAll(async () => {
  [finance, other] = [await addStaff(house, 'finance'), await addStaff(house, 'finance')];
});

/** A payment that the sandbox takes differently: an amount that ends in 07 is one less, and one that ends in 08 is USD. */
async function suspended(amount: number) {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount });
  await payer.choose(body['authorization_url']);
  await payer.work();
  const { body: list } = await call(house, 'GET /wallets/suspense?status=open', { token: finance });
  const row = list.data?.find((one) => one['top_up_id'] === body['id']);
  return { payer, topUpId: body['id'] as TopUp['id'], id: String(row?.['id']), row };
}

const decide = (id: string, decision: string, token = finance) =>
  call(house, `POST /wallets/suspense/${id}/decide`, { token, body: { decision, reason: 'the payer asked for it' } });
const versionOf = async (id: string) => (await ctx.suspense.find(id as never))?.version;
/** Approves the present version, or one that was read earlier. */
const approve = async (id: string, token: string, decision = 'credit', version?: number) => {
  const body = { decision, version: version ?? (await versionOf(id)) };
  return call(house, `POST /wallets/suspense/${id}/approve`, { token, body });
};
const kindsOf = async (topUpId: string) => {
  const entries = house.mongo.collection(ENTRIES).find({ about: topUpId }).sort({ at: 1, id: 1 });
  return (await entries.toArray()).map(({ kind }) => kind);
};

test('[J218] money of a payment that differs is listed for finance with its age, once', async () => {
  const { payer, row, topUpId } = await suspended(5007);
  const facts = { object: 'suspense', status: 'open', amount: 5006, currency: 'EUR', gateway: 'sandbox' };
  expect(row).toMatchObject({ ...facts, vendor_id: payer.vendorId, decision: null, age_seconds: expect.any(Number) });
  const topUp = await ctx.topUps.find(topUpId);
  if (topUp === null) throw new Error('the top-up is stored');
  // Two processes that look at once, or one that died before it ended the top-up.
  await Promise.all([settleTopUp(ctx, topUp), settleTopUp(ctx, topUp)]);
  const { body } = await call(house, 'GET /wallets/suspense?limit=100', { token: finance });
  expect(body.data?.filter((one) => one['top_up_id'] === topUpId)).toHaveLength(1);
  expect(await kindsOf(topUpId)).toEqual(['suspense']);
  expect((await call(house, 'GET /wallets/suspense', { token: payer.token })).status).toBe(403);
});

test('[J219] a credit goes into the wallet of the vendor, and a return out of the suspense, each booked once', async () => {
  for (const [decision, status, available, kind] of [
    ['credit', 'credited', 5006, 'suspense_credit'],
    ['return', 'returned', 0, 'suspense_return'],
  ] as const) {
    const { payer, id, topUpId } = await suspended(5007);
    const answers = await Promise.all([decide(id, decision), decide(id, decision), decide(id, decision)]);
    expect(answers.map((answer) => [answer.status, answer.body['status']])).toEqual(
      Array.from({ length: 3 }, () => [200, status]),
    );
    expect(await payer.available()).toBe(available);
    expect(await kindsOf(topUpId)).toEqual(['suspense', kind]);
    const late = await decide(id, decision === 'credit' ? 'return' : 'credit');
    expect([late.status, late.body['code']]).toEqual([409, 'suspense_not_open']);
    const { items } = await ctx.audit.list({ action: 'suspense.decide', objectId: id }, { limit: 20, after: null });
    expect(items).toMatchObject([{ changes: { status: { to: status }, reason: { to: 'the payer asked for it' } } }]);
  }
  expect((await decide(newId('sus'), 'return')).status).toBe(404);
});

test('[J219] money of another currency than the account cannot be credited', async () => {
  const { id } = await suspended(5008);
  const refused = await decide(id, 'credit');
  expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/decision' }]]);
  expect((await decide(id, 'return')).body).toMatchObject({ status: 'returned', currency: 'USD' });
});

test('[J219] a credit is not approved after the currency of the account has changed', async () => {
  const { payer, id } = await suspended(10_107);
  await decide(id, 'credit');
  const vendors = house.mongo.db.collection<{ _id: string }>('vendors');
  const become = (currency: string) => vendors.updateOne({ _id: payer.vendorId }, { $set: { currency } });
  await become('USD');
  const refused = await approve(id, other);
  expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/decision' }]]);
  await become('EUR');
  expect((await approve(id, other)).body).toMatchObject({ status: 'credited' });
});

test('[J220] above the limit a second member of finance must approve, and never the one who decided', async () => {
  const { payer, id, topUpId } = await suspended(10_107);
  expect((await approve(id, other)).body).toMatchObject({ code: 'suspense_not_open' });
  expect((await decide(id, 'return')).body).toMatchObject({ status: 'awaiting_approval', decision: 'return' });
  // Another decision replaces the one that waits.
  expect((await decide(id, 'credit')).body).toMatchObject({ status: 'awaiting_approval', decision: 'credit' });
  expect(await payer.available()).toBe(0);
  expect((await approve(id, other, 'return')).body).toMatchObject({ code: 'suspense_not_open' });
  expect((await approve(id, finance)).body).toMatchObject({ status: 403, code: 'forbidden' });
  const answers = await Promise.all([approve(id, other), approve(id, other)]);
  expect(answers.map(({ body }) => body['status'])).toEqual(['credited', 'credited']);
  expect(await payer.available()).toBe(10_106);
  expect(await kindsOf(topUpId)).toEqual(['suspense', 'suspense_credit']);
  const { body } = await call(house, 'GET /billing/transactions', { token: payer.token });
  expect(body.data).toMatchObject([{ category: 'suspense_credit', amount: 10_106, description: expect.any(String) }]);
  const { items } = await ctx.audit.list({ action: 'suspense.approve', objectId: id }, { limit: 20, after: null });
  expect(items).toHaveLength(1);
});

test('[J261] an approval of a decision that has changed since it was read is refused, even if its name is the same', async () => {
  const { payer, id } = await suspended(10_107);
  const { version: seen } = (await decide(id, 'credit')).body;
  for (const decision of ['return', 'credit']) await decide(id, decision);
  const late = await approve(id, other, 'credit', Number(seen));
  expect([late.status, late.body['code']]).toEqual([409, 'suspense_not_open']);
  const { version } = late.body['metadata'] as { readonly version: number };
  expect([await payer.available(), version]).toEqual([0, Number(seen) + 2]);
  expect((await approve(id, other, 'credit', version)).body).toMatchObject({ status: 'credited' });
  // A repeat by the same person names the version that they have approved.
  expect((await approve(id, other, 'credit', version)).status).toBe(200);
  expect(await payer.available()).toBe(10_106);
});

test('[J267] money in suspense of test mode ends like other test data, however often it is decided about, and live money stays', async () => {
  const { id } = await suspended(10_107);
  const rows = house.mongo.collection(SUSPENSE);
  const endOf = async (of: string) => (await rows.findOne({ _id: of as never }))?.endsOn?.getTime();
  const first = Number(await endOf(id));
  const keptMs = first - ctx.clock.real.now();
  expect(Math.abs(keptMs - ctx.settings.retention.topUpsMs)).toBeLessThan(60_000);
  for (const decision of ['return', 'credit']) await decide(id, decision);
  expect(await endOf(id)).toBe(first);
  const live = aSuspense({ liveMode: true });
  await ctx.suspense.add(live, bookArrival(live));
  expect(await endOf(live.id)).toBeUndefined();
});

test('[J231] money in suspense that cannot be handled is logged by its id, and stops no other', async () => {
  const [bad, good] = [await suspended(5007), await suspended(6007)];
  const clock = { ...ctx.clock, now: () => ctx.clock.now() + 25 * 3_600_000 };
  const replace: typeof ctx.suspense.replace = (next, command, entry) => {
    if (next.id === bad.id) throw new Error('the database is away');
    return ctx.suspense.replace(next, command, entry);
  };
  const about = (name: string, id: string) => house.lines.filter(({ fields }) => fields[name] === id).length;
  await watchSuspense({ ...ctx, clock, suspense: { ...ctx.suspense, replace } }, isOurs);
  expect([about('id', bad.id), about('suspense', bad.id), about('suspense', good.id)]).toEqual([1, 0, 1]);
  await watchSuspense({ ...ctx, clock }, isOurs);
  expect([about('suspense', bad.id), about('suspense', good.id)]).toEqual([1, 1]);
});

test('[J221] live money is looked at first, however much older test money is due', async () => {
  const [live, test] = [aSuspense({ liveMode: true }), aSuspense({ liveMode: false })].map((one, age) => ({
    ...one,
    dueAt: 10 - age,
  })) as [Suspense, Suspense];
  for (const one of [test, live]) await ctx.suspense.add(one, bookArrival(one));
  const listed = async (limit: number) => (await ctx.suspense.listDue(10, limit)).map(({ id }) => id);
  expect([await listed(1), await listed(10)]).toEqual([[live.id], [live.id, test.id]]);
});

test('[J221] the log has an error for money that nobody has decided about for 24 h, and again a day later', async () => {
  const { id } = await suspended(5007);
  const complaints = () => house.lines.filter(({ level, fields }) => level === 'error' && fields['suspense'] === id);
  const at = (hours: number) => ({
    ...ctx,
    clock: { ...ctx.clock, now: () => ctx.clock.now() + hours * 3_600_000 },
  });
  const counts: number[] = [];
  for (const hours of [23, 25, 26, 50]) {
    await watchSuspense(at(hours), isOurs);
    counts.push(complaints().length);
  }
  expect(counts).toEqual([0, 1, 1, 2]);
  await decide(id, 'return');
  await watchSuspense(at(1000), isOurs);
  expect(complaints()).toHaveLength(2);
  expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});
