import { newId } from '../../domain/ids.ts';
import { zoneOfVendor } from '../../domain/vendors/time-zone.ts';
import type { Vendor } from '../../domain/vendors/vendor.ts';
import { buyerOf, sellerOf } from '../../money/billing/bill.ts';
import { gatherLines, type Gathering } from '../../money/billing/gather-lines.ts';
import { endOfPeriod, issuedFrom, nextPeriod, periodAt, startOfPeriod } from '../../money/billing/periods.ts';
import { BILLED_KINDS } from '../../money/billing/transactions.ts';
import { currencyOf } from '../../money/ledger/accounts.ts';
import type { Context } from '../../ports/context.ts';
import type { BillingAccount, InvoiceDraft, NewAccount, TransactionFilter } from '../../ports/money/billing.ts';
import type { PageRequest } from '../../ports/pages.ts';
import { eachDue, pauseAfter } from '../../work/each-due.ts';
import { startLed } from '../../work/hold-lease.ts';
import { inParts } from '../../work/parts.ts';
import type { Turn } from '../../work/sweep.ts';
import { printInvoice } from './read-bill.ts';

type Needs = Pick<
  Context,
  'clock' | 'invoices' | 'leases' | 'log' | 'printer' | 'settings' | 'transactions' | 'vendors'
>;

/** Service time between two turns. */
const EVERY_MS = 600_000;
const LEAST_REAL_MS = 1000;
/** Rows of one read. */
const PAGE = 500;

/** Issues the invoice of each month that is over, in one process at a time. */
export function startInvoicing(ctx: Needs): { stop(): Promise<void> } {
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
  const { clock, invoices, log } = ctx;
  await eachDue(log, await invoices.listDue(clock.now(), PAGE), ownsLease, {
    what: 'billing account',
    idOf: ({ vendorId, book }) => `${vendorId}:${book}`,
    act: (account) => issueMonths(ctx, account, ownsLease),
    putOff: (account) => invoices.putOff(account, clock.now() + pauseAfter(account.failures + 1)),
  });
}

async function printDue(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  const { clock, invoices, log } = ctx;
  await eachDue(log, await invoices.listUnprinted(clock.now(), PAGE), ownsLease, {
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
  return moveOn(ctx, account, { ...account, period, from: startOfPeriod(zone, period), dueAt }, null);
}

/** Issues the invoice of a month, unless nothing was charged in it. Returns the account with its next month. */
async function issueMonth(ctx: Needs, vendor: Vendor, account: BillingAccount): Promise<BillingAccount> {
  const zone = zoneOfVendor(vendor);
  const dueAt = issuedFrom(ctx.settings.billing, zone, account.period);
  // The vendor has moved to a zone in which the month is not over.
  if (dueAt > ctx.clock.now()) return moveOn(ctx, account, { ...account, dueAt }, null);
  const to = endOfPeriod(zone, account.period);
  const { vendorId, liveMode, book, from, period } = account;
  const gathering = await gather(ctx, zone, { vendorId, liveMode, book, from, to, kinds: BILLED_KINDS });
  const later = nextPeriod(period);
  const next = { ...account, period: later, from: to, dueAt: issuedFrom(ctx.settings.billing, zone, later) };
  const lines = gathering.lines();
  if (lines.length === 0) return moveOn(ctx, account, next, null);
  return moveOn(ctx, account, next, {
    id: newId('inv'),
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
    lines,
    sums: gathering.sums(),
  });
}

async function moveOn(
  { invoices }: Needs,
  account: BillingAccount | NewAccount,
  next: BillingAccount,
  draft: InvoiceDraft | null,
): Promise<BillingAccount> {
  await invoices.issue(account, next, draft);
  return next;
}

/** Reads all charges of a bill, page by page. */
async function gather(
  { transactions }: Pick<Context, 'transactions'>,
  zone: string,
  filter: TransactionFilter,
): Promise<Gathering> {
  const gathering = gatherLines(zone);
  let after: PageRequest['after'] = null;
  do {
    const page = await transactions.list(filter, { limit: PAGE, after });
    for (const transaction of page.items) gathering.add(transaction);
    after = page.next;
  } while (after !== null);
  return gathering;
}
