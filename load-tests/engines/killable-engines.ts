// The engines of a run: a MongoDB that stays up, and a Redis that is killed and started again at the same address.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirOf } from '../../src/embedded/programs/cache.ts';
import { findMongod } from '../../src/embedded/programs/find-mongod.ts';
import { findRedis } from '../../src/embedded/programs/find-redis.ts';
import { startMongod } from '../../src/embedded/mongod.ts';
import { stopProcess, type ProcessRef } from '../../src/embedded/processes/processes.ts';
import { startRedis } from '../../src/embedded/redis.ts';
import { mongoUrlAt, openSockets, redisUrlAt } from '../../src/embedded/sockets.ts';
import { startWatchdog } from '../../src/embedded/processes/watchdog.ts';

export type KillableEngines = {
  readonly mongoUrl: string;
  readonly redisUrl: string;
  /** kill -9. */
  killRedis(): Promise<void>;
  /** Starts it again at the same address. Resolves when it answers. */
  startRedis(state: 'as it was' | 'empty'): Promise<void>;
  /** Makes sure that a process ends when this one has ended, for any reason. */
  guard(ref: ProcessRef): void;
  stop(): Promise<void>;
};

/** How long an engine may take to end before it is killed. Its data are not needed any more. */
const GRACE_MS = 5000;

/**
 * Starts them in a folder of their own.
 * @param mongoUrl a running MongoDB; null starts one
 * @throws EngineError with a sentence for the user
 */
export async function openKillableEngines(
  dir: string,
  mongoUrl: string | null,
  say: (line: string) => void,
): Promise<KillableEngines> {
  const env = process.env;
  const search = { env, cacheDir: cacheDirOf(env), say };
  const sockets = openSockets(dir);
  const watchdog = startWatchdog(env);
  const started: ProcessRef[] = [];
  const admit = ({ ref }: { ref: ProcessRef }): void => {
    watchdog.guard(ref);
    started.push(ref);
  };
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((ref) => stopProcess(ref, GRACE_MS)));
    await watchdog.stop();
    sockets.remove();
  };
  try {
    const redis = await findRedis({ ...search, bin: env['REDIS_BIN'] });
    const launch = () => startRedis({ bin: redis.bin, dataDir: dir, socket: sockets.redis, env, onSpawn: admit });
    let running = await launch();
    return {
      mongoUrl: mongoUrl ?? (await openMongo(dir, sockets.mongo, search, admit)),
      redisUrl: redisUrlAt(sockets.redis),
      killRedis: async () => {
        await stopProcess(running.ref, 0);
        await running.end;
      },
      startRedis: async (state) => {
        if (state === 'empty') await rm(join(dir, 'redis'), { recursive: true, force: true });
        running = await launch();
      },
      guard: (ref) => watchdog.guard(ref),
      stop,
    };
  } catch (error) {
    // One engine without the other is useless.
    await stop();
    throw error;
  }
}

async function openMongo(
  dir: string,
  socket: string,
  search: Parameters<typeof findMongod>[0],
  admit: (engine: { ref: ProcessRef }) => void,
): Promise<string> {
  const { bin } = await findMongod({ ...search, bin: process.env['MONGOD_BIN'] });
  await startMongod({ bin, dataDir: dir, socket, env: process.env, extraArgs: [], onSpawn: admit });
  return mongoUrlAt(socket, 'chaos');
}
