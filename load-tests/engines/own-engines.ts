// Engines of a bench, in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines, type Engines } from '../../src/embedded/engines.ts';

/** Has something stopped before the engines: at the end of the work, and if the bench is interrupted. */
export type StopFirst = (stop: () => Promise<void>) => void;

type Own = Pick<Engines, 'mongoUrl' | 'redisUrl'> & { readonly dir: string; readonly stopFirst: StopFirst };

/** Starts engines for the work, and stops them after it. If the bench is interrupted, it stops them too. */
export async function withOwnEngines<T>(prefix: string, work: (engines: Own) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), prefix));
  const engines = await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say: () => {} });
  const users: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | null = null;
  const stopAll = async (): Promise<void> => {
    try {
      // The newest first: a server ends before the Redis that was started for it.
      for (const user of users.toReversed()) await user();
    } finally {
      await engines.stop();
      await rm(dir, { recursive: true, force: true });
    }
  };
  // An interrupted bench stops everything while its work fails and would stop it too.
  const stop = (): Promise<void> => (stopping ??= stopAll());
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    const { mongoUrl, redisUrl } = engines;
    return await work({ mongoUrl, redisUrl, dir, stopFirst: (user) => void users.push(user) });
  } finally {
    await stop();
  }
}
