import { expect, onTestFinished, test } from 'vitest';
import { startReconciling } from '../../../../src/dispatch/reconcile/reconcile-days.ts';
import { createClock } from '../../../../src/clock.ts';
import type { Reconciliation } from '../../../../src/money/reconcile/reconciliation.ts';
import type { Leases } from '../../../../src/ports/process.ts';
import { until } from '../../../until.ts';
import { DAY_MS, openDays } from './reconciled-days.ts';

const { ctx, sandbox } = await openDays('other processes');

/** Leases that several processes compete for. */
function sharedLeases() {
  const owners = new Map<string, string>();
  return (process: string): Leases => ({
    tryHold: async (name) => {
      if (!owners.has(name)) owners.set(name, process);
      return owners.get(name) === process ? 1 : null;
    },
    release: async (name) => void owners.delete(name),
  });
}

test('[J344] a process without the key of a gateway does not keep another one from comparing its days', async () => {
  const leasesOf = sharedLeases();
  const now = (50_000 + 2) * DAY_MS;
  const clock = { ...createClock(), now: () => now };
  const date = new Date(now - 3 * DAY_MS).toISOString().slice(0, 10);
  const runsOf = async (gateway: 'sandbox' | 'stripe') =>
    (await ctx.reconciliations.find(`${gateway}.test.${date}` as Reconciliation['id']))?.runs;
  const first = startReconciling({ ...ctx, clock, leases: leasesOf('first'), gateways: [sandbox] });
  onTestFinished(async () => void (await Promise.all(first.map((led) => led.stop()))));
  await until(async () => (await runsOf('sandbox')) === 1);
  const stripe = { ...sandbox, name: 'stripe' as const };
  const second = startReconciling({ ...ctx, clock, leases: leasesOf('second'), gateways: [stripe, sandbox] });
  onTestFinished(async () => void (await Promise.all(second.map((led) => led.stop()))));
  await until(async () => (await runsOf('stripe')) === 1);
  expect(await runsOf('sandbox')).toBe(1);
});
