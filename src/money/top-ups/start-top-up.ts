import type { TopUpId, VendorId } from '../../domain/ids.ts';
import { anyOf, Refusal, refuseField } from '../../domain/refusals/refusals.ts';
import type { Context } from '../../ports/context.ts';
import type { Gateway, CheckoutPayer } from '../../ports/money/gateways.ts';
import type { Amount } from '../amount.ts';
import { findGateway } from '../payouts/find-gateway.ts';
import type { GatewayName } from '../gateways.ts';
import type { TopUp } from './top-up.ts';

type Needs = Pick<Context, 'clock' | 'gateways' | 'settings' | 'topUps' | 'vendors'>;

/** The wish of a vendor. Without a currency it is that of the account, and without a gateway the preferred one. */
export type StartTopUp = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly amount: Amount;
  readonly currency: string | null;
  readonly gateway: GatewayName | null;
  readonly returnUrl: string | null;
};

/**
 * Starts a top-up, and opens the page on which the payer pays. The same id names one top-up, however often it is started.
 * Refuses `too_many_top_ups` if the vendor has too many pending ones, `gateway_unavailable` if the gateway does not
 * answer, and `top_up_refused` if it does not take this payment.
 */
export async function startTopUp(ctx: Needs, asked: StartTopUp, id: TopUpId): Promise<TopUp> {
  const { vendorId, liveMode, amount, returnUrl } = asked;
  const { currency, business } = await ctx.vendors.get(vendorId);
  if (asked.currency !== null && asked.currency !== currency)
    throw refuseField('/currency', 'other_currency', `must be ${currency}, the currency of the account`);
  const { mostAmount, mostPending, checkoutMs } = ctx.settings.topUps;
  if (amount > mostAmount)
    throw refuseField('/amount', 'too_large', `must be from 1 to ${mostAmount} minor units; it is ${amount}`);
  const { name: gateway } = chooseGateway(ctx.gateways, { ...asked, currency });
  const now = ctx.clock.now();
  const about = { id, vendorId, liveMode, gateway, amount, currency, returnUrl };
  const state = { state: 'pending', reason: null, isPaid: false, checkout: null, endedAt: null } as const;
  const topUp = await ctx.topUps.add({ ...about, ...state, createdAt: now, expiresAt: now + checkoutMs }, mostPending);
  if (topUp === null) throw new Refusal('too_many_top_ups', { detail: tooMany(mostPending) });
  if (topUp.checkout !== null || topUp.state !== 'pending') return topUp;
  return openCheckout(ctx, gatewayOf(ctx.gateways, topUp), topUp, { email: business.contact?.email ?? null });
}

function tooMany(most: number): string {
  return `The account has ${most} pending top-ups in this mode. Complete one of them, or wait until it expires.`;
}

/** The preferred gateway of those that take payments of this mode and currency, or the one that the vendor names. */
function chooseGateway(
  gateways: readonly Gateway[],
  { gateway: name, liveMode, currency }: Pick<StartTopUp, 'gateway' | 'liveMode'> & { readonly currency: string },
): Gateway {
  const mode = liveMode ? 'live' : 'test';
  const fitting = gateways.filter((one) => one.modes.includes(mode) && one.takes(currency));
  const chosen = name === null ? fitting[0] : fitting.find((gateway) => gateway.name === name);
  if (chosen !== undefined) return chosen;
  if (fitting.length === 0)
    throw new Refusal('no_gateway', {
      detail: `This server has no payment gateway that takes ${currency} in ${mode} mode, so this wallet cannot be topped up.`,
    });
  const names = fitting.map((gateway) => gateway.name);
  throw refuseField('/gateway', 'not_available', `must be ${anyOf(names)} for ${currency} in ${mode} mode`);
}

/** A retry goes on at the gateway of the first try, which may have accepted the payment, whatever is preferred by now. */
function gatewayOf(gateways: readonly Gateway[], topUp: TopUp): Gateway {
  const gateway = findGateway(gateways, topUp);
  if (gateway === null) throw new Refusal('gateway_unavailable');
  return gateway;
}

async function openCheckout({ topUps }: Needs, gateway: Gateway, topUp: TopUp, payer: CheckoutPayer): Promise<TopUp> {
  try {
    const opened = await topUps.open(topUp.id, await gateway.open(topUp, payer));
    return opened ?? topUp;
  } catch (error) {
    // After any other failure the gateway may have accepted the payment, so the top-up stays pending.
    const isFinal = error instanceof Refusal && error.code === 'top_up_refused';
    if (isFinal) await topUps.end(topUp.id, { state: 'failed', reason: 'refused', isFinal: true });
    throw error;
  }
}
