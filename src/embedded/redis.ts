import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { diskFull, EngineError, ranOutOfSpace, plainly } from './processes/engine-error.ts';
import type { Environment } from './processes/run.ts';
import { ask } from './sockets.ts';
import { bringUp, spawnEngine, tailOf, type EngineProcess } from './processes/spawn-engine.ts';
import { waitFor } from './processes/wait.ts';

const START_MS = 30_000;

export type RedisOptions = {
  readonly bin: string;
  readonly dataDir: string;
  /** The only path at which it listens. */
  readonly socket: string;
  readonly env: Environment;
  /** Receives the process first, so that it is guarded from its start. */
  readonly onSpawn: (engine: EngineProcess) => void;
};

/**
 * Starts Redis with an append-only file, so that leases and counters survive a restart. Resolves when it answers.
 * @throws EngineError that says what to do if it does not start
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
  // It answers -LOADING until it has read its file.
  const answers = async (): Promise<boolean> =>
    engine.ended() !== null || (await ask(options.socket, 'PING'))?.startsWith('+PONG') === true;
  return bringUp(engine, async () => {
    options.onSpawn(engine);
    const inTime = await waitFor(answers, START_MS);
    if (engine.ended() !== null) throw whyRedisEnded(engine, dir);
    if (!inTime)
      throw new EngineError(`Redis did not answer within ${START_MS / 1_000} s. See its log ${engine.logFile}.`);
  });
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

/** Finds the reason why Redis ended in its log, as one sentence. */
export function whyRedisEnded(engine: EngineProcess, dir: string): EngineError {
  const log = tailOf(engine.logFile);
  if (ranOutOfSpace(log, dir)) return new EngineError(diskFull(dir));
  if (/Can't handle RDB format version|Bad file format|Unrecoverable error/.test(log)) {
    return new EngineError(
      `Redis cannot read the data in ${dir}, perhaps because another version wrote it. Set REDIS_BIN to that version, ` +
        `or delete the directory: the server can rebuild its content.`,
    );
  }
  if (/Permission denied|Read-only file system/.test(log)) {
    return new EngineError(
      `Redis may not write ${dir}. Give this user write access, or set DATA_DIR to another directory.`,
    );
  }
  return new EngineError(`Redis ended (${engine.ended() ?? 'without a reason'}). See its log ${engine.logFile}.`);
}
