import type { Context } from '../../ports/context.ts';
import type { OldRows } from '../../ports/due.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log'> & { readonly oldRows: OldRows };

/**
 * Machine time between two passes. The first is at the start; later ones help if servers of the older version ran on
 * for a while.
 */
const EVERY_MS = 3_600_000;

/** Mends rows that an older version of the server stored, in one process at a time and beside its other work. */
export function startMending(ctx: Needs): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'old rows',
    everyMs: EVERY_MS,
    leastRealMs: EVERY_MS,
    turn: async (isHeld) => {
      const rows = await ctx.oldRows.mend(isHeld);
      if (rows > 0) ctx.log.info({ rows }, 'mended rows of an older version');
    },
  });
}
