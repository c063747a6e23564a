import type { Context } from '../../ports/context.ts';
import type { OldRows } from '../../ports/due.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log'> & { readonly oldRows: OldRows };

/** Machine time between two passes: one at the start, and others for servers of the older version that went on for a while. */
const EVERY_MS = 3_600_000;

/** Mends, in one process at a time and beside its other work, the rows that an older version of the server has stored. */
export function startMending(ctx: Needs): { stop(): Promise<void> } {
  return startLed(ctx, {
    name: 'old rows',
    everyMs: EVERY_MS,
    leastRealMs: EVERY_MS,
    turn: async (isHeld) => {
      const rows = await ctx.oldRows.mend(isHeld);
      if (rows > 0) ctx.log.info({ rows }, 'rows of an older version were mended');
    },
  });
}
