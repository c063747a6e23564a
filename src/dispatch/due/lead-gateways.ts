import { GATEWAY_NAMES, type GatewayName } from '../../money/gateways.ts';
import type { Context } from '../../ports/context.ts';
import { startLed, turnIfFree, type Led, type LedWork, type Turn } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'gateways' | 'leases' | 'log'>;

/** Machine time between two looks at the money of gateways that this process is not configured for. It is only reported. */
const ABSENT_REAL_MS = 60_000;

/**
 * Leads the work of each gateway by itself, so a gateway that does not answer delays only its own money. The gateways that
 * this process is not configured for share one piece of work. It looks rarely, and only where no process that is configured
 * leads.
 * @param what the work as its leases name it, such as `top-ups of`
 */
export function leadGateways(
  ctx: Needs,
  what: string,
  pace: Pick<LedWork, 'everyMs' | 'leastRealMs'>,
  turnOf: (gateway: GatewayName) => Turn,
): readonly Led[] {
  const isHere = (gateway: GatewayName): boolean => ctx.gateways.some(({ name }) => name === gateway);
  const here = GATEWAY_NAMES.filter(isHere);
  const absent = GATEWAY_NAMES.filter((gateway) => !isHere(gateway));
  const leaseOf = (gateway: GatewayName): string => `${what} ${gateway}`;
  const report: Turn = async () => {
    for (const gateway of absent) await turnIfFree(ctx, leaseOf(gateway), turnOf(gateway));
  };
  const led = here.map((gateway) => startLed(ctx, { name: leaseOf(gateway), ...pace, turn: turnOf(gateway) }));
  if (absent.length === 0) return led;
  const rare = { name: `${what} absent gateways`, everyMs: 0, leastRealMs: ABSENT_REAL_MS, turn: report };
  return [...led, startLed(ctx, rare)];
}
