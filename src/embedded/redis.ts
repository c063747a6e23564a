import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { diskFull, EngineError, isFull, plainly } from './processes/engine-error.ts';
import type { Environment } from './processes/run.ts';
import { ask } from './sockets.ts';
import { spawnEngine, tailOf, type EngineProcess } from './processes/spawn-engine.ts';
import { waitFor } from './processes/wait.ts';

const START_MS = 30_000;

export type RedisOptions = {
  readonly bin: string;
  readonly dataDir: string;
  /** The path at which it listens, and nowhere else. */
  readonly socket: string;
  readonly env: Environment;
  /** Told of the process before anything else happens, so that it is guarded from its first moment. */
  readonly onSpawn: (engine: EngineProcess) => void;
};

/**
 * Starts Redis with an append-only file, so that a restart finds leases and counters as they were.
 * @returns once it answers
 * @throws EngineError with what to do when it does not come up
 */
export async function startRedis(options: RedisOptions): Promise<EngineProcess> {
  const dir = join(options.dataDir, 'redis');
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw plainly(error, dir);
  }
  const engine = await spawnEngine({
    name: 'Redis',
    bin: options.bin,
    args: redisArgs(options.socket, dir),
    cwd: dir,
    logFile: join(options.dataDir, 'redis.log'),
    env: options.env,
  });
  options.onSpawn(engine);
  // While it still reads its file it answers -LOADING, which is not yet a start.
  const answers = async (): Promise<boolean> =>
    engine.ended() !== null || (await ask(options.socket, 'PING'))?.startsWith('+PONG') === true;
  const inTime = await waitFor(answers, START_MS);
  if (engine.ended() !== null) throw whyRedisEnded(engine, dir);
  if (!inTime) throw new EngineError(`Redis did not answer within ${START_MS / 1_000} s: see ${engine.logFile}.`);
  return engine;
}

function redisArgs(socket: string, dir: string): string[] {
  const settings = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir,
    daemonize: 'no',
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

/** Says in one sentence why Redis is gone, read from its log. */
export function whyRedisEnded(engine: EngineProcess, dir: string): EngineError {
  const log = tailOf(engine.logFile);
  if (/No space left on device|Disk quota exceeded/.test(log) || isFull(dir)) return new EngineError(diskFull(dir));
  if (/Can't handle RDB format version|Bad file format|Unrecoverable error/.test(log)) {
    return new EngineError(
      `Redis cannot read the data in ${dir}, perhaps because another version wrote it: set REDIS_BIN to that version, ` +
        `or remove the directory, which holds nothing that cannot be rebuilt.`,
    );
  }
  if (/Permission denied|Read-only file system/.test(log)) {
    return new EngineError(`Redis may not write ${dir}: give this user write access, or name another data directory.`);
  }
  return new EngineError(`Redis ended with ${engine.ended() ?? 'no word'}: its log ${engine.logFile} says why.`);
}
