import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { diskFull, EngineError, isFull, plainly } from './processes/engine-error.ts';
import { bringUpReplicaSet, REPLICA_SET } from './replica-set.ts';
import type { Environment } from './processes/run.ts';
import { ask } from './sockets.ts';
import { spawnEngine, tailOf, type EngineProcess } from './processes/spawn-engine.ts';
import { waitFor } from './processes/wait.ts';

/** Long enough to replay a journal after a crash; a healthy start takes well under a second. */
const START_MS = 60_000;

export type MongodOptions = {
  readonly bin: string;
  readonly dataDir: string;
  /** The path at which it listens, and nowhere else. */
  readonly socket: string;
  readonly env: Environment;
  readonly extraArgs: readonly string[];
  /** Told of the process before anything else happens, so that it is guarded from its first moment. */
  readonly onSpawn: (engine: EngineProcess) => void;
};

/**
 * Starts mongod as a replica set of one, because transactions and change streams need one.
 * @returns once it takes writes
 * @throws EngineError with what to do when it does not come up
 */
export async function startMongod(options: MongodOptions): Promise<EngineProcess> {
  const dbPath = join(options.dataDir, 'mongo');
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
  options.onSpawn(engine);
  const listens = async (): Promise<boolean> => engine.ended() !== null || (await ask(options.socket)) !== null;
  const inTime = await waitFor(listens, START_MS);
  if (engine.ended() !== null) throw whyMongodEnded(engine, dbPath);
  if (!inTime) throw new EngineError(`MongoDB did not listen within ${START_MS / 1_000} s: see ${engine.logFile}.`);
  try {
    await bringUpReplicaSet(options.socket, START_MS, () => engine.ended() === null);
  } catch (error) {
    throw engine.ended() === null ? error : whyMongodEnded(engine, dbPath);
  }
  return engine;
}

function mongodArgs(dbPath: string, options: MongodOptions): string[] {
  return [
    `--dbpath=${dbPath}`,
    `--bind_ip=${options.socket}`,
    // Else it makes another socket, in a folder that everybody may enter.
    '--nounixsocket',
    `--replSet=${REPLICA_SET}`,
    // Modest sizes: this mongod shares one machine with the server, and its oplog only has to outlast a restart.
    '--wiredTigerCacheSizeGB=0.25',
    '--oplogSize=256',
    // Ours last 5 s at most; what a killed process leaves open would else keep its rows from all others for a minute.
    '--setParameter=transactionLifetimeLimitSeconds=6',
    '--quiet',
    '--setParameter=diagnosticDataCollectionEnabled=false',
    ...options.extraArgs,
  ];
}

/** Says in one sentence why mongod is gone, read from its log. */
export function whyMongodEnded(engine: EngineProcess, dbPath: string): EngineError {
  // Only its errors count: in a healthy log most of these words occur as well.
  const lines = tailOf(engine.logFile).split('\n');
  const log = lines.filter((line) => !line.startsWith('{') || /"s":"[EF]"/.test(line)).join('\n');
  if (/No space left on device|ENOSPC|Disk quota exceeded/.test(log) || isFull(dbPath))
    return new EngineError(diskFull(dbPath));
  if (/DBPathInUse|Unable to lock the lock file/.test(log)) {
    return new EngineError(
      `Another mongod already uses ${dbPath}: stop it, or give this server a data directory of its own.`,
    );
  }
  if (/feature ?compatibility ?version|UPGRADE PROBLEM|unsupported WiredTiger file version/i.test(log)) {
    return new EngineError(
      `The data in ${dbPath} was written by another version of MongoDB: set MONGOD_BIN to a mongod of that version, ` +
        `or remove the directory to start afresh.`,
    );
  }
  if (/Permission denied|Read-only file system/.test(log)) {
    return new EngineError(
      `MongoDB may not write ${dbPath}: give this user write access, or name another data directory.`,
    );
  }
  return new EngineError(`MongoDB ended with ${engine.ended() ?? 'no word'}: its log ${engine.logFile} says why.`);
}
