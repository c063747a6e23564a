import type { Context } from '../../ports/context.ts';
import { startLed } from '../../work/hold-lease.ts';
import { countDue, type CountNeeds } from './count-facts.ts';

type Needs = CountNeeds & Pick<Context, 'clock' | 'leases' | 'log' | 'rollUps'>;

/** Service time between two looks at the log, and the least machine time. */
const EVERY_MS = 2000;
const LEAST_REAL_MS = 500;
/** Facts of each kind that one transaction counts: some 50 ms of the database. */
const AT_ONCE = 200;

/**
 * Counts the ends of deliveries, releases, closed offers and ratings into the roll-ups, in one process at a time. Each
 * fact waits in the log, marked as due, until a transaction has counted it. So none is lost or counted twice.
 */
export function startFolding(ctx: Needs): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'analytics',
    everyMs: EVERY_MS,
    leastRealMs: LEAST_REAL_MS,
    turn: async (ownsLease) => {
      while (ownsLease() && (await foldSome(ctx)));
    },
  });
}

/** Counts the facts that have waited longest. Returns whether more may be due. */
export async function foldSome(ctx: CountNeeds & Pick<Context, 'rollUps'>): Promise<boolean> {
  const due = await ctx.rollUps.listDue(AT_ONCE);
  const counts = [due.events.length, due.offers.length, due.ratings.length];
  if (counts.every((count) => count === 0)) return false;
  await ctx.rollUps.fold(due, await countDue(ctx, due));
  return counts.includes(AT_ONCE);
}
