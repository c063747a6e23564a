import { join, resolve } from 'node:path';
import { EngineError } from '../processes/engine-error.ts';
import { holderOf, tryLock, type Holder } from '../processes/lock.ts';
import { isRunning } from '../processes/processes.ts';
import { nowMs, pauseUnless } from '../processes/wait.ts';
import { readAddress } from './address.ts';
import { lead, type StreetsHome, type StreetEngineOptions } from './lead-streets.ts';

export type StreetEngine = {
  /** Begins the work in the background. */
  start(): void;
  /** The address of the Valhalla of this directory; null while none answers. */
  url(): string | null;
  /** Ends the Valhalla if this process runs it, or a download or build in progress. It may be called twice. */
  stop(): Promise<void>;
};

/** Time between two looks at the engine of another process, in milliseconds. */
const LOOK_MS = 1_000;
/** The wait after a failure. It doubles each time until there are routes. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;
const TRIES_AGAIN = 'The server tries again after a minute, and then after pauses that grow to an hour.';
/** The longest that a stop waits. Only the package manager of the system may take longer, and must not be killed. */
const STOP_MS = 5_000;

/**
 * A Valhalla for the streets of one file. In the background it is found or fetched, its tiles are built, it is started, and
 * it is started again after it has ended. Each step is printed. If a step fails, one line says what to do, and all steps are
 * tried again after a while. The first process of a directory runs the engine, and another one takes over after its end.
 */
export function createStreetEngine(options: StreetEngineOptions): StreetEngine {
  const halting = new AbortController();
  const { signal: halt } = halting;
  const home = join(resolve(options.dataDir), 'streets');
  let known: string | null = null;
  let keeping: Promise<void> | undefined;
  return {
    start: () => void (keeping ??= keep({ ...options, home, halt, tell: (url) => void (known = url) })),
    url: () => known,
    stop: async () => {
      halting.abort();
      const stopped = new AbortController();
      await Promise.race([keeping, pauseUnless(stopped.signal, STOP_MS)]);
      stopped.abort();
    },
  };
}

/** Follows the engine of another process, or runs one. After a failure it follows only, for a while that grows. */
async function keep({ halt, home, say, warn, ...house }: StreetsHome): Promise<void> {
  let [waitMs, leadsFrom] = [FIRST_WAIT_MS, -Infinity];
  let [followed, told] = [0, ''];
  const tell = (url: string | null): void => {
    house.tell(url);
    if (url !== null) [waitMs, leadsFrom, told] = [FIRST_WAIT_MS, -Infinity, ''];
  };
  while (!halt.aborted) {
    try {
      const holder = holderOf(home);
      const url = holder === null ? null : addressFrom(holder, home);
      tell(url);
      if (holder !== null && url !== null && holder.pid !== followed) {
        followed = holder.pid;
        say(`Streets: the engine of process ${followed} finds routes.`);
      }
      if (holder === null && nowMs() >= leadsFrom) await leadIfFree({ ...house, halt, home, say, warn, tell });
    } catch (error) {
      tell(null);
      // A stop interrupts whatever is in progress.
      if (halt.aborted) return;
      leadsFrom = nowMs() + waitMs;
      waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
      const why = error instanceof EngineError ? error.message : `They cannot be used (${String(error)}).`;
      if (why !== told) warn(`Streets: ${why} Distances are estimates until then. ${TRIES_AGAIN}`);
      told = why;
    }
    await pauseUnless(halt, LOOK_MS);
  }
}

async function leadIfFree(house: StreetsHome): Promise<void> {
  const lock = await tryLock(house.home);
  if ('release' in lock) await lead(house, lock).finally(() => lock.release());
}

/** The address of the engine that the process runs; null while it runs none. */
function addressFrom({ companions }: Holder, home: string): string | null {
  return companions.some((one) => one.name === 'valhalla' && isRunning(one)) ? readAddress(home) : null;
}
