// A server on its own core.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { addressOf, freePort, whenFacts, whenReady, type DemoFacts } from '../servers/fleet.ts';
import { startPinned, type Pinned } from './pinned.ts';

export type PinnedServer = { readonly process: Pinned; readonly port: number; readonly facts: DemoFacts };

export type ServerOptions = {
  /** The folder of its data and its log. */
  readonly dir: string;
  readonly isPinned: boolean;
  /** More variables of its environment, such as settings. */
  readonly set?: Readonly<Record<string, string>>;
};

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

/** Starts a server on these engines and waits until it is ready. @throws Error if it ends before */
export async function startServer(
  engines: { readonly mongoUrl: string; readonly redisUrl: string },
  { dir, isPinned, set = {} }: ServerOptions,
): Promise<PinnedServer> {
  mkdirSync(dir, { recursive: true });
  const port = await freePort();
  const log = openSync(join(dir, 'log'), 'a');
  const process = startPinned(MAIN, { ...environment(engines, dir, port), ...set }, isPinned, log);
  closeSync(log);
  try {
    await whenReady(addressOf(port), () => process.child.exitCode === null);
    return { process, port, facts: await whenFacts(join(dir, 'demo.json')) };
  } catch (error) {
    // No other code knows this server yet, so it must not be left behind.
    await process.stop();
    throw error;
  }
}

function environment({ mongoUrl, redisUrl }: { mongoUrl: string; redisUrl: string }, dir: string, port: number) {
  return {
    MONGO_URL: mongoUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: dir,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    DEMO_STREETS: 'off',
    // A courier of this bench reports more often than a phone should, for longer than a token lives.
    POSITIONS_BATCHES_PER_SECOND: '10',
    POSITIONS_BATCH_BURST: '100',
    AUTH_ACCESS_TTL_S: '86400',
  };
}
