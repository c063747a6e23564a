import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isoTime } from '../../domain/time.ts';
import { Refusal } from '../../domain/refusals/refusals.ts';
import { zoneOfVendor } from '../../domain/vendors/time-zone.ts';
import { buyerOf, sellerOf, type Invoice, type Receipt } from '../../money/billing/bill.ts';
import { gatherLines } from '../../money/billing/gather-lines.ts';
import { issuedFrom, type Period } from '../../money/billing/periods.ts';
import { paperOf } from '../../money/billing/print-bill.ts';
import { BILLED_KINDS } from '../../money/billing/transactions.ts';
import { bookOf, currencyOf } from '../../money/ledger/accounts.ts';
import type { Context } from '../../ports/context.ts';
import type { Printed } from '../../ports/files.ts';
import type { Payer } from '../../ports/money/billing.ts';

type Needs = Pick<Context, 'clock' | 'invoices' | 'printer' | 'settings' | 'transactions' | 'vendors'>;

/** A delivery is charged once, and returns and corrections add a few charges at most. */
const MOST_CHARGES = 100;

/**
 * The invoice of a month. A read never issues it. Refuses `invoice_not_issued` until it is issued, and
 * `invoice_not_found` if nothing was charged in the month.
 */
export async function readInvoiceOf(ctx: Needs, payer: Payer, period: Period): Promise<Invoice> {
  const vendor = await ctx.vendors.get(payer.vendorId);
  const book = bookOf(payer.liveMode, vendor.currency);
  const found = await ctx.invoices.findOfPeriod(payer, book, period);
  if (found !== null) return found;
  const account = await ctx.invoices.findAccount(payer, book);
  const from = issuedFrom(ctx.settings.billing, zoneOfVendor(vendor), period);
  const isOpen = from > ctx.clock.now() || (account !== null && account.period <= period);
  if (!isOpen) throw new Refusal('invoice_not_found');
  throw new Refusal('invoice_not_issued', {
    detail: `The invoice of ${period} is issued from ${isoTime(from)} on. A read never issues one.`,
    metadata: { period, issued_from: isoTime(from) },
  });
}

/** The receipt of a delivery. Refuses `invoice_not_found` if nothing was charged for it. */
export async function readReceipt(ctx: Needs, { id, vendorId, liveMode }: Delivery): Promise<Receipt> {
  const filter = { vendorId, liveMode, kinds: BILLED_KINDS, about: id };
  const { items } = await ctx.transactions.list(filter, { limit: MOST_CHARGES, after: null });
  const [newest] = items;
  if (newest === undefined) throw new Refusal('invoice_not_found');
  const vendor = await ctx.vendors.get(vendorId);
  const zone = zoneOfVendor(vendor);
  const gathering = gatherLines(zone);
  for (const transaction of items) gathering.add(transaction);
  return {
    deliveryId: id,
    vendorId,
    liveMode,
    currency: currencyOf(newest.book),
    issuedAt: newest.at,
    zone,
    seller: sellerOf(ctx.settings.billing),
    buyer: buyerOf(vendor),
    lines: gathering.lines(),
    sums: gathering.sums(),
  };
}

/** The printed invoice. It is printed once, with its issue. If that process ended before, it is printed now. */
export async function printInvoice(ctx: Pick<Needs, 'invoices' | 'printer'>, invoice: Invoice): Promise<Printed> {
  const stored = await ctx.invoices.findPrinted(invoice.id);
  if (stored !== null) return stored;
  await ctx.invoices.addPrinted(invoice, await ctx.printer.print(paperOf(invoice)));
  const printed = await ctx.invoices.findPrinted(invoice.id);
  if (printed === null) throw new Error('the printed invoice is stored');
  return printed;
}
