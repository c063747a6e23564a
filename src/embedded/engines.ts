import { resolve } from 'node:path';
import type { Search } from './programs/apt.ts';
import { cacheDirOf } from './programs/cache.ts';
import { takeLock, type Lock } from './processes/lock.ts';
import { findMongod } from './programs/find-mongod.ts';
import { findRedis } from './programs/find-redis.ts';
import { startMongod, whyMongodEnded } from './mongod.ts';
import type { Found } from './programs/probe.ts';
import { startRedis, whyRedisEnded } from './redis.ts';
import type { Environment } from './processes/run.ts';
import { mongoUrlAt, openSockets, redisUrlAt, type Sockets } from './sockets.ts';
import type { EngineProcess } from './processes/spawn-engine.ts';
import { nowMs } from './processes/wait.ts';
import { startWatchdog } from './processes/watchdog.ts';

export type EngineOptions = {
  /** Made when absent. One running server per directory. */
  readonly dataDir: string;
  /** The environment for the programs: PATH to find them, HOME or XDG_CACHE_HOME for the cache, proxies. */
  readonly env: Environment;
  readonly say: (line: string) => void;
  /** Where fetched programs are kept; by default a directory of this user. */
  readonly cacheDir?: string | undefined;
  readonly mongodBin?: string | undefined;
  readonly redisBin?: string | undefined;
  /** More arguments for mongod, such as the fail points that tests of lost commits need. */
  readonly mongodArgs?: readonly string[] | undefined;
};

type EngineTiming = {
  /** Finding (or fetching) the program, in milliseconds. */
  readonly foundMs: number;
  /** Finding and starting together, in milliseconds. */
  readonly readyMs: number;
  /** Which way led to the program, for people. */
  readonly via: string;
  readonly version: string;
};

export type Engines = {
  readonly mongoUrl: string;
  readonly redisUrl: string;
  readonly timings: { readonly mongo: EngineTiming; readonly redis: EngineTiming };
  /** Ends both engines cleanly, by force after a deadline, and gives the directory free. May be called again. */
  stop(): Promise<void>;
};

/** How long an engine may take to end cleanly before it is killed, in milliseconds. */
const MONGO_GRACE_MS = 20_000;
const REDIS_GRACE_MS = 5_000;

/**
 * Finds, starts and guards a MongoDB (a replica set of one) and a Redis of our own, side by side. Both outlive Ctrl-C,
 * so that the server can finish its work first, and neither outlives the server by more than 3 s, even a killed one.
 * @throws EngineError whose message is one plain sentence that says what to do
 */
export async function startEngines(wanted: EngineOptions): Promise<Engines> {
  // The engines run with another working directory than the server's.
  const options = { ...wanted, dataDir: resolve(wanted.dataDir) };
  const house = await openHouse(options);
  const [mongo, redis] = await Promise.allSettled([startMongo(options, house), startRedisServer(options, house)]);
  if (mongo.status === 'rejected' || redis.status === 'rejected') {
    await house.close();
    // One sentence at a time, even when both failed.
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

/** The directory with its lock and watchdog, and the engines that live there. */
type House = {
  readonly sockets: Sockets;
  /** From now on the engine is stopped with the house, by the watchdog, or by the next server. */
  admit(name: string, engine: EngineProcess, graceMs: number): void;
  isClosing(): boolean;
  close(): Promise<void>;
};

async function openHouse(options: EngineOptions): Promise<House> {
  const lock = await takeLock(options.dataDir);
  const sockets = openSocketsUnder(lock, options.dataDir);
  const watchdog = startWatchdog(options.env);
  const tenants: { engine: EngineProcess; graceMs: number }[] = [];
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await Promise.all(tenants.map(({ engine, graceMs }) => engine.stop(graceMs)));
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
      tenants.push({ engine, graceMs });
      lock.record({ ...engine.ref, name });
    },
    isClosing: () => closed !== undefined,
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
  const engine = await startMongod({
    bin: found.bin,
    dataDir: options.dataDir,
    socket: house.sockets.mongo,
    env: options.env,
    extraArgs: options.mongodArgs ?? [],
    onSpawn: (spawned) => house.admit('mongod', spawned, MONGO_GRACE_MS),
  });
  tellOfEnd(engine, house, options, () => whyMongodEnded(engine, options.dataDir).message);
  return timingOf(found, foundMs, startedAt);
}

async function startRedisServer(options: EngineOptions, house: House): Promise<EngineTiming> {
  const startedAt = nowMs();
  const found = await findRedis(searchOf(options, options.redisBin));
  const foundMs = nowMs() - startedAt;
  const engine = await startRedis({
    bin: found.bin,
    dataDir: options.dataDir,
    socket: house.sockets.redis,
    env: options.env,
    onSpawn: (spawned) => house.admit('redis', spawned, REDIS_GRACE_MS),
  });
  tellOfEnd(engine, house, options, () => whyRedisEnded(engine, options.dataDir).message);
  return timingOf(found, foundMs, startedAt);
}

function searchOf(options: EngineOptions, bin: string | undefined): Search {
  return { bin, env: options.env, cacheDir: options.cacheDir ?? cacheDirOf(options.env), say: options.say };
}

function timingOf(found: Found, foundMs: number, startedAt: number): EngineTiming {
  const readyMs = Math.round(nowMs() - startedAt);
  return { foundMs: Math.round(foundMs), readyMs, via: found.via, version: found.version };
}

/** An engine that ends unasked takes the server's work with it; whoever reads the output should know why. */
function tellOfEnd(engine: EngineProcess, house: House, options: EngineOptions, why: () => string): void {
  void engine.end.then(() => {
    if (!house.isClosing()) options.say(why());
  });
}
