import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EngineError } from '../processes/engine-error.ts';
import { tryLock, type Lock } from '../processes/lock.ts';
import type { Environment } from '../processes/run.ts';
import type { EngineProcess } from '../processes/spawn-engine.ts';
import { nowMs, pause, pauseUnless } from '../processes/wait.ts';
import { startWatchdog } from '../processes/watchdog.ts';
import { cacheDirOf } from '../programs/cache.ts';
import { findValhalla } from '../programs/find-valhalla.ts';
import { openSocketDir } from '../sockets.ts';
import { checkExtract } from './extract.ts';
import { ensureTiles } from './tiles.ts';
import { answers, startValhalla, whyValhallaEnded, type RunningValhalla, type ValhallaOptions } from './valhalla.ts';

export type StreetsOptions = {
  /** The OpenStreetMap extract. */
  readonly file: string;
  /** The data directory. Its processes share one Valhalla. */
  readonly dataDir: string;
  readonly env: Environment;
  readonly say: (line: string) => void;
  /** The folder of fetched programs; by default a folder of this user. */
  readonly cacheDir?: string | undefined;
  readonly valhallaBin?: string | undefined;
};

export type Streets = {
  /** Begins the work in the background. */
  start(): void;
  /** The address of the Valhalla of this directory; null while none answers. */
  url(): string | null;
  /** Ends the Valhalla if this process runs it, or a download or build in progress. It may be called twice. */
  stop(): Promise<void>;
};

/** Time between two looks at the engine of another process, in milliseconds. */
const LOOK_MS = 1_000;
/** Time between two checks of a running engine, and how many may fail in a row before it counts as frozen. */
const CHECK_MS = 5_000;
const MOST_MISSES = 6;
/** The wait before an engine that ended is started again. It doubles each time until the engine has run for a while. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const STEADY_MS = 60_000;
/** It only reads its files, so it may be killed at any time. */
const GRACE_MS = 0;
/** The longest that a stop waits. Only the package manager of the system may take longer, and must not be killed. */
const STOP_MS = 5_000;
const ADDRESS = 'address';

type House = StreetsOptions & {
  readonly home: string;
  readonly halt: AbortSignal;
  /** Publishes the address in this process. */
  readonly tell: (url: string | null) => void;
};

/**
 * A Valhalla for the streets of one file. In the background it is found or fetched, its tiles are built, it is started, and
 * it is started again after it has ended. Each step is printed. If a step fails, one line says what to do, and the server
 * goes on without streets. The first process of a directory runs the engine, and another one takes over after its end.
 */
export function createStreets(options: StreetsOptions): Streets {
  const halting = new AbortController();
  const { signal: halt } = halting;
  const home = join(resolve(options.dataDir), 'streets');
  let known: string | null = null;
  let keeping: Promise<void> | undefined;
  const start = async (): Promise<void> => {
    try {
      await keep({ ...options, home, halt, tell: (url) => void (known = url) });
    } catch (error) {
      // A stop interrupts whatever is in progress.
      if (halt.aborted) return;
      const why = error instanceof EngineError ? error.message : `They cannot be used (${String(error)}).`;
      options.say(`Streets: ${why} Until then prices and arrival times are estimates.`);
    }
  };
  return {
    start: () => void (keeping ??= start()),
    url: () => known,
    stop: async () => {
      halting.abort();
      await Promise.race([keeping, pause(STOP_MS)]);
    },
  };
}

async function keep(house: House): Promise<void> {
  const { home, halt, say, tell } = house;
  let hasSaid = false;
  while (!halt.aborted) {
    const lock = await tryLock(home);
    if ('release' in lock) return lead(house, lock).finally(() => lock.release());
    const url = readAddress(home);
    tell(url);
    if (url !== null && !hasSaid) say(`Streets: the engine of process ${lock.pid} finds routes.`);
    hasSaid ||= url !== null;
    await pauseUnless(halt, LOOK_MS);
  }
}

/** Runs the engine of the directory until it is halted or cannot continue. */
async function lead(house: House, lock: Lock): Promise<void> {
  const { env, file, home, halt, say } = house;
  const sockets = openSocketDir(home);
  const watchdog = startWatchdog(env);
  const running = new Map<string, EngineProcess>();
  const admit = (name: string) => (engine: EngineProcess) => {
    watchdog.guard(engine.ref);
    running.set(name, engine);
    lock.record({ ...engine.ref, name });
    // A stop that came during the start of the program has to reach it too.
    if (halt.aborted) void engine.stop(GRACE_MS);
  };
  const stopAll = (): void => running.forEach((engine) => void engine.stop(GRACE_MS));
  halt.addEventListener('abort', stopAll);
  try {
    publish(house, null);
    if (watchdog.ref !== null) lock.record({ ...watchdog.ref, name: 'watchdog' });
    const hash = await checkExtract(file, halt);
    const cacheDir = house.cacheDir ?? cacheDirOf(env);
    const valhalla = await findValhalla({ bin: house.valhallaBin, env, cacheDir, say, halt });
    const tilesDir = await ensureTiles({ file, hash, home, valhalla, env, say, halt, onSpawn: admit('builder') });
    const { dir: socketDir } = sockets;
    await serve(house, { bin: valhalla.bin, tilesDir, home, socketDir, env, onSpawn: admit('valhalla') });
  } finally {
    // The files come last: on a disk that fails, everything that runs has ended before one of them cannot be removed.
    house.tell(null);
    await Promise.all([...running.values()].map((engine) => engine.stop(GRACE_MS)));
    await watchdog.stop();
    sockets.remove();
    publish(house, null);
  }
}

/** Starts the engine again and again, after waits that grow. */
async function serve(house: House, options: ValhallaOptions): Promise<void> {
  const { halt, say } = house;
  let waitMs = FIRST_WAIT_MS;
  while (!halt.aborted) {
    const startedAt = nowMs();
    const why = await runOnce(house, options);
    if (halt.aborted) return;
    if (nowMs() - startedAt >= STEADY_MS) waitMs = FIRST_WAIT_MS;
    say(`Streets: ${why} It starts again in ${waitMs / 1_000} s.`);
    await pauseUnless(halt, waitMs);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  }
}

/** Runs the engine until it ends or freezes. Returns why, as a sentence. */
async function runOnce(house: House, { onSpawn, ...options }: ValhallaOptions): Promise<string> {
  const startedAt = nowMs();
  let engine: EngineProcess | undefined;
  const keep = (spawned: EngineProcess): void => {
    engine = spawned;
    onSpawn(spawned);
  };
  try {
    const running = await startValhalla({ ...options, onSpawn: keep });
    house.say(`Streets: Valhalla finds routes, after ${((nowMs() - startedAt) / 1_000).toFixed(1)} s.`);
    publish(house, running.url);
    const isFrozen = await watch(running, house.halt);
    return isFrozen ? 'Valhalla did not answer and was stopped.' : whyValhallaEnded(running.engine).message;
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  } finally {
    house.tell(null);
    // It may run although it never answered. The next start would be one engine more.
    await engine?.stop(GRACE_MS);
    publish(house, null);
  }
}

/** Waits until the engine ends or answers nothing for half a minute. Returns whether it is frozen. */
async function watch({ engine, url }: RunningValhalla, halt: AbortSignal): Promise<boolean> {
  for (let misses = 0; misses < MOST_MISSES; misses = (await answers(url)) ? 0 : misses + 1) {
    await Promise.race([engine.end, pauseUnless(halt, CHECK_MS)]);
    if (halt.aborted || engine.ended() !== null) return false;
  }
  return true;
}

/** Tells this process and the others of the directory where the engine is. */
function publish({ home, tell }: House, url: string | null): void {
  tell(url);
  const path = join(home, ADDRESS);
  if (url === null) {
    rmSync(path, { force: true });
    return;
  }
  // The file is renamed into place, so that no process reads half an address.
  writeFileSync(`${path}.new`, url, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

function readAddress(home: string): string | null {
  try {
    return readFileSync(join(home, ADDRESS), 'utf8');
  } catch {
    // The engine of the other process does not answer yet.
    return null;
  }
}
