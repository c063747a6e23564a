import { advancePayout, type AdvanceNeeds } from '../../money/payouts/advance-payout.ts';
import { lookedAt, type Payout } from '../../money/payouts/payout.ts';
import { makePayouts, type MakeNeeds } from '../../money/payouts/make-payouts.ts';
import type { Context } from '../../ports/context.ts';
import { each } from '../../work/each.ts';
import { startLed } from '../../work/hold-lease.ts';
import type { Turn } from '../../work/sweep.ts';

/** Service time between two looks, and the least machine time. */
const EVERY_MS = 2000;
const LEAST_REAL_MS = 500;
/** Batches and payouts that one turn looks at. */
const MOST_BATCHES = 4;
const MOST_PAYOUTS = 200;
/** Calls of gateways at the same time. */
const AT_ONCE = 8;

type Needs = AdvanceNeeds & MakeNeeds;

/** Makes and carries out payouts, in one process at a time. */
export function startPaying(ctx: Needs & Pick<Context, 'leases'>): { stop(): Promise<void> } {
  return startLed(ctx, { name: 'payouts', everyMs: EVERY_MS, leastRealMs: LEAST_REAL_MS, turn: payDue(ctx) });
}

/** Makes a turn: the next payouts of each open batch, and the next step of each payout that is due. */
export function payDue(ctx: Needs): Turn {
  return async (ownsLease) => {
    const batches = await ctx.payouts.listOpenBatches(MOST_BATCHES);
    await each(batches, ownsLease, (batch) => makePayouts(ctx, batch));
    const due = await ctx.payouts.listDue(ctx.clock.now(), MOST_PAYOUTS);
    await each(due, ownsLease, (payout) => advance(ctx, payout), AT_ONCE);
  };
}

/** Takes the next step of a payout. One that fails is due again after a pause, so that it does not block others. */
async function advance(ctx: Needs, payout: Payout): Promise<void> {
  try {
    await advancePayout(ctx, payout);
  } catch (error) {
    await ctx.payouts.replace(lookedAt(payout, ctx.clock.now()), null, null);
    throw error;
  }
}
