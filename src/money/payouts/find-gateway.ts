import type { Gateway } from '../../ports/money/gateways.ts';
import type { Outgoing } from './outgoing.ts';

/** The gateway of money in its mode; null if this process has no such gateway. A key of the other mode knows nothing of it. */
export function findGateway(
  gateways: readonly Gateway[],
  { gateway, liveMode }: Pick<Outgoing, 'gateway' | 'liveMode'>,
): Gateway | null {
  const mode = liveMode ? 'live' : 'test';
  return gateways.find(({ name, modes }) => name === gateway && modes.includes(mode)) ?? null;
}
