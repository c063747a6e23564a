import type { Gateway, GatewayTransfers } from '../../ports/money/gateways.ts';
import type { GatewayMode } from '../gateways.ts';
import type { Payout } from './payout.ts';

type Needs = { readonly gateways: readonly Gateway[] };

/**
 * The gateway of a top-up, a refund or a payout, with the key of its mode; null if this process has none. A key of the other
 * mode does not find it.
 */
export function findGateway(gateways: readonly Gateway[], { gateway, liveMode }: GatewayMode): Gateway | null {
  const mode = liveMode ? 'live' : 'test';
  return gateways.find(({ name, modes }) => name === gateway && modes.includes(mode)) ?? null;
}

/** The preferred gateway that makes transfers in a mode and a currency; null for none. */
export function transferringIn(
  { gateways }: Needs,
  { liveMode, currency }: Pick<Payout, 'liveMode' | 'currency'>,
): Gateway | null {
  const mode = liveMode ? 'live' : 'test';
  return gateways.find(({ modes, transfers }) => modes.includes(mode) && transfers?.pays(currency) === true) ?? null;
}

/**
 * The transfers of the gateway that carries out a payout, in the mode of the payout: a key of the other mode knows nothing
 * of it. Throws if this process has no such gateway.
 */
export function transfersOf({ gateways }: Needs, payout: Pick<Payout, 'gateway' | 'liveMode'>): GatewayTransfers {
  const transfers = findGateway(gateways, payout)?.transfers;
  if (transfers === undefined)
    throw new Error(`the gateway ${payout.gateway} is not configured here. Configure it until its payouts have ended`);
  return transfers;
}
