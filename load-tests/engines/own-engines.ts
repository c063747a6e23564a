// Engines of a bench, in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines, type Engines } from '../../src/embedded/engines.ts';

type Own = Pick<Engines, 'mongoUrl' | 'redisUrl'> & { readonly dir: string };

/** Starts engines for the work, and stops them after it. If the bench is interrupted, it stops them too. */
export async function withOwnEngines<T>(prefix: string, work: (engines: Own) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), prefix));
  const engines = await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say: () => {} });
  const stop = async (): Promise<void> => {
    await engines.stop();
    await rm(dir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    const { mongoUrl, redisUrl } = engines;
    return await work({ mongoUrl, redisUrl, dir });
  } finally {
    await stop();
  }
}
