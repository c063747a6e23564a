import { expect, test } from 'vitest';
import type { Day } from '../../../../src/dispatch/reconcile/day.ts';
import { reconcileDay, reconcileDue } from '../../../../src/dispatch/reconcile/reconcile-days.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import type { Gateway } from '../../../../src/ports/money/gateways.ts';
import { keptMetrics } from '../../../kept-ports.ts';
import { aSandboxPayment } from '../../../money/top-ups/a-top-up.ts';
import { addStaff, call } from '../../house.ts';
import { aPayer } from './paying.ts';
import { DAY_MS, HOUR_MS, openDays } from './reconciled-days.ts';

const { house, ctx, sandbox, aDay, paidAt, toppedUp, credited, shown, listing } = await openDays('reconciliations');
const isOurs = (): boolean => true;
test('[J222] each payment is matched, only ours or only theirs, also at the edges of the day', async () => {
  const day = aDay();
  const [first, last] = [await credited(day, 0), await credited(day, DAY_MS - 1)];
  await paidAt(day, 0, 1000, first.id);
  // Begun at the gateway on the day after.
  await paidAt(day, DAY_MS + 5, 1000, last.id);
  const missing = await credited(day, HOUR_MS);
  const differs = await credited(day, HOUR_MS);
  await paidAt(day, HOUR_MS, 999, differs.id);
  const strange = await paidAt(day, 2 * HOUR_MS, 1000, 'an order of another program');
  const unbooked = await paidAt(day, 3 * HOUR_MS);
  const reconciliation = await reconcileDay(ctx, day, null);
  const result = shown(reconciliation);
  expect(result.matched).toBe(1);
  expect(result.unmatched).toEqual([
    ['theirs', 'amount_differs', differs.id],
    ['theirs', 'not_booked', null],
    ['theirs', 'not_booked', unbooked],
    ['ours', 'not_listed', missing.id],
  ]);
  expect(reconciliation.unmatched[1]).toMatchObject({ gatewayId: strange, topUpId: null });
  // It is a payment of the day after.
  expect(shown(await reconcileDay(ctx, { ...day, from: day.from + DAY_MS }, null))).toEqual({
    matched: 1,
    unmatched: [],
  });
});

test('[J347] an amount that cannot be booked is unmatched, and is stored and shown as null', async () => {
  const day = aDay();
  const topUp = await credited(day, HOUR_MS);
  const fine = await credited(day, HOUR_MS);
  const of = { currency: 'RWF', fee: null, createdAt: day.from + HOUR_MS };
  const items = [
    { ...of, gatewayId: 'ours', topUpId: topUp.id, amount: null },
    { ...of, gatewayId: 'theirs', topUpId: null, amount: null },
    { ...of, gatewayId: 'fine', topUpId: fine.id, amount: fine.amount, currency: 'EUR' },
  ];
  const first = await reconcileDay(ctx, { ...day, gateway: listing(() => ({ items, next: null })) }, null);
  expect(shown(first)).toEqual({
    matched: 1,
    unmatched: [
      ['theirs', 'amount_differs', topUp.id],
      ['theirs', 'not_booked', null],
    ],
  });
  expect(await ctx.reconciliations.find(first.id)).toEqual(first);
  const finance = await addStaff(house, 'finance');
  const { body } = await call(house, 'GET /wallets/reconciliations?matched=false&limit=100', { token: finance });
  const amounts = body.data?.find(({ date }: { date?: unknown }) => date === first.date)?.['unmatched'];
  expect(amounts).toMatchObject([{ amount: null }, { gateway_id: 'theirs', amount: null }]);
});

test('[J362] rows that a gateway lists and that cannot be read are logged, and the others are compared', async () => {
  const day = aDay();
  await paidAt(day, 0);
  const { payments } = sandbox;
  const unread = Array.from({ length: 30 }, (_, at) => `${at}: amount: Invalid input`);
  if (payments === undefined) throw new Error('the sandbox lists its payments');
  const list: typeof payments.list = async (...asked) => ({ ...(await payments.list(...asked)), unread });
  const gateway: Gateway = { ...sandbox, payments: { list } };
  const result = await reconcileDay(ctx, { ...day, gateway }, null);
  expect(result.theirsOnly).toBe(1);
  const { liveMode, from } = day;
  const logged = house.lines.filter(({ level, fields }) => level === 'error' && fields['unread'] !== undefined);
  const about = { gateway: 'sandbox', liveMode, from, subject: 'payments', count: 30 };
  expect(logged.map(({ fields }) => fields)).toEqual([{ ...about, unread: unread.slice(0, 20) }]);
});

test('[J222] a suspended payment is matched, and a second payment of one top-up is not', async () => {
  const payer = await aPayer(house);
  const { body } = await payer.fund({ amount: 5007 });
  await payer.choose(body['authorization_url']);
  await payer.work();
  const from = Math.floor(ctx.clock.now() / DAY_MS) * DAY_MS;
  const entries = await ctx.ledger.find([`suspense:${String(body['id'])}`]);
  expect(entries).toMatchObject([{ kind: 'suspense' }]);
  const twice: Gateway = {
    ...sandbox,
    payments: {
      list: async () => {
        const about = {
          topUpId: body['id'] as never,
          amount: amountOf(5006),
          currency: 'EUR',
          fee: null,
          createdAt: from,
        };
        return { items: ['1', '2'].map((gatewayId) => ({ ...about, gatewayId })), next: null };
      },
    },
  };
  const result = await reconcileDay(ctx, { gateway: twice, liveMode: false, from, subject: 'payments' }, null);
  expect(shown(result)).toEqual({ matched: 1, unmatched: [['theirs', 'paid_twice', body['id']]] });
});

test('[J223] a payment that is not booked is credited, and the next run of its day is clean', async () => {
  const payer = await aPayer(house);
  const day = aDay();
  const topUp = await toppedUp(day, 0, { vendorId: payer.vendorId });
  await ctx.topUps.end(topUp.id, { state: 'expired', reason: 'not_paid', isFinal: true });
  await paidAt(day, 0, 1000, topUp.id);
  const first = await reconcileDay(ctx, day, null);
  expect([first.theirsOnly, first.runs]).toEqual([1, 1]);
  expect(house.lines.filter(({ level, fields }) => level === 'error' && fields['id'] === first.id)).toHaveLength(1);
  await payer.work();
  expect(await payer.available()).toBe(1000);
  const second = await reconcileDay(ctx, day, first);
  expect(second).toMatchObject({ matched: 1, theirsOnly: 0, unmatched: [], runs: 2, dueAt: null });
  expect(await ctx.reconciliations.find(first.id)).toEqual(second);
  expect(await payer.available()).toBe(1000);
});

test('[J256] a payment is counted by the first comparison of its day only', async () => {
  const day = aDay();
  await paidAt(day, 0);
  const metrics = keptMetrics();
  const first = await reconcileDay({ ...ctx, metrics }, day, null);
  await reconcileDay({ ...ctx, metrics }, day, first);
  expect(Object.fromEntries(metrics.counts)).toEqual({
    'reconciled_payments_total sandbox matched': 0,
    'reconciled_payments_total sandbox ours_only': 0,
    'reconciled_payments_total sandbox theirs_only': 1,
  });
});

test('[J223] days that are over are compared once, and unmatched ones up to five times; finance reads them', async () => {
  const now = (60_000 + 30) * DAY_MS;
  const at = (ms: number) => ({ ...ctx, clock: { ...ctx.clock, now: () => now + ms } });
  const yesterday: Day = { gateway: sandbox, liveMode: false, from: now - DAY_MS, subject: 'payments' };
  await paidAt(yesterday, HOUR_MS);
  const runs: unknown[] = [];
  for (const hours of [25, 26, 26, 27, 33, 57, 105, 300]) {
    await reconcileDue(at(hours * HOUR_MS), { gateway: 'sandbox', liveMode: false }, isOurs);
    const date = new Date(yesterday.from).toISOString().slice(0, 10);
    runs.push((await ctx.reconciliations.find(`sandbox.test.${date}`))?.runs);
  }
  expect(runs).toEqual([undefined, 1, 1, 2, 3, 4, 5, 5]);
  const finance = await addStaff(house, 'finance');
  const { body } = await call(house, 'GET /wallets/reconciliations?matched=false&limit=1', { token: finance });
  expect(body.data).toMatchObject([
    { gateway: 'sandbox', theirs_only: 1, unmatched: [{ side: 'theirs', reason: 'not_booked' }], runs: 5 },
  ]);
  const clean = await call(house, 'GET /wallets/reconciliations?matched=true&limit=100', { token: finance });
  expect(clean.body.data?.length).toBeGreaterThan(10);
  expect((await call(house, 'GET /wallets/reconciliations', { token: await addStaff(house, 'admin') })).status).toBe(
    403,
  );
});

test('[J224] the sandbox lists its paid payments of a span, page by page, and only to this server', async () => {
  const day = aDay();
  const ids: string[] = [];
  for (let at = 0; at < 103; at += 1) ids.push(await paidAt(day, at));
  // Nobody has paid this one.
  await ctx.sandbox.add(aSandboxPayment({ createdAt: day.from + 50 }));
  const span = { liveMode: false, from: day.from + 1, to: day.from + 102 };
  const first = await sandbox.payments?.list(span, null);
  const second = await sandbox.payments?.list(span, first?.next ?? null);
  const listed = [...(first?.items ?? []), ...(second?.items ?? [])].map(({ topUpId }) => topUpId);
  expect(listed).toEqual(ids.slice(1, 102));
  expect([first?.items.length, second?.next]).toEqual([100, null]);
  expect((await call(house, 'GET /sandbox/payments?from=0&to=1')).status).toBe(401);
});

test('[J290] a payment that a list shows twice counts once, and a list without an end is not compared', async () => {
  const day = aDay();
  const topUp = await credited(day, 0);
  const paid = {
    gatewayId: '1',
    topUpId: topUp.id,
    amount: topUp.amount,
    currency: 'EUR',
    fee: null,
    createdAt: day.from,
  };
  const twice = listing((after) => ({ items: [paid], next: after === null ? '2' : null }));
  expect(shown(await reconcileDay(ctx, { ...day, gateway: twice }, null))).toEqual({ matched: 1, unmatched: [] });
  const endless = listing(() => ({ items: [], next: 'more' }));
  await expect(reconcileDay(ctx, { ...day, gateway: endless }, null)).rejects.toThrow('more than 5000 pages');
});
