import { GATEWAY_MODES, type GatewayMode } from '../../money/gateways.ts';
import { findGateway } from '../../money/payouts/find-gateway.ts';
import type { Context } from '../../ports/context.ts';
import { startLed, turnIfFree, type Led, type LedWork, type Turn } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'gateways' | 'leases' | 'log'>;
type Pace = Pick<LedWork, 'everyMs' | 'leastRealMs'>;
type TurnOf = (of: GatewayMode) => Turn;

/** Machine time between two looks at the money of gateways of which this process has no key. It is only reported. */
const ABSENT_REAL_MS = 60_000;

/**
 * Leads the work of each gateway by itself, so a gateway that does not answer delays only its own money. Its two modes are
 * apart as well, because another process may have the key of the other one. All that this process has no key for shares one
 * piece of work. It looks rarely, and only where no process with the key leads.
 * @param what the work as its leases name it, such as `top-ups of`
 */
export function leadGateways(ctx: Needs, what: string, pace: Pace, turnOf: TurnOf): readonly Led[] {
  const led = leadConfigured(ctx, what, pace, turnOf);
  const absent = GATEWAY_MODES.filter((of) => !isHere(ctx, of));
  if (absent.length === 0) return led;
  const report: Turn = async () => {
    for (const mode of absent) await turnIfFree(ctx, leaseOf(what, mode), turnOf(mode));
  };
  const rare = { name: `${what} absent gateways`, everyMs: 0, leastRealMs: ABSENT_REAL_MS, turn: report };
  return [...led, startLed(ctx, rare)];
}

/** The same for work of which there is nothing to report if no process has the key of a gateway. */
export function leadConfigured(ctx: Needs, what: string, pace: Pace, turnOf: TurnOf): readonly Led[] {
  const here = GATEWAY_MODES.filter((of) => isHere(ctx, of));
  return here.map((of) => startLed(ctx, { name: leaseOf(what, of), ...pace, turn: turnOf(of) }));
}

function isHere({ gateways }: Needs, of: GatewayMode): boolean {
  return findGateway(gateways, of) !== null;
}

function leaseOf(what: string, { gateway, liveMode }: GatewayMode): string {
  return `${what} ${gateway} ${liveMode ? 'live' : 'test'}`;
}
