import type { Gateway, GatewayTransfers } from '../../ports/money/gateways.ts';
import type { Payout } from './payout.ts';

type Needs = { readonly gateways: readonly Gateway[] };

/** The gateway that makes transfers in a mode; null for none. */
export function transferringIn({ gateways }: Needs, liveMode: boolean): Gateway | null {
  const mode = liveMode ? 'live' : 'test';
  return gateways.find(({ modes, transfers }) => transfers !== undefined && modes.includes(mode)) ?? null;
}

/** The transfers of the gateway that carries out a payout. Throws if this process does not know the gateway. */
export function transfersOf({ gateways }: Needs, payout: Pick<Payout, 'gateway'>): GatewayTransfers {
  const transfers = gateways.find(({ name }) => name === payout.gateway)?.transfers;
  if (transfers === undefined)
    throw new Error(`the gateway ${payout.gateway} is not configured here. Configure it until its payouts have ended`);
  return transfers;
}
