import { afterEach } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { openMongoSet } from '../mongo-set.ts';
import { openWorld } from './world.ts';

/**
 * A world on three members whose replication can be stopped: what is written then is known to one member alone. `ask`
 * begins work whose answer comes only when a majority has the change; after each test replication goes on.
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
  const ask = (work: Promise<unknown>): void => void pending.push(work.catch(() => undefined));
  const settle = async (): Promise<void> => {
    await set.resumeReplication();
    await Promise.all(pending.splice(0));
  };
  afterEach(settle);
  return { set, world, ask, settle };
}
