import { afterEach } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { openMongoSet } from '../mongo-set.ts';
import { until } from '../until.ts';
import { openWorld } from './world.ts';

/**
 * A world on three members whose replication can be stopped. Then one member alone has what is written. `askUntil`
 * makes a change that is answered only when a majority has it, and resolves when the primary has it. After each test
 * replication continues.
 */
export async function openShakyWorld(name: string) {
  const set = await openMongoSet();
  const { real } = createClock();
  /** Machine time that runs ten times as fast, so that a write gives up after half a second. */
  const impatient = {
    ...real,
    elapsed: () => real.elapsed() * 10,
    after: (ms: number, task: () => void) => real.after(ms / 10, task),
  };
  const world = await openWorld(name, { mongoUrl: set.url, real: impatient });
  const pending: Promise<unknown>[] = [];
  const askUntil = async (isSeen: () => Promise<boolean>, change: () => Promise<unknown>): Promise<void> => {
    // On a busy machine an impatient write may give up before it is made.
    while (!(await isSeen())) {
      const answered = change().catch(() => undefined);
      pending.push(answered);
      await Promise.race([answered, until(isSeen).catch(() => undefined)]);
    }
  };
  const settle = async (): Promise<void> => {
    await set.resumeReplication();
    await Promise.all(pending.splice(0));
  };
  afterEach(settle);
  return { set, world, askUntil, settle };
}
