import type { Gateway } from '../../ports/money/gateways.ts';
import type { GatewayMode } from '../gateways.ts';

/**
 * The gateway of a top-up, a refund or a payout, with the key of its mode; null if this process has none. A key of the other
 * mode does not find it.
 */
export function findGateway(gateways: readonly Gateway[], { gateway, liveMode }: GatewayMode): Gateway | null {
  const mode = liveMode ? 'live' : 'test';
  return gateways.find(({ name, modes }) => name === gateway && modes.includes(mode)) ?? null;
}
