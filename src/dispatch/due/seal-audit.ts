import type { Context } from '../../ports/context.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'audit' | 'clock' | 'leases' | 'log'>;

/** Machine time between two looks for new entries. Until it is sealed, the removal of an entry leaves no trace. */
const EVERY_MS = 1000;
/** Entries in one transaction. */
const BATCH = 500;

/** Adds new entries of the audit log to its chain, in one process at a time. */
export function startSealing(ctx: Needs): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'audit chain',
    everyMs: 0,
    leastRealMs: EVERY_MS,
    turn: async (ownsLease) => {
      while (ownsLease() && (await ctx.audit.seal(BATCH)) === BATCH);
    },
  });
}
