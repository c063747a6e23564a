import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { diskFull, EngineError, ranOutOfSpace, plainly } from './processes/engine-error.ts';
import { bringUpReplicaSet, REPLICA_SET } from './replica-set.ts';
import type { Environment } from './processes/run.ts';
import { ask } from './sockets.ts';
import { bringUp, spawnEngine, tailOf, type EngineProcess } from './processes/spawn-engine.ts';
import { waitFor } from './processes/wait.ts';

/** Timeout of the start: long enough to replay a journal after a crash. A normal start takes under a second. */
const START_MS = 60_000;

export type MongodOptions = {
  readonly bin: string;
  readonly dataDir: string;
  /** The only path at which it listens. */
  readonly socket: string;
  readonly env: Environment;
  readonly extraArgs: readonly string[];
  /** Receives the process first, so that it is guarded from its start. */
  readonly onSpawn: (engine: EngineProcess) => void;
};

/**
 * Starts mongod as a replica set with one member, because transactions and change streams need a set. Resolves when it
 * accepts writes.
 * @throws EngineError that says what to do if it does not start
 */
export async function startMongod(options: MongodOptions): Promise<EngineProcess> {
  const dbPath = dbPathIn(options.dataDir);
  try {
    mkdirSync(dbPath, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw plainly(error, dbPath);
  }
  const engine = await spawnEngine({
    name: 'MongoDB',
    bin: options.bin,
    args: mongodArgs(dbPath, options),
    cwd: options.dataDir,
    logFile: join(options.dataDir, 'mongod.log'),
    env: options.env,
  });
  const listens = async (): Promise<boolean> => engine.ended() !== null || (await ask(options.socket)) !== null;
  return bringUp(engine, async () => {
    options.onSpawn(engine);
    const inTime = await waitFor(listens, START_MS);
    if (engine.ended() !== null) throw whyMongodEnded(engine, options.dataDir);
    if (!inTime)
      throw new EngineError(`MongoDB did not start within ${START_MS / 1_000} s. See its log ${engine.logFile}.`);
    try {
      await bringUpReplicaSet(options.socket, START_MS, () => engine.ended() === null);
    } catch (error) {
      throw engine.ended() === null ? error : whyMongodEnded(engine, options.dataDir);
    }
  });
}

function dbPathIn(dataDir: string): string {
  return join(dataDir, 'mongo');
}

function mongodArgs(dbPath: string, options: MongodOptions): string[] {
  return [
    `--dbpath=${dbPath}`,
    `--bind_ip=${options.socket}`,
    // Otherwise it creates another socket in a folder that all users may enter.
    '--nounixsocket',
    `--replSet=${REPLICA_SET}`,
    // The sizes are small, because this mongod shares a machine with the server and its oplog only has to survive a restart.
    '--wiredTigerCacheSizeGB=0.25',
    '--oplogSize=256',
    // Transactions of the server last at most 5 s. Otherwise one of a killed process would lock its rows for a minute.
    '--setParameter=transactionLifetimeLimitSeconds=6',
    '--quiet',
    '--setParameter=diagnosticDataCollectionEnabled=false',
    ...options.extraArgs,
  ];
}

/** Finds the reason why mongod ended in its log, as one sentence. */
export function whyMongodEnded(engine: Pick<EngineProcess, 'logFile' | 'ended'>, dataDir: string): EngineError {
  const dbPath = dbPathIn(dataDir);
  // Only errors count, because a normal log also contains most of these words.
  const lines = tailOf(engine.logFile).split('\n');
  const log = lines.filter((line) => !line.startsWith('{') || /"s":"[EF]"/.test(line)).join('\n');
  if (ranOutOfSpace(log, dbPath)) return new EngineError(diskFull(dbPath));
  if (/DBPathInUse|Unable to lock the lock file/.test(log)) {
    return new EngineError(`Another mongod already uses ${dbPath}. Stop it, or set DATA_DIR to another directory.`);
  }
  if (/feature ?compatibility ?version|UPGRADE PROBLEM|unsupported WiredTiger file version/i.test(log)) {
    return new EngineError(
      `The data in ${dbPath} was written by another version of MongoDB. Set MONGOD_BIN to a mongod of that version. ` +
        `To start over, delete the directory.`,
    );
  }
  if (/Permission denied|Read-only file system/.test(log)) {
    return new EngineError(
      `MongoDB may not write ${dbPath}. Give this user write access, or set DATA_DIR to another directory.`,
    );
  }
  return new EngineError(`MongoDB ended (${engine.ended() ?? 'without a reason'}). See its log ${engine.logFile}.`);
}
