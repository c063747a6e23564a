import { advancePayout, type AdvanceNeeds } from '../../money/payouts/advance-payout.ts';
import { putOff } from '../../money/payouts/outgoing.ts';
import type { Payout } from '../../money/payouts/payout.ts';
import { makePayouts, type MakeNeeds } from '../../money/payouts/make-payouts.ts';
import { GATEWAY_NAMES, type GatewayName } from '../../money/top-ups/top-up.ts';
import type { Context } from '../../ports/context.ts';
import { eachDue, pauseAfter, type DueWork } from '../../work/each-due.ts';
import { startLed, type Led } from '../../work/hold-lease.ts';
import type { Turn } from '../../work/sweep.ts';

/** Service time between two looks, and the least machine time. */
const EVERY_MS = 2000;
const LEAST_REAL_MS = 500;
/** Batches that one turn looks at, and payouts of a gateway. */
const MOST_BATCHES = 4;
const MOST_PAYOUTS = 200;
/** Calls of a gateway at the same time. */
const AT_ONCE = 8;

type Needs = AdvanceNeeds & MakeNeeds;

/**
 * Makes payouts, and carries out those of each gateway. For each of these one process at a time does it, so a gateway that
 * does not answer delays only its own payouts.
 */
export function startPaying(ctx: Needs & Pick<Context, 'leases'>): readonly Led[] {
  const lead = (name: string, turn: Turn): Led =>
    startLed(ctx, { name, everyMs: EVERY_MS, leastRealMs: LEAST_REAL_MS, turn });
  const advancing = GATEWAY_NAMES.map((gateway) => lead(`payouts by ${gateway}`, advanceDue(ctx, gateway)));
  return [lead('payout batches', makeDue(ctx)), ...advancing];
}

/** Makes a turn: the next payouts of each open batch. */
export function makeDue(ctx: Needs): Turn {
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

/** Makes a turn: the next step of each payout of a gateway that is due. */
export function advanceDue(ctx: Needs, gateway: GatewayName): Turn {
  const { clock, log, payouts } = ctx;
  return async (ownsLease) => {
    const work: DueWork<Payout> = {
      what: 'payout',
      idOf: ({ id }) => id,
      act: (payout) => advancePayout(ctx, payout),
      putOff: (payout) => {
        const dueAt = clock.now() + pauseAfter(payout.failures + 1);
        return payouts.replace(putOff(payout, dueAt), null, null);
      },
    };
    const due = await payouts.listDue(gateway, clock.now(), MOST_PAYOUTS);
    await eachDue(log, due, ownsLease, work, AT_ONCE);
  };
}
