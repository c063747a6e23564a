import { planSettlement } from '../../money/settlement/plan-settlement.ts';
import {
  moveSettlement,
  putOff,
  waitUntil,
  type Settlement,
  type SettlementAccount,
} from '../../money/settlement/settlement.ts';
import { agreesWith, gatherStatement } from '../../money/settlement/statement.ts';
import type { Context } from '../../ports/context.ts';
import { eachDuePage, pauseAfter, type DueWork } from '../../work/each-due.ts';
import { startLed } from '../../work/hold-lease.ts';
import { inParts } from '../../work/parts.ts';
import type { Turn } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log' | 'settings' | 'settlements' | 'vendors'>;

/** Service time between two turns, and the least machine time. */
const EVERY_MS = 60_000;
const LEAST_REAL_MS = 1000;
/** Rows of one read. */
const PAGE = 500;

/** Settles the periods of vendors that are over, in one process at a time. */
export function startSettlingVendors(ctx: Needs): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'settlements',
    everyMs: EVERY_MS,
    leastRealMs: LEAST_REAL_MS,
    turn: settleVendors(ctx),
  });
}

/** Makes a turn: it settles the periods that are due, pays what is approved, and reports drafts that wait for too long. */
export function settleVendors(ctx: Needs): Turn {
  return inParts(ctx.log, [
    ['settle vendors', (ownsLease) => settleDue(ctx, ownsLease)],
    ['pay settlements', (ownsLease) => payDue(ctx, ownsLease)],
  ]);
}

async function settleDue(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const { clock, settlements } = ctx;
  let newest = 0;
  const list = async (limit: number): Promise<readonly SettlementAccount[]> => {
    const due = await settlements.listDueAccounts(clock.now(), limit);
    if (due.length > 0) newest = await settlements.newestLink();
    return due;
  };
  const work: DueWork<SettlementAccount> = {
    what: 'settlement account',
    idOf: ({ vendorId, book }) => `${vendorId}:${book}`,
    act: (account) => settlePeriods(ctx, account, newest, ownsLease),
    putOff: (account) => settlements.putOff(account, clock.now() + pauseAfter(account.failures + 1)),
  };
  await eachDuePage(ctx, { list, limit: PAGE }, ownsLease, work);
}

async function payDue(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const { clock, settlements } = ctx;
  const list = (limit: number): Promise<readonly Settlement[]> => settlements.listDue(clock.now(), limit);
  const work: DueWork<Settlement> = {
    what: 'settlement',
    idOf: ({ id }) => id,
    act: (settlement) => (settlement.state === 'draft' ? report(ctx, settlement) : paySettlement(ctx, settlement)),
    putOff: (settlement) => {
      const dueAt = clock.now() + pauseAfter(settlement.failures + 1);
      return settlements.replace(putOff(settlement, dueAt), null, null);
    },
  };
  await eachDuePage(ctx, { list, limit: PAGE }, ownsLease, work);
}

/** Settles all periods of an account that are over. After a long pause there may be several. */
async function settlePeriods(
  ctx: Needs,
  account: SettlementAccount,
  newest: number,
  ownsLease: () => boolean,
): Promise<void> {
  let open: SettlementAccount | null = account;
  while (open !== null && open.dueAt <= ctx.clock.now() && ownsLease()) open = await settlePeriod(ctx, open, newest);
}

/**
 * Settles a period. Returns the account with its next one, or null if somebody else has settled it.
 * @throws Error if the statement does not agree with the ledger; then nothing is stored, and nothing is paid
 */
async function settlePeriod(ctx: Needs, account: SettlementAccount, newest: number): Promise<SettlementAccount | null> {
  const { vendorId, liveMode, book, period, link } = account;
  // The opening is empty: the entries that a new account has already belong to its first period.
  const upTo = period.from === period.to ? link : Math.max(link, newest);
  const gathering = gatherStatement();
  const span = { vendorId, liveMode, book, from: period.from, to: period.to, after: link, upTo };
  const sums = await ctx.settlements.readMembers(span, (member) => gathering.add(member));
  const statement = gathering.statement();
  if (!agreesWith(statement, sums)) throw new Error(`the statement of ${vendorId} in ${book} differs from the ledger`);
  const vendor = await ctx.vendors.get(vendorId);
  const read = { statement, upTo };
  const { settlement, next } = planSettlement(account, vendor, read, ctx.settings.settlement, ctx.clock.now());
  return (await ctx.settlements.issue(next, settlement)) ? next : null;
}

/** Pays an approved settlement. Somebody else may have paid it by now, which changes nothing. */
async function paySettlement({ clock, settlements }: Needs, settlement: Settlement): Promise<void> {
  const paid = moveSettlement(settlement, 'pay', clock.now());
  if (paid !== null) await settlements.replace(paid.settlement, paid.command, null);
}

/** Logs an error about a draft that nobody has approved, and again after the same time. */
async function report({ clock, log, settings, settlements }: Needs, draft: Settlement): Promise<void> {
  const { id, vendorId, amount, currency, liveMode, createdAt } = draft;
  const now = clock.now();
  // Somebody has just approved it, or another process has reported it.
  if (!(await settlements.replace(waitUntil(draft, now + settings.settlement.alertMs), null, null))) return;
  const ageS = Math.round((now - createdAt) / 1000);
  log.error({ settlement: id, vendorId, amount, currency, liveMode, ageS }, UNAPPROVED);
}

const UNAPPROVED = 'a settlement has waited for its approval for too long, so finance must look at it';
