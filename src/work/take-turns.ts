import { setImmediate } from 'node:timers/promises';
import type { Context } from '../ports/context.ts';

/** Machine time after which other work gets this thread. */
const TURN_MS = 5;

/** Does the work for each item. In between it lets other work use this thread, so that no socket waits for long. */
export async function takeTurns<T>(
  { real }: Context['clock'],
  items: readonly T[],
  work: (item: T) => void,
): Promise<void> {
  let since = real.elapsed();
  for (const item of items) {
    work(item);
    if (real.elapsed() - since < TURN_MS) continue;
    await setImmediate();
    since = real.elapsed();
  }
}
