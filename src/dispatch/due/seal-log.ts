import type { Context } from '../../ports/context.ts';
import { startLed } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'leases' | 'log'>;

/** Machine time between two looks for new entries. Until it is sealed, the removal of an entry leaves no trace. */
const EVERY_MS = 1000;
/** Entries in one transaction. */
const BATCH = 500;

/**
 * Adds the new entries of a log to its chain, in one process at a time.
 * @param name of the lease
 * @param seal adds up to so many entries, and returns their number
 */
export function startSealing(
  ctx: Needs,
  name: string,
  seal: (limit: number) => Promise<number>,
): { stop(): Promise<void> } {
  return startLed(ctx, {
    name,
    everyMs: 0,
    leastRealMs: EVERY_MS,
    turn: async (ownsLease) => {
      while (ownsLease() && (await seal(BATCH)) === BATCH);
    },
  });
}
