import { newId } from '../../domain/ids.ts';
import { zoneOfVendor } from '../../domain/vendors/time-zone.ts';
import type { Vendor } from '../../domain/vendors/vendor.ts';
import { buyerOf, sellerOf } from '../../money/billing/bill.ts';
import { endOfPeriod, issuedFrom, nextPeriod, periodAt, startOfPeriod } from '../../money/billing/periods.ts';
import { BILLED_KINDS } from '../../money/billing/transactions.ts';
import { currencyOf } from '../../money/ledger/accounts.ts';
import type { Context } from '../../ports/context.ts';
import type { BillingAccount, InvoiceDraft, NewAccount } from '../../ports/money/billing.ts';
import { eachDuePage, pauseAfter } from '../../work/each-due.ts';
import { startLed } from '../../work/hold-lease.ts';
import { inParts } from '../../work/parts.ts';
import type { Turn } from '../../work/hold-lease.ts';
import { gatherMonth } from './gather-month.ts';
import { printInvoice } from './read-bill.ts';

type Needs = Pick<Context, 'clock' | 'invoices' | 'log' | 'printer' | 'settings' | 'transactions' | 'vendors'>;

/** Service time between two turns. */
const EVERY_MS = 60_000;
const LEAST_REAL_MS = 1000;
/** Rows of one read. */
const PAGE = 500;

/** Issues the invoice of each month that is over, in one process at a time. */
export function startInvoicing(ctx: Needs & Pick<Context, 'leases'>): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'invoices',
    everyMs: EVERY_MS,
    leastRealMs: LEAST_REAL_MS,
    turn: issueInvoices(ctx),
  });
}

/** Makes a turn: it issues the invoices that are due, and prints those that a process did not print because it ended. */
export function issueInvoices(ctx: Needs): Turn {
  return inParts(ctx.log, [
    ['issue invoices', (ownsLease) => issueDue(ctx, ownsLease)],
    ['print invoices', (ownsLease) => printDue(ctx, ownsLease)],
  ]);
}

async function issueDue(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const { clock, invoices } = ctx;
  const pages = { list: (limit: number) => invoices.listDue(clock.now(), limit), limit: PAGE };
  await eachDuePage(ctx, pages, ownsLease, {
    what: 'billing account',
    idOf: ({ vendorId, book }) => `${vendorId}:${book}`,
    act: (account) => issueMonths(ctx, account, ownsLease),
    putOff: (account) => invoices.putOff(account, clock.now() + pauseAfter(account.failures + 1)),
  });
}

async function printDue(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const { clock, invoices } = ctx;
  const pages = { list: (limit: number) => invoices.listUnprinted(clock.now(), limit), limit: PAGE };
  await eachDuePage(ctx, pages, ownsLease, {
    what: 'invoice to print',
    idOf: ({ invoice }) => invoice.id,
    act: ({ invoice }) => printInvoice(ctx, invoice),
    putOff: (unprinted) => invoices.putOffPrint(unprinted, clock.now() + pauseAfter(unprinted.failures + 1)),
  });
}

/** Issues the invoices of all months of an account that are over. After a long pause there may be several. */
async function issueMonths(ctx: Needs, due: BillingAccount | NewAccount, ownsLease: () => boolean): Promise<void> {
  const vendor = await ctx.vendors.get(due.vendorId);
  let open = due.period === null ? await openAccount(ctx, vendor, due) : due;
  while (open.dueAt <= ctx.clock.now() && ownsLease()) open = await issueMonth(ctx, vendor, open);
}

/** Finds out in which month a new account was charged first. That month is invoiced first. */
async function openAccount(ctx: Needs, vendor: Vendor, account: NewAccount): Promise<BillingAccount> {
  const firstAt = await ctx.transactions.firstAt(BILLED_KINDS, account);
  const zone = zoneOfVendor(vendor);
  const period = periodAt(zone, firstAt ?? account.from);
  const dueAt = issuedFrom(ctx.settings.billing, zone, period);
  return moveOn(ctx, account, { ...account, period, from: startOfPeriod(zone, period), dueAt }, []);
}

/**
 * Issues the invoice of a month and a credit note for each earlier invoice of which something was refunded in it, as far
 * as there are any. Returns the account with its next month.
 */
async function issueMonth(ctx: Needs, vendor: Vendor, account: BillingAccount): Promise<BillingAccount> {
  const zone = zoneOfVendor(vendor);
  const dueAt = issuedFrom(ctx.settings.billing, zone, account.period);
  // The vendor has moved to a zone in which the month is not over.
  if (dueAt > ctx.clock.now()) return moveOn(ctx, account, { ...account, dueAt }, []);
  const to = endOfPeriod(zone, account.period);
  const later = nextPeriod(account.period);
  const next = { ...account, period: later, from: to, dueAt: issuedFrom(ctx.settings.billing, zone, later) };
  const { vendorId, liveMode, book, from, period } = account;
  const gathered = await gatherMonth(ctx, zone, { vendorId, liveMode, book, from, to });
  const common = {
    vendorId,
    liveMode,
    currency: currencyOf(book),
    period,
    zone,
    from,
    to,
    issuedAt: ctx.clock.now(),
    seller: sellerOf(ctx.settings.billing),
    buyer: buyerOf(vendor),
  };
  const drafts = gathered.map(({ credits, gathering }) => ({
    id: newId('inv'),
    credits,
    ...common,
    lines: gathering.lines(),
    sums: gathering.sums(),
  }));
  return moveOn(ctx, account, next, drafts);
}

async function moveOn(
  { invoices }: Needs,
  account: BillingAccount | NewAccount,
  next: BillingAccount,
  drafts: readonly InvoiceDraft[],
): Promise<BillingAccount> {
  await invoices.issue(account, next, drafts);
  return next;
}
