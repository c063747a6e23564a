import type { Suspense } from '../../money/suspense/suspense.ts';
import type { Context } from '../../ports/context.ts';
import { eachDue } from '../../work/each-due.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'log' | 'metrics' | 'settings' | 'suspense'>;

/** Service time between two looks, and the least machine time. */
const EVERY_MS = 60_000;
const LEAST_REAL_MS = 1000;
/** Rows of one turn. */
const BATCH = 100;

/** Complains about money that nobody has decided about for too long, in one process at a time. */
export function startWatchingSuspense(ctx: Needs & Pick<Context, 'leases'>): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'suspense',
    everyMs: EVERY_MS,
    leastRealMs: LEAST_REAL_MS,
    turn: (ownsLease) => watchSuspense(ctx, ownsLease),
  });
}

/** Logs an error for each row that is due, and again after the same time. */
export async function watchSuspense(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const due = await ctx.suspense.listDue(ctx.clock.now(), BATCH);
  const act = (suspense: Suspense) => complain(ctx, suspense);
  await eachDue(ctx.log, due, ownsLease, { what: 'money in suspense', idOf: ({ id }) => id, act });
}

async function complain({ clock, log, metrics, settings, suspense: store }: Needs, suspense: Suspense): Promise<void> {
  const { id, topUpId, gateway, amount, currency, liveMode, createdAt, version } = suspense;
  const now = clock.now();
  const next = { ...suspense, dueAt: now + settings.suspense.alertMs, version: version + 1 };
  // Somebody has just decided.
  if (!(await store.replace(next, null, null))) return;
  const ageS = Math.round((now - createdAt) / 1000);
  log.error({ suspense: id, topUp: topUpId, gateway, amount, currency, liveMode, ageS }, TOO_LONG);
  metrics.count('suspense_alerts_total', { mode: liveMode ? 'live' : 'test' });
}

const TOO_LONG = 'money has been in suspense for too long, so finance must decide about it, or approve the decision';
