import { newId } from '../../domain/ids.ts';
import { zoneOfVendor } from '../../domain/vendors/time-zone.ts';
import type { Vendor } from '../../domain/vendors/vendor.ts';
import { buyerOf, sellerOf } from '../../money/billing/bill.ts';
import { gatherLines, type Gathering } from '../../money/billing/gather-lines.ts';
import { endOfPeriod, issuedFrom, nextPeriod, periodAt, startOfPeriod } from '../../money/billing/periods.ts';
import { BILLED_KINDS } from '../../money/billing/transactions.ts';
import { currencyOf } from '../../money/ledger/accounts.ts';
import type { Context } from '../../ports/context.ts';
import type { BillingAccount, InvoiceDraft, TransactionFilter, Wallet } from '../../ports/money/billing.ts';
import type { PageRequest } from '../../ports/pages.ts';
import { each } from '../../work/each.ts';
import { startLed } from '../../work/hold-lease.ts';
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
    turn: (ownsLease) => issueInvoices(ctx, ownsLease),
  });
}

/**
 * One turn: it notices vendors with a first charge, issues the invoices that are due, and prints those that a process did
 * not print because it ended.
 */
export async function issueInvoices(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  await addAccounts(ctx, ownsLease);
  const due = await ctx.invoices.listDue(ctx.clock.now(), PAGE);
  await each(due, ownsLease, (account) => issueMonths(ctx, account, ownsLease));
  await each(await ctx.invoices.listUnprinted(PAGE), ownsLease, (invoice) => printInvoice(ctx, invoice));
}

async function addAccounts(ctx: Needs, ownsLease: () => boolean): Promise<void> {
  let after: string | null = null;
  do {
    const { wallets, next } = await ctx.transactions.listWallets(after, PAGE);
    await each(await ctx.invoices.listNew(wallets), ownsLease, (wallet) => addAccount(ctx, wallet));
    after = next;
  } while (after !== null && ownsLease());
}

/** A vendor without charges gets no account, since there is nothing to invoice. */
async function addAccount(ctx: Needs, wallet: Wallet): Promise<void> {
  const firstAt = await ctx.transactions.firstAt(BILLED_KINDS, wallet);
  if (firstAt === null) return;
  const zone = zoneOfVendor(await ctx.vendors.get(wallet.vendorId));
  const period = periodAt(zone, firstAt);
  await ctx.invoices.addAccount({
    ...wallet,
    period,
    from: startOfPeriod(zone, period),
    dueAt: issuedFrom(ctx.settings.billing, zone, period),
  });
}

/** Issues the invoices of all months of an account that are over. After a long pause there may be several. */
async function issueMonths(ctx: Needs, account: BillingAccount, ownsLease: () => boolean): Promise<void> {
  const vendor = await ctx.vendors.get(account.vendorId);
  for (let open = account; open.dueAt <= ctx.clock.now() && ownsLease();) open = await issueMonth(ctx, vendor, open);
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
  account: BillingAccount,
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
