import { Refusal } from '../../domain/refusals/refusals.ts';
import { settleTopUp, type SettleNeeds } from '../../money/top-ups/settle-top-up.ts';
import type { GatewayMode } from '../../money/gateways.ts';
import type { Context } from '../../ports/context.ts';
import { eachDue } from '../../work/each-due.ts';
import type { Led } from '../../work/hold-lease.ts';
import { leadGateways } from './lead-gateways.ts';

type Needs = SettleNeeds & Pick<Context, 'leases'>;

/** Machine time between two looks for due top-ups. */
const EVERY_MS = 1000;
/** Top-ups that one turn claims, and that it asks about at the same time. */
const BATCH = 64;
const AT_ONCE = 8;

/**
 * Settles top-ups that a callback has made due, and those whose callback never came. For each gateway and mode one process
 * at a time does it, so a gateway that does not answer delays only its own top-ups.
 */
export function startSettling(ctx: Needs): readonly Led[] {
  return leadGateways(ctx, 'top-ups of', { everyMs: 0, leastRealMs: EVERY_MS }, (of) => async (ownsLease) => {
    while (ownsLease() && (await settleDue(ctx, of, ownsLease)) === BATCH);
  });
}

/** Settles the top-ups of a gateway in one mode that are due now, up to a bound. Returns how many it has claimed. */
export async function settleDue(ctx: Needs, of: GatewayMode, ownsLease: () => boolean): Promise<number> {
  const due = await ctx.topUps.claimDue(of, BATCH);
  const settle = async (topUp: (typeof due)[number]): Promise<void> => {
    try {
      await settleTopUp(ctx, topUp);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The top-up is due again after a pause, which grows.
      ctx.metrics.count('top_ups_settled_total', { gateway: of.gateway, result: 'away' });
    }
  };
  // The claim has put it off already.
  await eachDue(ctx.log, due, ownsLease, { what: 'top-up', idOf: ({ id }) => id, act: settle }, AT_ONCE);
  return due.length;
}
