import { dateIn } from '../../domain/analytics/local-date.ts';
import { UTC } from '../../domain/vendors/time-zone.ts';
import type { GatewayMode } from '../../money/gateways.ts';
import { findGateway } from '../../money/payouts/find-gateway.ts';
import {
  reconciliationId,
  runAgainAt,
  type Comparison,
  type Reconciliation,
  SUBJECTS,
  type Subject,
} from '../../money/reconcile/reconciliation.ts';
import type { Context } from '../../ports/context.ts';
import type { Gateway } from '../../ports/money/gateways.ts';
import { eachDue } from '../../work/each-due.ts';
import type { Led } from '../../work/hold-lease.ts';
import { leadConfigured } from '../due/lead-gateways.ts';
import { comparePayments } from './compare-payments.ts';
import { compareTransfers } from './compare-transfers.ts';
import { DAY_MS, type Day } from './day.ts';

type Needs = Pick<
  Context,
  'clock' | 'gateways' | 'ledger' | 'log' | 'metrics' | 'payouts' | 'reconciliations' | 'settings' | 'topUps'
>;

/** For each subject, the gateways that list it, how it is compared, and how the log complains. */
// One row per line: this is a table.
// oxfmt-ignore
const COMPARISONS: Readonly<Record<Subject, {
  readonly listedBy: (gateway: Gateway) => boolean;
  readonly compare: (ctx: Needs, day: Day) => Promise<Comparison>;
  readonly differ: string;
}>> = {
  payments:  { listedBy: ({ payments }) => payments !== undefined,   compare: comparePayments,  differ: 'payments of a gateway differ from the ledger, so somebody must look at them' },
  transfers: { listedBy: ({ transfers }) => transfers !== undefined, compare: compareTransfers, differ: 'transfers of a gateway differ from the ledger, so somebody must look at them' },
};

/** Dates that are looked at. A server that was away for longer leaves a hole that a person can see. */
const DATES = 14;
const EVERY_MS = 1_800_000;
const LEAST_REAL_MS = 1000;

/**
 * Compares each date of each gateway with the ledger. For each gateway and mode one process at a time does it, of those that
 * have its key: only they can ask it.
 */
export function startReconciling(ctx: Needs & Pick<Context, 'leases'>): readonly Led[] {
  const pace = { everyMs: EVERY_MS, leastRealMs: LEAST_REAL_MS };
  return leadConfigured(ctx, 'reconciliation of', pace, (of) => (ownsLease) => reconcileDue(ctx, of, ownsLease));
}

/** Compares the days of a gateway in one mode that are over and were not compared yet, and those that are due again. */
export async function reconcileDue(ctx: Needs, of: GatewayMode, ownsLease: () => boolean): Promise<void> {
  const act = (day: Day) => reconcileIfDue(ctx, day);
  const idOf = (day: Day) => reconciliationId(namesOf(day));
  await eachDue(ctx.log, daysOf(ctx, of), ownsLease, { what: 'reconciliation', idOf, act });
}

/** All days of a gateway in one mode that can be compared by now, the oldest first for each subject. */
function daysOf({ clock, gateways, settings }: Needs, of: GatewayMode): Day[] {
  const gateway = findGateway(gateways, of);
  if (gateway === null) return [];
  const now = clock.now();
  const last = Math.floor((now - settings.topUps.reconcileAfterMs) / DAY_MS) - 1;
  const days = Array.from({ length: DATES }, (_, at) => (last - DATES + 1 + at) * DAY_MS);
  const { liveMode } = of;
  const subjects = SUBJECTS.filter((subject) => COMPARISONS[subject].listedBy(gateway));
  return subjects.flatMap((subject) => days.map((from) => ({ gateway, liveMode, from, subject })));
}

async function reconcileIfDue(ctx: Needs, day: Day): Promise<void> {
  const before = await ctx.reconciliations.find(reconciliationId(namesOf(day)));
  if (before === null || (before.dueAt !== null && before.dueAt <= ctx.clock.now()))
    await reconcileDay(ctx, day, before);
}

/** Compares a day in both directions, stores the result and complains about what is not matched. */
export async function reconcileDay(ctx: Needs, day: Day, before: Reconciliation | null): Promise<Reconciliation> {
  const { clock, log, metrics, reconciliations } = ctx;
  const { subject } = day;
  const { compare, differ } = COMPARISONS[subject];
  const comparison = await compare(ctx, day);
  const names = namesOf(day);
  const [now, runs] = [clock.now(), (before?.runs ?? 0) + 1];
  const of = { id: reconciliationId(names), ...names, from: day.from };
  const dueAt = runAgainAt(comparison, runs, now);
  const reconciliation: Reconciliation = { ...of, ...comparison, runs, ranAt: now, dueAt };
  await reconciliations.put(reconciliation);
  const { matched, oursOnly, theirsOnly } = comparison;
  if (oursOnly + theirsOnly > 0) log.error({ ...of, matched, oursOnly, theirsOnly, runs }, differ);
  // A further run sees the same money again.
  const counts = before === null ? { matched, ours_only: oursOnly, theirs_only: theirsOnly } : {};
  for (const [bucket, count] of Object.entries(counts))
    metrics.count(`reconciled_${subject}_total`, { gateway: names.gateway, bucket }, count);
  return reconciliation;
}

/** The names of the comparison of a day. */
function namesOf({ gateway, liveMode, from, subject }: Day) {
  return { gateway: gateway.name, liveMode, date: dateIn(UTC, from), subject };
}
