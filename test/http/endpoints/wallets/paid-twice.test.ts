import { expect, test } from 'vitest';
import { settleDue } from '../../../../src/dispatch/due/settle-top-ups.ts';
import { reconcileDay } from '../../../../src/dispatch/reconcile/reconcile-days.ts';
import type { TopUpId } from '../../../../src/domain/ids.ts';
import { isoTime } from '../../../../src/domain/time.ts';
import { ENTRIES } from '../../../../src/models/ledger/ledger-shapes.ts';
import { SUSPENSE } from '../../../../src/models/ledger/wallets/suspense-store.ts';
import { TOP_UPS } from '../../../../src/models/ledger/wallets/top-up-shape.ts';
import { verifyLedger } from '../../../../src/models/ledger/verify-ledger.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { settleTopUp } from '../../../../src/money/top-ups/settle-top-up.ts';
import type { TopUpEnd } from '../../../../src/ports/money/top-ups.ts';
import { createFlutterwaveGateway } from '../../../../src/process/gateways/flutterwave-gateway.ts';
import { aTopUp } from '../../../money/top-ups/a-top-up.ts';
import { openFakeFlutterwave } from '../../../process/gateways/fake-flutterwave.ts';
import { HOUR_MS, openDays } from './reconciled-days.ts';

const { house, ctx: plain, aDay, shown, listing } = await openDays('paid_twice');
const fake = await openFakeFlutterwave();
const gateway = createFlutterwaveGateway({
  key: 'FLWSECK_TEST-abcdefghijkl',
  secretHash: 'a-secret-hash-of-ours',
  url: fake.url,
  realMs: 5000,
  homeUrl: 'https://delivery.example',
});
const ctx = { ...plain, gateways: [gateway] };

/** A process of an earlier release, which dies between the booking of a payment and the end of its top-up. */
const dying = {
  ...ctx,
  topUps: {
    ...ctx.topUps,
    end: async (id: TopUpId, { paymentId, arrived }: TopUpEnd) => {
      if (paymentId === undefined || arrived === undefined) throw new Error('the payment is named and not booked yet');
      await house.mongo.collection(TOP_UPS).updateOne({ _id: id }, { $set: { paymentId } });
      if (arrived.suspense === null) await ctx.ledger.post(arrived.command, null);
      else await ctx.suspense.add(arrived.suspense, arrived.command);
      throw new Error('the process has died');
    },
  },
};
/** The gateway as it answers with the latest payment of a reference. */
const latest: typeof gateway = {
  ...gateway,
  verify: async (topUp) => {
    const payment = (await gateway.paymentsOf?.(topUp))?.at(-1);
    if (payment === undefined) throw new Error('somebody has paid');
    const { id: paymentId, amount, currency } = payment;
    return { is: 'paid', reference: topUp.id, paymentId, amount, currency };
  },
};
/** A process that does nothing. */
const idle = { ...ctx, gateways: [] };

/**
 * A top-up of 25.00 KES that is paid at Flutterwave on a day of its own and booked. Flutterwave keeps 1.00 of it.
 * @param major what was paid
 * @param first the process that looks first
 */
async function paid(major = 25, first = ctx) {
  const day = { ...aDay(), gateway };
  const topUp = aTopUp({ gateway: 'flutterwave', currency: 'KES', amount: amountOf(2500), createdAt: day.from });
  const { id } = topUp;
  await ctx.topUps.add(topUp, 1);
  await ctx.topUps.open(id, await gateway.open(topUp, { email: null }));
  fake.tryToPay(id, { status: 'successful', amount: major, app_fee: 1, created_at: isoTime(day.from) });
  const settle = () => settleDue(ctx, { gateway: 'flutterwave', liveMode: false }, () => true);
  await ctx.topUps.report(id, 'flutterwave', true);
  await settleDue(first, { gateway: 'flutterwave', liveMode: false }, () => true);
  return {
    day,
    id,
    settle,
    /** Lets somebody pay 19.00 KES more on the page, of which Flutterwave keeps 0.40. */
    payAgain: (amount = 19, afterMs = HOUR_MS) =>
      fake.payAgain(id, amount, { app_fee: 0.4, created_at: isoTime(day.from + afterMs) }),
    /** The amounts that the payments of the top-up post to `clearing`, each fact by itself. */
    cleared: async () => {
      const entries = await house.mongo.collection(ENTRIES).find({ about: id }).toArray();
      const own = entries.flatMap(({ postings }) => postings);
      return own.filter(({ account }) => account === 'clearing::test.KES').map(({ amount }) => Number(amount));
    },
  };
}

test('[J296] a further payment that is in suspense is matched, and its fee is booked once', async () => {
  const { day, id, settle, payAgain, cleared } = await paid();
  payAgain();
  await ctx.topUps.reportLater(id, 'flutterwave');
  await settle();
  const first = await reconcileDay(ctx, day, null);
  expect(shown(first)).toEqual({ matched: 2, unmatched: [] });
  expect(first.fees).toEqual([{ currency: 'KES', amount: 140 }]);
  const again = await reconcileDay(ctx, day, first);
  expect(again).toMatchObject({ matched: 2, unmatched: [], fees: first.fees, dueAt: null });
  expect((await cleared()).toSorted((a, b) => a - b)).toEqual([-2500, -1900, 40, 100]);
  expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test.each([19, 25])(
  '[J296] a further payment of %i.00 that nobody has reported is found by the comparison, and is matched by the next one',
  async (amount) => {
    const { day, id, settle, payAgain, cleared } = await paid();
    payAgain(amount);
    const first = await reconcileDay(ctx, day, null);
    expect(shown(first)).toEqual({ matched: 1, unmatched: [['theirs', 'paid_twice', id]] });
    await settle();
    expect(shown(await reconcileDay(ctx, day, first))).toEqual({ matched: 2, unmatched: [] });
    expect((await cleared()).toSorted((a, b) => a - b)).toEqual([-2500, amount * -100, 40, 100]);
  },
);

test('[J296] a further payment after midnight is not taken for the first one of the day before', async () => {
  const { day, id, settle, payAgain } = await paid();
  payAgain(25, 24 * HOUR_MS + 1000);
  const next = { ...day, from: day.from + 24 * HOUR_MS };
  const first = await reconcileDay(ctx, next, null);
  expect(shown(first)).toEqual({ matched: 0, unmatched: [['theirs', 'paid_twice', id]] });
  await settle();
  expect(shown(await reconcileDay(ctx, next, first))).toEqual({ matched: 1, unmatched: [] });
});

test('[J296] a further payment does not stand for the first one, which the gateway does not list', async () => {
  const { day, id, settle, payAgain } = await paid();
  payAgain();
  await ctx.topUps.reportLater(id, 'flutterwave');
  await settle();
  const { payments } = gateway;
  const all = await payments?.list({ liveMode: false, from: day.from, to: day.from + 24 * HOUR_MS }, null);
  const further = all?.items.filter(({ amount }) => amount === 1900) ?? [];
  const silent = { ...listing(() => ({ items: further, next: null })), name: gateway.name };
  const result = await reconcileDay(ctx, { ...day, gateway: silent }, null);
  expect(shown(result)).toEqual({ matched: 1, unmatched: [['ours', 'not_listed', id]] });
});

test.each([25, 20])(
  '[J340] after the refund of a payment of %i.00, another one of the same amount is in suspense once',
  async (amount) => {
    const { id, settle, payAgain, cleared } = await paid(amount);
    expect(await cleared()).toEqual([amount * -100]);
    fake.tryToPay(id, { status: 'refunded', amount });
    payAgain(amount);
    for (const _time of [1, 2]) {
      await ctx.topUps.reportLater(id, 'flutterwave');
      await settle();
    }
    expect(await cleared()).toEqual([amount * -100, amount * -100]);
  },
);

test.each([25, 20])(
  '[J341] after the refund of a payment of %i.00, the comparison finds another one of the same amount, and the next matches it',
  async (amount) => {
    const { day, id, settle, payAgain, cleared } = await paid(amount);
    fake.tryToPay(id, { status: 'refunded', amount });
    payAgain(amount);
    const gone = ['ours', 'not_listed', id];
    const first = await reconcileDay(ctx, day, null);
    expect(shown(first)).toEqual({ matched: 0, unmatched: [['theirs', 'paid_twice', id], gone] });
    await settle();
    expect(shown(await reconcileDay(ctx, day, first))).toEqual({ matched: 1, unmatched: [gone] });
    expect((await cleared()).toSorted((a, b) => a - b)).toEqual([amount * -100, amount * -100, 40]);
  },
);

const [CREDITED, SUSPENDED] = [
  { state: 'succeeded', reason: null },
  { state: 'failed', reason: 'mismatch' },
];
test.each([
  { first: 20, later: 25, isRefunded: false, end: SUSPENDED },
  { first: 20, later: 25, isRefunded: true, end: SUSPENDED },
  { first: 20, later: 30, isRefunded: true, end: SUSPENDED },
  { first: 20, later: 20, isRefunded: false, end: SUSPENDED },
  { first: 20, later: 20, isRefunded: true, end: SUSPENDED },
  { first: 25, later: 25, isRefunded: false, end: CREDITED },
  { first: 25, later: 25, isRefunded: true, end: CREDITED },
  { first: 25, later: 20, isRefunded: true, end: CREDITED },
])(
  '[J342] an earlier release dies after it has booked $first KES (refunded: $isRefunded), and $later KES are paid: each is booked once',
  async ({ first, later, isRefunded, end }) => {
    const { id, settle, payAgain, cleared } = await paid(first, dying);
    expect(await ctx.topUps.find(id)).toMatchObject({ state: 'pending' });
    if (isRefunded) fake.tryToPay(id, { status: 'refunded', amount: first });
    payAgain(later);
    await ctx.topUps.report(id, 'flutterwave', true);
    await settle();
    await ctx.topUps.reportLater(id, 'flutterwave');
    await settle();
    expect(await ctx.topUps.find(id)).toMatchObject(end);
    const booked = (await cleared()).toSorted((a, b) => b - a);
    expect(booked).toEqual([first, later].map((major) => major * -100).toSorted((a, b) => b - a));
    expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  },
);

test.each([
  [20, 25, CREDITED],
  [20, 30, SUSPENDED],
  [25, 20, SUSPENDED],
])(
  '[J355] a process that stalls after it has seen %i.00 KES books nothing if another one has booked since; with %i.00 more, each is booked once',
  async (first, later, end) => {
    const { id, payAgain, cleared } = await paid(first, idle);
    const topUp = await ctx.topUps.find(id);
    if (topUp === null) throw new Error('the top-up is stored');
    const [reached, woken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = async (...asked: Parameters<typeof ctx.topUps.end>) => {
      reached.resolve();
      await woken.promise;
      return ctx.topUps.end(...asked);
    };
    const stalled = settleTopUp({ ...ctx, topUps: { ...ctx.topUps, end: slow } }, topUp);
    await reached.promise;
    payAgain(later);
    await settleTopUp({ ...ctx, gateways: [latest] }, topUp);
    woken.resolve();
    await stalled;
    expect(await ctx.topUps.find(id)).toMatchObject(end);
    const booked = (await cleared()).toSorted((a, b) => b - a);
    expect(booked).toEqual([first, later].map((major) => major * -100).toSorted((a, b) => b - a));
    const held = await house.mongo.collection(SUSPENSE).countDocuments({ topUpId: id });
    expect(held).toBe(end === CREDITED ? 1 : 2);
    expect(await verifyLedger(house.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  },
);
