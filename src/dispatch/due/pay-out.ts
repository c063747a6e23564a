import { advancePayout, type AdvanceNeeds } from '../../money/payouts/advance-payout.ts';
import { putOff, type Outgoing } from '../../money/payouts/outgoing.ts';
import { makePayouts, type MakeNeeds } from '../../money/payouts/make-payouts.ts';
import { advanceRefund, type RefundNeeds } from '../../money/top-ups/advance-refund.ts';
import type { GatewayMode } from '../../money/gateways.ts';
import type { Context } from '../../ports/context.ts';
import { eachDue, pauseAfter, type DueWork } from '../../work/each-due.ts';
import { startLed, type Led } from '../../work/hold-lease.ts';
import type { Turn } from '../../work/hold-lease.ts';
import { leadGateways } from './lead-gateways.ts';

/** Service time between two looks, and the least machine time. */
const EVERY_MS = 2000;
const LEAST_REAL_MS = 500;
/** Batches that one turn looks at, and payouts and refunds of a gateway. */
const MOST_BATCHES = 4;
const MOST_DUE = 200;
/** Calls of a gateway at the same time. */
const AT_ONCE = 8;

type Needs = AdvanceNeeds & MakeNeeds;

/**
 * Makes payouts, and carries out those and the refunds of each gateway and mode. For each of these one process at a time
 * does it, so a gateway that does not answer delays only its own money.
 */
export function startPaying(ctx: Needs & RefundNeeds & Pick<Context, 'leases'>): readonly Led[] {
  const pace = { everyMs: EVERY_MS, leastRealMs: LEAST_REAL_MS };
  return [
    startLed(ctx, { name: 'payout batches', ...pace, turn: makeDue(ctx) }),
    ...leadGateways(ctx, 'payouts by', pace, (of) => advancePayouts(ctx, of)),
    ...leadGateways(ctx, 'refunds by', pace, (of) => advanceRefunds(ctx, of)),
  ];
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

/** Makes a turn: the next step of each payout of a gateway in one mode that is due. */
export function advancePayouts(ctx: Needs, of: GatewayMode): Turn {
  return advancing(ctx, of, 'payout', ctx.payouts, (payout, ownsLease) => advancePayout(ctx, payout, ownsLease));
}

/** Makes a turn: the next step of each refund by a gateway in one mode that is due. */
export function advanceRefunds(ctx: RefundNeeds, of: GatewayMode): Turn {
  return advancing(ctx, of, 'refund of a top-up', ctx.topUpRefunds, (refund, ownsLease) =>
    advanceRefund(ctx, refund, ownsLease),
  );
}

/** Money that leaves through gateways, as stored. */
type Rows<Row extends Outgoing> = {
  listDue(of: GatewayMode, before: number, limit: number): Promise<readonly Row[]>;
  replace(next: Row, command: null, entry: null): Promise<boolean>;
};

function advancing<Row extends Outgoing>(
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  of: GatewayMode,
  what: string,
  rows: Rows<Row>,
  act: (row: Row, ownsLease: () => boolean) => Promise<void>,
): Turn {
  return async (ownsLease) => {
    const work: DueWork<Row> = {
      what,
      idOf: ({ id }) => id,
      act: (row) => act(row, ownsLease),
      putOff: (row) => rows.replace(putOff(row, clock.now() + pauseAfter(row.failures + 1)), null, null),
    };
    await eachDue(log, await rows.listDue(of, clock.now(), MOST_DUE), ownsLease, work, AT_ONCE);
  };
}
