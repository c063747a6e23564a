import type { Context } from '../../ports/context.ts';
import type { Fills } from '../../ports/dispatch/due.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log'> & { readonly fills: Fills };

/** Machine time between two looks for work. */
const EVERY_MS = 60_000;

/** Brings old rows to the present shape, in one process at a time and beside its other work. */
export function startFilling(ctx: Needs): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'migrations',
    everyMs: EVERY_MS,
    leastRealMs: EVERY_MS,
    turn: async (ownsLease) => {
      for (const { migration, rows, isDone } of await ctx.fills.work(ownsLease)) {
        if (rows > 0) ctx.log.info({ migration, rows }, 'brought rows of an older version up to date');
        if (isDone) ctx.log.info({ migration }, 'a migration is complete');
      }
    },
  });
}
