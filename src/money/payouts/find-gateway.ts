import type { Gateway } from '../../ports/money/gateways.ts';
import type { Outgoing } from './outgoing.ts';

/**
 * The gateway of a top-up, a refund or a payout, with a key of its mode; null if this process has none. A key of the other
 * mode does not find it.
 */
export function findGateway(
  gateways: readonly Gateway[],
  { gateway, liveMode }: Pick<Outgoing, 'gateway' | 'liveMode'>,
): Gateway | null {
  const mode = liveMode ? 'live' : 'test';
  return gateways.find(({ name, modes }) => name === gateway && modes.includes(mode)) ?? null;
}
