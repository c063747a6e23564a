import type { Context } from '../../ports/context.ts';
import { each } from '../../work/each.ts';
import type { Turn } from '../../work/hold-lease.ts';

type Needs = Pick<Context, 'clock' | 'files'>;

/** Files that one turn removes. */
const MOST_REMOVED = 100;
const AT_ONCE = 4;

/** Removes files whose time is over: those that were never used, and those that were kept long enough. */
export function removeFiles({ clock, files }: Needs): Turn {
  return async (ownsLease) => {
    const now = clock.now();
    const ended = await files.listEnded(now, MOST_REMOVED);
    await each(ended, ownsLease, ({ id }) => files.remove(id, now), AT_ONCE);
  };
}
