import { GATEWAY_NAMES, type GatewayName } from '../../money/gateways.ts';
import type { Context } from '../../ports/context.ts';
import { startLed, turnIfFree, type Led, type LedWork, type Turn } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'gateways' | 'leases' | 'log'>;
type Pace = Pick<LedWork, 'everyMs' | 'leastRealMs'>;
type TurnOf = (gateway: GatewayName) => Turn;

/** Machine time between two looks at the money of gateways that this process is not configured for. It is only reported. */
const ABSENT_REAL_MS = 60_000;

/**
 * Leads the work of each gateway by itself, so a gateway that does not answer delays only its own money. The gateways that
 * this process is not configured for share one piece of work. It looks rarely, and only where no process that is configured
 * leads.
 * @param what the work as its leases name it, such as `top-ups of`
 */
export function leadGateways(ctx: Needs, what: string, pace: Pace, turnOf: TurnOf): readonly Led[] {
  const led = leadConfigured(ctx, what, pace, turnOf);
  const absent = GATEWAY_NAMES.filter((gateway) => !isHere(ctx, gateway));
  if (absent.length === 0) return led;
  const report: Turn = async () => {
    for (const gateway of absent) await turnIfFree(ctx, leaseOf(what, gateway), turnOf(gateway));
  };
  const rare = { name: `${what} absent gateways`, everyMs: 0, leastRealMs: ABSENT_REAL_MS, turn: report };
  return [...led, startLed(ctx, rare)];
}

/** The same for work of which there is nothing to report if no process is configured for a gateway. */
export function leadConfigured(ctx: Needs, what: string, pace: Pace, turnOf: TurnOf): readonly Led[] {
  const here = GATEWAY_NAMES.filter((gateway) => isHere(ctx, gateway));
  return here.map((gateway) => startLed(ctx, { name: leaseOf(what, gateway), ...pace, turn: turnOf(gateway) }));
}

function isHere({ gateways }: Needs, gateway: GatewayName): boolean {
  return gateways.some(({ name }) => name === gateway);
}

function leaseOf(what: string, gateway: GatewayName): string {
  return `${what} ${gateway}`;
}
