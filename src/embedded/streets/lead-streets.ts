import type { Lock } from '../processes/lock.ts';
import { EngineError } from '../processes/engine-error.ts';
import type { Environment } from '../processes/run.ts';
import type { EngineProcess } from '../processes/spawn-engine.ts';
import { nowMs, pauseUnless } from '../processes/wait.ts';
import { startWatchdog } from '../processes/watchdog.ts';
import { cacheDirOf } from '../programs/cache.ts';
import { findValhalla } from '../programs/find-valhalla.ts';
import { openSocketDir } from '../sockets.ts';
import { writeAddress } from './address.ts';
import { hashOfExtract } from './extract.ts';
import { ensureTiles } from './tiles.ts';
import { answers, startValhalla, whyValhallaEnded, type ValhallaOptions } from './valhalla.ts';

export type StreetEngineOptions = {
  /** The OpenStreetMap extract. */
  readonly file: string;
  /** The data directory. Its processes share one Valhalla. */
  readonly dataDir: string;
  /** The longest way that is looked for, metres. */
  readonly longestM: number;
  readonly env: Environment;
  /** Prints a step. */
  readonly say: (line: string) => void;
  /** Prints what keeps the streets away. */
  readonly warn: (line: string) => void;
  /** The folder of fetched programs; by default a folder of this user. */
  readonly cacheDir?: string | undefined;
  readonly valhallaBin?: string | undefined;
};

/** The streets of one directory. */
export type StreetsHome = StreetEngineOptions & {
  /** The folder of the streets in the data directory. */
  readonly home: string;
  readonly halt: AbortSignal;
  /** Publishes the address in this process. */
  readonly tell: (url: string | null) => void;
};

/** Time between two checks of a running engine, and how many may fail in a row before it counts as frozen. */
const CHECK_MS = 5_000;
const MOST_MISSES = 6;
/** The wait before an engine that ended is started again. It doubles each time until the engine has run for a while. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const STEADY_MS = 60_000;
/** It only reads its files, so it may be killed at any time. */
const GRACE_MS = 0;

/** Runs the engine of the directory until it is halted or cannot continue. */
export async function lead(house: StreetsHome, lock: Lock): Promise<void> {
  const { env, file, home, longestM, halt, say } = house;
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
    writeAddress(home, null);
    if (watchdog.ref !== null) lock.record({ ...watchdog.ref, name: 'watchdog' });
    const hash = await hashOfExtract(file, home, halt);
    const cacheDir = house.cacheDir ?? cacheDirOf(env);
    const valhalla = await findValhalla({ bin: house.valhallaBin, env, cacheDir, say, halt });
    const tilesDir = await ensureTiles({ file, hash, home, valhalla, env, say, halt, onSpawn: admit('builder') });
    const { dir: socketDir } = sockets;
    await serve(house, { bin: valhalla.bin, tilesDir, home, socketDir, longestM, env, onSpawn: admit('valhalla') });
  } finally {
    // The files come last: on a disk that fails, everything that runs has ended before one of them cannot be removed.
    house.tell(null);
    await Promise.all([...running.values()].map((engine) => engine.stop(GRACE_MS)));
    await watchdog.stop();
    sockets.remove();
    writeAddress(home, null);
  }
}

/** Starts the engine again and again, after waits that grow. */
async function serve(house: StreetsHome, options: ValhallaOptions): Promise<void> {
  const { halt, warn } = house;
  let waitMs = FIRST_WAIT_MS;
  while (!halt.aborted) {
    const startedAt = nowMs();
    const why = await runOnce(house, options);
    if (halt.aborted) return;
    if (nowMs() - startedAt >= STEADY_MS) waitMs = FIRST_WAIT_MS;
    warn(`Streets: ${why} It starts again in ${waitMs / 1_000} s.`);
    await pauseUnless(halt, waitMs);
    waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS);
  }
}

/** Runs the engine until it ends or freezes. Returns why, as a sentence. */
async function runOnce(house: StreetsHome, { onSpawn, ...options }: ValhallaOptions): Promise<string> {
  const startedAt = nowMs();
  let engine: EngineProcess | undefined;
  const keep = (spawned: EngineProcess): void => {
    engine = spawned;
    onSpawn(spawned);
  };
  try {
    const running = await startValhalla({ ...options, onSpawn: keep });
    house.say(`Streets: Valhalla finds routes, after ${((nowMs() - startedAt) / 1_000).toFixed(1)} s.`);
    writeAddress(house.home, running.url);
    house.tell(running.url);
    const isFrozen = await watch(running, house.halt, CHECK_MS);
    return isFrozen ? 'Valhalla did not answer and was stopped.' : whyValhallaEnded(running.engine).message;
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  } finally {
    house.tell(null);
    // It may run although it never answered. The next start would be one engine more.
    await engine?.stop(GRACE_MS);
    writeAddress(house.home, null);
  }
}

/** Waits until the engine ends or answers nothing for half a minute. Returns whether it is frozen. */
export async function watch(
  { engine, url }: { readonly engine: Pick<EngineProcess, 'end'>; readonly url: string },
  halt: AbortSignal,
  everyMs: number,
): Promise<boolean> {
  const ended = new AbortController();
  // The engine may run for months. Each further reaction to its end would stay in memory until then.
  void engine.end.then(() => ended.abort());
  const over = AbortSignal.any([halt, ended.signal]);
  for (let misses = 0; misses < MOST_MISSES; misses = (await answers(url)) ? 0 : misses + 1) {
    await pauseUnless(over, everyMs);
    if (over.aborted) return false;
  }
  return true;
}
