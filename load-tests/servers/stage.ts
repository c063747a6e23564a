// The stage of a run: its own engines and servers in a temporary folder, or a server that already runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '../../src/embedded/engines.ts';
import { startFleet, whenFacts, type DemoFacts, type Fleet } from './fleet.ts';
import type { Trouble } from './trouble.ts';
import { engineChildren } from './usage.ts';

export type Stage = {
  readonly addresses: readonly string[];
  readonly facts: DemoFacts;
  /** The database of the servers; null if the run did not start them. */
  readonly mongoUrl: string | null;
  /** Null if the run did not start the servers. */
  readonly fleet: Fleet | null;
  /** Every process of the run, by name. */
  pids(): ReadonlyMap<string, number>;
  /** Ends everything that the run started. After a failed run, the folder stays for its logs. */
  close(keepFolder: boolean): Promise<void>;
  readonly dir: string | null;
};

export type StageOptions = {
  /** A running server to use instead of a new one, and the file with its demo keys. */
  readonly baseUrl: string | null;
  readonly demo: string;
  readonly servers: number;
  /** How many times faster than the machine's clock the servers' clock runs. */
  readonly speed: number;
  /** Settings of the servers other than their defaults, by the names of docs/settings.md. */
  readonly set: Readonly<Record<string, string>>;
};

type EngineUrls = { readonly mongoUrl: string; readonly redisUrl: string };

/** Engines that already run, more variables for the servers, and trouble other than kills of servers. */
export type Surroundings = {
  readonly engines?: EngineUrls & { stop(): Promise<void> };
  readonly environment?: Readonly<Record<string, string>>;
  readonly trouble?: Trouble;
  /** The address of a Valhalla that already runs. */
  readonly streetsUrl?: string;
  /** Whether another run writes to the terminal at the same time. */
  readonly isBeside?: boolean;
};

/** Builds the stage and waits until every server on it is ready. */
export async function openStage(
  options: StageOptions,
  around: Surroundings,
  say: (line: string) => void,
): Promise<Stage> {
  if (options.baseUrl !== null) {
    const none = new Map<string, number>();
    const facts = await whenFacts(options.demo);
    const given = { addresses: [options.baseUrl], facts, mongoUrl: null, fleet: null };
    return { ...given, pids: () => none, close: async () => {}, dir: null };
  }
  const dir = await mkdtemp(join(tmpdir(), 'simulate-'));
  const engines = around.engines ?? (await startEngines({ dataDir: join(dir, 'engines'), env: process.env, say }));
  const close = async (fleet: Fleet | null, keepFolder: boolean): Promise<void> => {
    await fleet?.stop();
    await engines.stop();
    if (!keepFolder) await rm(dir, { recursive: true, force: true });
  };
  try {
    const fleet = await startFleet({
      servers: options.servers,
      dir,
      mongoUrl: engines.mongoUrl,
      redisUrl: engines.redisUrl,
      scale: options.speed,
      environment: { ...around.environment, ...options.set },
    });
    const forget = closeOnSignal(() => close(fleet, true));
    return {
      addresses: fleet.addresses,
      facts: fleet.facts,
      mongoUrl: engines.mongoUrl,
      fleet,
      pids: () => new Map([...fleet.pids(), ...engineChildren(), ['simulation', process.pid]]),
      close: (keepFolder) => {
        forget();
        return close(fleet, keepFolder);
      },
      dir,
    };
  } catch (error) {
    // Engines must not outlive servers that did not start. The folder stays, because the message names a log in it.
    await close(null, true);
    throw error;
  }
}

/** If the run is interrupted, it stops its servers and engines. The result undoes this. */
function closeOnSignal(close: () => Promise<void>): () => void {
  const end = (): void => void close().finally(() => process.exit(130));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return () => {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  };
}
