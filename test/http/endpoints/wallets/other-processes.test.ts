import { expect, onTestFinished, test } from 'vitest';
import { createClock } from '../../../../src/clock.ts';
import { startPaying } from '../../../../src/dispatch/due/pay-out.ts';
import { startSettling } from '../../../../src/dispatch/due/settle-top-ups.ts';
import { startReconciling } from '../../../../src/dispatch/reconcile/reconcile-days.ts';
import { PAYOUTS } from '../../../../src/models/ledger/payout-shapes.ts';
import { TOP_UP_REFUNDS } from '../../../../src/models/ledger/wallets/top-up-refund-store.ts';
import { TOP_UPS } from '../../../../src/models/ledger/wallets/top-up-shape.ts';
import type { Reconciliation } from '../../../../src/money/reconcile/reconciliation.ts';
import type { GatewayName } from '../../../../src/money/gateways.ts';
import type { Transfer } from '../../../../src/money/payouts/transfer.ts';
import type { Gateway } from '../../../../src/ports/money/gateways.ts';
import type { Leases } from '../../../../src/ports/process.ts';
import type { Led } from '../../../../src/work/hold-lease.ts';
import { keptLog } from '../../../kept-ports.ts';
import { aPayout } from '../../../money/payouts/a-payout.ts';
import { aTopUpRefund } from '../../../money/top-ups/a-refund.ts';
import { aTopUp } from '../../../money/top-ups/a-top-up.ts';
import { until } from '../../../until.ts';
import { DAY_MS, openDays } from './reconciled-days.ts';

const { house, ctx, sandbox } = await openDays('other processes');

/** Leases that several processes compete for. */
function sharedLeases() {
  const owners = new Map<string, string>();
  const leasesOf = (process: string): Leases => ({
    tryHold: async (name) => {
      if (!owners.has(name)) owners.set(name, process);
      return owners.get(name) === process ? 1 : null;
    },
    release: async (name) => void owners.delete(name),
  });
  return { leasesOf, ownerOf: (name: string) => owners.get(name) };
}

/** Ends the work with the test. */
function endLater(work: readonly Led[]): void {
  onTestFinished(async () => void (await Promise.all(work.map((led) => led.stop()))));
}

test('[J344] a process without the key of a gateway does not keep another one from comparing its days', async () => {
  const { leasesOf } = sharedLeases();
  const now = (50_000 + 2) * DAY_MS;
  const clock = { ...createClock(), now: () => now };
  const date = new Date(now - 3 * DAY_MS).toISOString().slice(0, 10);
  const runsOf = async (gateway: 'sandbox' | 'stripe') =>
    (await ctx.reconciliations.find(`${gateway}.test.${date}` as Reconciliation['id']))?.runs;
  const first = startReconciling({ ...ctx, clock, leases: leasesOf('first'), gateways: [sandbox] });
  endLater(first);
  await until(async () => (await runsOf('sandbox')) === 1);
  const stripe = { ...sandbox, name: 'stripe' as const };
  const second = startReconciling({ ...ctx, clock, leases: leasesOf('second'), gateways: [stripe, sandbox] });
  endLater(second);
  await until(async () => (await runsOf('stripe')) === 1);
  expect(await runsOf('sandbox')).toBe(1);
});

/** Paystack with the key of one mode: nobody has paid there, and each transfer and refund has arrived. */
function paystackIn(mode: 'test' | 'live'): Gateway {
  const arrived = ({ amount, currency }: Pick<Transfer, 'amount' | 'currency'>): Transfer => ({
    status: 'success',
    amount,
    currency,
    reason: null,
  });
  const prepare = () => Promise.reject(new Error('all were sent before'));
  const nothing = async () => ({ items: [], next: null });
  return {
    ...sandbox,
    name: 'paystack',
    modes: [mode],
    verify: async () => ({ is: 'declined' }),
    payments: { list: nothing },
    transfers: { pays: () => true, prepare, find: async () => arrived(aPayout()), list: nothing },
    refunds: { prepare, find: async () => arrived(aTopUpRefund()) },
  };
}

test('[J361] the processes with the test key and with the live key of a gateway both do their work', async () => {
  const { leasesOf, ownerOf } = sharedLeases();
  const log = keptLog();
  const now = (60_000 + 2) * DAY_MS;
  const clock = { ...createClock(), now: () => now };
  for (const mode of ['test', 'live'] as const) {
    const own = { ...ctx, log, clock, leases: leasesOf(mode), gateways: [paystackIn(mode)] };
    endLater([...startSettling(own), ...startPaying(own), ...startReconciling(own)]);
    // Until a process with the key leads, another one reports what is due.
    const work = ['top-ups of', 'payouts by', 'refunds by', 'reconciliation of'];
    await until(async () => work.every((what) => ownerOf(`${what} paystack ${mode}`) === mode));
  }
  for (const liveMode of [false, true]) {
    const { topUp, payout, refund } = await addDue('paystack', liveMode);
    const date = new Date(now - 3 * DAY_MS).toISOString().slice(0, 10);
    const day = `paystack.${liveMode ? 'live' : 'test'}.${date}` as Reconciliation['id'];
    await until(async () => (await ctx.topUps.find(topUp.id))?.state === 'failed');
    await until(async () => (await ctx.payouts.find(payout.id))?.state === 'paid');
    await until(async () => (await ctx.topUpRefunds.find(refund.id))?.state === 'paid');
    await until(async () => (await ctx.reconciliations.find(day))?.runs === 1);
  }
  expect(log.lines.filter(({ level }) => level !== 'info')).toEqual([]);
});

/** Stores a top-up, a payout and a refund that are due at a gateway. */
async function addDue(gateway: GatewayName, liveMode: boolean) {
  const of = { gateway, liveMode, dueAt: 1 } as const;
  const [topUp, payout, refund] = [
    aTopUp({ gateway, liveMode }),
    aPayout({ ...of, state: 'processing' }),
    aTopUpRefund({ ...of, state: 'processing' }),
  ];
  await house.mongo.collection(TOP_UPS).insertOne({ ...rowOf(topUp), looks: 0, dueAt: 1 });
  await house.mongo.collection(PAYOUTS).insertOne(rowOf(payout));
  await house.mongo.collection(TOP_UP_REFUNDS).insertOne(rowOf(refund));
  return { topUp, payout, refund };
}

function rowOf<T extends { readonly id: string; readonly amount: number; readonly chargebacks?: unknown }>(row: T) {
  const { id, amount, chargebacks: _none, ...rest } = row;
  return { ...rest, _id: id as T['id'], amount: BigInt(amount) };
}

test('[J361] the money that is due at a gateway is read for one mode', async () => {
  const [own, other] = [await addDue('flutterwave', true), await addDue('flutterwave', false)];
  const [of, now] = [{ gateway: 'flutterwave', liveMode: true } as const, ctx.clock.now()];
  expect((await ctx.topUps.claimDue(of, 10)).map(({ id }) => id)).toEqual([own.topUp.id]);
  expect((await ctx.payouts.listDue(of, now, 10)).map(({ id }) => id)).toEqual([own.payout.id]);
  expect((await ctx.topUpRefunds.listDue(of, now, 10)).map(({ id }) => id)).toEqual([own.refund.id]);
  expect(await ctx.topUps.claimDue({ ...of, liveMode: false }, 10)).toMatchObject([{ id: other.topUp.id }]);
});
