import { resolve } from 'node:path';
import type { Search } from './programs/apt.ts';
import { cacheDirOf } from './programs/cache.ts';
import { takeLock, type Lock } from './processes/lock.ts';
import { findMongod } from './programs/find-mongod.ts';
import { findRedis } from './programs/find-redis.ts';
import { startMongod, whyMongodEnded } from './mongod.ts';
import type { Found } from './programs/probe.ts';
import { startRedis, whyRedisEnded } from './redis.ts';
import { keepRunning } from './processes/keep-running.ts';
import type { Environment } from './processes/run.ts';
import { mongoUrlAt, openSockets, redisUrlAt, type Sockets } from './sockets.ts';
import type { EngineProcess } from './processes/spawn-engine.ts';
import { nowMs } from './processes/wait.ts';
import { startWatchdog } from './processes/watchdog.ts';

export type EngineOptions = {
  /** The data directory, created if it does not exist. One running server uses it at a time. */
  readonly dataDir: string;
  /** The environment of the programs: PATH to find them, HOME or XDG_CACHE_HOME for the cache, and proxies. */
  readonly env: Environment;
  readonly say: (line: string) => void;
  /** Prints what the server has to do without; by default as `say`. */
  readonly warn?: ((line: string) => void) | undefined;
  /** The folder of fetched programs; by default a folder of this user. */
  readonly cacheDir?: string | undefined;
  readonly mongodBin?: string | undefined;
  readonly redisBin?: string | undefined;
  /** More arguments for mongod, such as the fail points that tests of lost commits need. */
  readonly mongodArgs?: readonly string[] | undefined;
};

type EngineTiming = {
  /** Time to find or fetch the program, in milliseconds. */
  readonly foundMs: number;
  /** Time to find and start it, in milliseconds. */
  readonly readyMs: number;
  /** How the program was found, in words. */
  readonly via: string;
  readonly version: string;
};

export type Engines = {
  readonly mongoUrl: string;
  readonly redisUrl: string;
  readonly timings: { readonly mongo: EngineTiming; readonly redis: EngineTiming };
  /** Ends both engines cleanly, or kills them after a timeout, and releases the directory. It may be called twice. */
  stop(): Promise<void>;
};

/** Time for a clean end before an engine is killed, in milliseconds. */
const MONGO_GRACE_MS = 20_000;
const REDIS_GRACE_MS = 5_000;

/**
 * Finds, starts and guards a MongoDB (a replica set with one member) and a Redis. Ctrl-C does not end
 * them, so that the server can finish its work first. Even after a kill of the server they end within 3 s. An engine
 * that ends by itself is started again.
 * @throws EngineError with a message that says what to do
 */
export async function startEngines(wanted: EngineOptions): Promise<Engines> {
  // The engines have another working directory than the server.
  const options = { ...wanted, dataDir: resolve(wanted.dataDir) };
  const house = await openHouse(options);
  const starting = startMongo(options, house);
  const [mongo, redis] = await Promise.allSettled([starting, startRedisServer(options, house, starting)]);
  if (mongo.status === 'rejected' || redis.status === 'rejected') {
    await house.close();
    // Only one message is shown, even if both have failed.
    const [reason] = [mongo, redis].flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    throw reason;
  }
  return {
    mongoUrl: mongoUrlAt(house.sockets.mongo, 'dispatch'),
    redisUrl: redisUrlAt(house.sockets.redis),
    timings: { mongo: mongo.value, redis: redis.value },
    stop: () => house.close(),
  };
}

/** The data directory with its lock, its watchdog and its engines. */
type House = {
  readonly sockets: Sockets;
  /** Makes sure that the server, the watchdog or the next server stops this engine. */
  admit(name: string, engine: EngineProcess, graceMs: number): void;
  /** Starts the engine again whenever it ends, until the house is closed. */
  keep(engine: EngineProcess, by: Pick<Parameters<typeof keepRunning>[1], 'name' | 'start' | 'why'>): void;
  close(): Promise<void>;
};

async function openHouse(options: EngineOptions): Promise<House> {
  const lock = await takeLock(options.dataDir);
  const sockets = openSocketsUnder(lock, options.dataDir);
  const watchdog = startWatchdog(options.env);
  const tenants = new Map<string, { readonly engine: EngineProcess; readonly graceMs: number }>();
  const kept: Promise<void>[] = [];
  const halting = new AbortController();
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    halting.abort();
    await Promise.all([...tenants.values()].map(({ engine, graceMs }) => engine.stop(graceMs)));
    await Promise.all(kept);
    await watchdog.stop();
    sockets.remove();
    lock.release();
  };
  try {
    if (watchdog.ref !== null) lock.record({ ...watchdog.ref, name: 'watchdog' });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    sockets,
    admit(name, engine, graceMs) {
      watchdog.guard(engine.ref);
      tenants.set(name, { engine, graceMs });
      lock.record({ ...engine.ref, name });
      // A stop that came during the start of the program has to reach it too.
      if (halting.signal.aborted) void engine.stop(graceMs);
    },
    keep: (engine, by) =>
      void kept.push(keepRunning(engine, { ...by, halt: halting.signal, warn: options.warn ?? options.say })),
    close: () => (closed ??= close()),
  };
}

function openSocketsUnder(lock: Lock, dataDir: string): Sockets {
  try {
    return openSockets(dataDir);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function startMongo(options: EngineOptions, house: House): Promise<EngineTiming> {
  const startedAt = nowMs();
  const found = await findMongod(searchOf(options, options.mongodBin));
  const foundMs = nowMs() - startedAt;
  const start = (): Promise<EngineProcess> =>
    startMongod({
      bin: found.bin,
      dataDir: options.dataDir,
      socket: house.sockets.mongo,
      env: options.env,
      extraArgs: options.mongodArgs ?? [],
      onSpawn: (spawned) => house.admit('mongod', spawned, MONGO_GRACE_MS),
    });
  const why = (engine: EngineProcess): string => whyMongodEnded(engine, options.dataDir).message;
  house.keep(await start(), { name: 'MongoDB', start, why });
  return timingOf(found, foundMs, startedAt);
}

/** Starts Redis after MongoDB, which refuses files that another server uses. Redis would spoil them. */
async function startRedisServer(options: EngineOptions, house: House, mongo: Promise<unknown>): Promise<EngineTiming> {
  const startedAt = nowMs();
  const found = await findRedis(searchOf(options, options.redisBin));
  const foundMs = nowMs() - startedAt;
  await mongo;
  const start = (): Promise<EngineProcess> =>
    startRedis({
      bin: found.bin,
      dataDir: options.dataDir,
      socket: house.sockets.redis,
      env: options.env,
      onSpawn: (spawned) => house.admit('redis', spawned, REDIS_GRACE_MS),
    });
  const why = (engine: EngineProcess): string => whyRedisEnded(engine, options.dataDir).message;
  house.keep(await start(), { name: 'Redis', start, why });
  return timingOf(found, foundMs, startedAt);
}

function searchOf(options: EngineOptions, bin: string | undefined): Search {
  return { bin, env: options.env, cacheDir: options.cacheDir ?? cacheDirOf(options.env), say: options.say };
}

function timingOf(found: Found, foundMs: number, startedAt: number): EngineTiming {
  const readyMs = Math.round(nowMs() - startedAt);
  return { foundMs: Math.round(foundMs), readyMs, via: found.via, version: found.version };
}
