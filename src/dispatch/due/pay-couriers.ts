import { advancePayout, type AdvanceNeeds } from '../../money/payouts/advance-payout.ts';
import { putOff, type Payout } from '../../money/payouts/payout.ts';
import { makePayouts, type MakeNeeds } from '../../money/payouts/make-payouts.ts';
import type { Context } from '../../ports/context.ts';
import { eachDue, pauseAfter, type DueWork } from '../../work/each-due.ts';
import { startLed } from '../../work/hold-lease.ts';
import { inParts } from '../../work/parts.ts';
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
  return inParts(ctx.log, [
    ['make payouts', makeDue(ctx)],
    ['advance payouts', advanceDue(ctx)],
  ]);
}

function makeDue(ctx: Needs): Turn {
  const { clock, log, payouts } = ctx;
  return async (ownsLease) => {
    const batches = await payouts.listOpenBatches(clock.now(), MOST_BATCHES);
    await eachDue(log, batches, ownsLease, {
      what: 'payout batch',
      idOf: ({ id }) => id,
      act: (batch) => makePayouts(ctx, batch),
      putOff: (batch) => payouts.putOff(batch, clock.now() + pauseAfter(batch.failures + 1)),
    });
  };
}

function advanceDue(ctx: Needs): Turn {
  const { clock, log, payouts } = ctx;
  return async (ownsLease) => {
    const work: DueWork<Payout> = {
      what: 'payout',
      idOf: ({ id }) => id,
      act: (payout) => advancePayout(ctx, payout),
      putOff: (payout) => {
        const dueAt = clock.now() + pauseAfter((payout.failures ?? 0) + 1);
        return payouts.replace(putOff(payout, dueAt), null, null);
      },
    };
    await eachDue(log, await payouts.listDue(clock.now(), MOST_PAYOUTS), ownsLease, work, AT_ONCE);
  };
}
