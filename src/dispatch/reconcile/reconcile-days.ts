import { dateIn } from '../../domain/analytics/local-date.ts';
import type { TopUpId } from '../../domain/ids.ts';
import { UTC } from '../../domain/vendors/time-zone.ts';
import {
  factsOf,
  judgeTheirs,
  reconciliationId,
  runAgainAt,
  withMore,
  type Comparison,
  type ListedPayment,
  type Reconciliation,
  type Unmatched,
} from '../../money/reconcile/reconciliation.ts';
import type { TopUp } from '../../money/top-ups/top-up.ts';
import type { Context } from '../../ports/context.ts';
import type { Gateway, GatewayPayments, PaymentPage } from '../../ports/money/gateways.ts';
import type { Page, PageRequest } from '../../ports/pages.ts';
import { eachDue } from '../../work/each-due.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<
  Context,
  'clock' | 'gateways' | 'ledger' | 'log' | 'metrics' | 'reconciliations' | 'settings' | 'topUps'
>;
/** The payments of a gateway on a date. */
export type Day = { readonly gateway: Gateway; readonly liveMode: boolean; readonly from: number };

const DAY_MS = 86_400_000;
/** A payment may be begun at the gateway a little before our own row, and as late as a page lasts after it. */
const BEFORE_MS = 3_600_000;
const AFTER_MS = 25 * 3_600_000;
/** Dates that are looked at. A server that was away for longer leaves a hole that a person can see. */
const DATES = 14;
const EVERY_MS = 1_800_000;
const LEAST_REAL_MS = 1000;
const PAGE = 500;
/** Pages of a gateway's list. A longer one repeats itself, or the span is too busy for one comparison. */
const MOST_PAGES = 5000;

/** Compares the payments of each gateway and date with the ledger, in one process at a time. */
export function startReconciling(ctx: Needs & Pick<Context, 'leases'>): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'reconciliation',
    everyMs: EVERY_MS,
    leastRealMs: LEAST_REAL_MS,
    turn: (ownsLease) => reconcileDue(ctx, ownsLease),
  });
}

/** Compares the days that are over and were not compared yet, and those that are due again. */
export async function reconcileDue(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const act = (day: Day) => reconcileIfDue(ctx, day);
  const idOf = ({ gateway, liveMode, from }: Day) => reconciliationId(gateway.name, liveMode, dateIn(UTC, from));
  await eachDue(ctx.log, daysOf(ctx), ownsLease, { what: 'reconciliation', idOf, act });
}

/** All days whose payments can be compared by now, the oldest first. */
function daysOf({ clock, gateways, settings }: Needs): Day[] {
  const now = clock.now();
  const last = Math.floor((now - settings.topUps.reconcileAfterMs) / DAY_MS) - 1;
  const days = Array.from({ length: DATES }, (_, at) => (last - DATES + 1 + at) * DAY_MS);
  return gateways
    .filter(({ payments }) => payments !== undefined)
    .flatMap((gateway) =>
      gateway.modes.flatMap((mode) => days.map((from) => ({ gateway, liveMode: mode === 'live', from }))),
    );
}

async function reconcileIfDue(ctx: Needs, day: Day): Promise<void> {
  const { gateway, liveMode, from } = day;
  const before = await ctx.reconciliations.find(reconciliationId(gateway.name, liveMode, dateIn(UTC, from)));
  if (before === null || (before.dueAt !== null && before.dueAt <= ctx.clock.now()))
    await reconcileDay(ctx, day, before);
}

/**
 * Compares a day in both directions, stores the result and complains about what is not matched. A payment that was not
 * booked makes its top-up due, so that its gateway is asked about it. A repeat changes nothing else.
 */
export async function reconcileDay(ctx: Needs, day: Day, before: Reconciliation | null): Promise<Reconciliation> {
  const { clock, log, metrics, reconciliations } = ctx;
  const comparison = await compare(ctx, day);
  const { gateway, liveMode, from } = day;
  const [now, runs, date] = [clock.now(), (before?.runs ?? 0) + 1, dateIn(UTC, from)];
  const of = { id: reconciliationId(gateway.name, liveMode, date), gateway: gateway.name, liveMode, date, from };
  const dueAt = runAgainAt(comparison, runs, now);
  const reconciliation: Reconciliation = { ...of, ...comparison, runs, ranAt: now, dueAt };
  await reconciliations.put(reconciliation);
  const { matched, oursOnly, theirsOnly } = comparison;
  if (oursOnly + theirsOnly > 0) log.error({ ...of, matched, oursOnly, theirsOnly, runs }, UNMATCHED);
  // A further run sees the same payments again.
  const counts = before === null ? { matched, ours_only: oursOnly, theirs_only: theirsOnly } : {};
  for (const [bucket, count] of Object.entries(counts))
    metrics.count('reconciled_payments_total', { gateway: gateway.name, bucket }, count);
  return reconciliation;
}

const UNMATCHED = 'payments of a gateway differ from the ledger, so somebody must look at them';

async function compare(ctx: Needs, day: Day): Promise<Comparison> {
  const { gateway, from } = day;
  const none: Comparison = { matched: 0, oursOnly: 0, theirsOnly: 0, unmatched: [] };
  if (gateway.payments === undefined) return none;
  const [listed, seen] = [new Set<TopUpId>(), new Set<TopUpId>()];
  let sum = none;
  for await (const payments of pagesOf(gateway.payments, day)) {
    for (const { topUpId } of payments) if (topUpId !== null) listed.add(topUpId);
    const own = payments.filter(({ createdAt }) => createdAt >= from && createdAt < from + DAY_MS);
    sum = await addTheirs(ctx, day, sum, own, seen);
  }
  return addOurs(ctx, day, sum, listed);
}

/** The payments of the day, and of some time around it. */
async function* pagesOf(payments: GatewayPayments, { liveMode, from }: Day): AsyncGenerator<readonly ListedPayment[]> {
  const span = { liveMode, from: from - BEFORE_MS, to: from + DAY_MS + AFTER_MS };
  const known = new Set<string>();
  let after: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page: PaymentPage = await payments.list(span, after);
    // A list by page numbers shows a payment again if another one comes before it meanwhile.
    yield page.payments.filter(({ gatewayId }) => !known.has(gatewayId));
    for (const { gatewayId } of page.payments) known.add(gatewayId);
    if (page.next === null) return;
    after = page.next;
  }
  throw new Error(`the gateway lists payments on more than ${MOST_PAGES} pages`);
}

async function addTheirs(
  { ledger, topUps }: Needs,
  { gateway, liveMode }: Day,
  sum: Comparison,
  payments: readonly ListedPayment[],
  seen: Set<TopUpId>,
): Promise<Comparison> {
  const ids = payments.flatMap(({ topUpId }) => topUpId ?? []);
  const entries = await ledger.find(ids.flatMap(factsOf));
  const judged = judgeTheirs(payments, entries, liveMode, seen);
  for (const id of ids) seen.add(id);
  const unmatched = judged.filter((one) => one !== null);
  for (const { why, topUpId } of unmatched)
    if (why === 'not_booked' && topUpId !== null) await topUps.report(topUpId, gateway.name, true);
  return withMore(sum, judged.length - unmatched.length, unmatched);
}

/** Adds our paid top-ups of the day that the gateway does not list. */
async function addOurs(
  { topUps }: Needs,
  { gateway, liveMode, from }: Day,
  sum: Comparison,
  listed: ReadonlySet<TopUpId>,
): Promise<Comparison> {
  const of = { gateway: gateway.name, liveMode, from, to: from + DAY_MS };
  let [all, after]: [Comparison, PageRequest['after']] = [sum, null];
  do {
    const page: Page<TopUp> = await topUps.listPaid(of, { limit: PAGE, after });
    const missing = page.items.filter(({ id }) => !listed.has(id)).map(onlyOurs);
    all = withMore(all, 0, missing);
    after = page.next;
  } while (after !== null);
  return all;
}

function onlyOurs({ id: topUpId, amount, currency }: TopUp): Unmatched {
  return { side: 'ours', why: 'not_listed', topUpId, gatewayId: null, amount, currency };
}
