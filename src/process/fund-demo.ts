import { newId, type TopUpId, type VendorId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusals/refusals.ts';
import type { Vendor } from '../domain/vendors/vendor.ts';
import { resolvePayment } from '../http/sandbox/resolve-payment.ts';
import { amountOf } from '../money/amount.ts';
import { bookOf, vendorAccount } from '../money/ledger/accounts.ts';
import { settleTopUp } from '../money/top-ups/settle-top-up.ts';
import { startTopUp } from '../money/top-ups/start-top-up.ts';
import type { TopUp } from '../money/top-ups/top-up.ts';
import type { Context } from '../ports/context.ts';

/** The money of the demo's vendor, minor units of its currency. It is enough for about 100,000 deliveries. */
const FUNDS = amountOf(100_000_000);

/**
 * Fills the test wallet of the demo's vendor through the sandbox gateway, which must be reachable. The id of the top-up
 * follows from that of the vendor, so the wallet is filled once, however often and in however many processes the server
 * starts.
 */
export async function fundDemo(ctx: Context, vendorId: VendorId): Promise<void> {
  const vendor = await ctx.vendors.find(vendorId);
  // A removal of the demo was interrupted.
  if (vendor === null) return;
  try {
    await fundOnce(ctx, vendor);
  } catch (error) {
    // The server must start all the same.
    if (!(error instanceof Refusal)) throw error;
    // The payment may be there. The worker settles it, or the next start tries again.
    const { code } = error;
    ctx.log.warn({ vendorId, code }, 'the wallet of the demo has no money yet, because its top-up was refused for now');
  }
}

async function fundOnce(ctx: Context, { id: vendorId, currency }: Vendor): Promise<void> {
  const first = await topUp(ctx, vendorId, `top_${vendorId.slice('ven_'.length)}`);
  if (first.state === 'pending' || first.state === 'succeeded') return;
  // An earlier start died in the middle, and its payment has expired.
  const { posted } = await ctx.ledger.balance(vendorAccount('wallet', vendorId, bookOf(false, currency)));
  if (posted === 0) await topUp(ctx, vendorId, newId('top'));
}

/** Pays at the sandbox, as the vendor would on its page. */
async function topUp(ctx: Context, vendorId: VendorId, id: TopUpId): Promise<TopUp> {
  const amount = amountOf(Math.min(FUNDS, ctx.settings.topUps.mostAmount));
  const asked = { vendorId, liveMode: false, amount, currency: null, gateway: 'sandbox', returnUrl: null } as const;
  const started = await startTopUp(ctx, asked, id);
  if (started.state !== 'pending') return started;
  const payment = await ctx.sandbox.find(id);
  if (payment !== null) await resolvePayment(ctx, payment, 'pay');
  await settleTopUp(ctx, started);
  return started;
}
