// One real MongoDB and one real Redis for a whole run. At any time, a test file has a database and a key prefix to itself.
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { mongo } from 'mongoose';
import type { TestProject } from 'vitest/node';
import { startEngines, type Engines } from '../src/embedded/engines.ts';
import { ENVIRONMENT } from './environment.ts';
import { until } from './until.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    mongoUrl: string;
    redisUrl: string;
    /** A folder for the files of servers that a test starts. It is removed after the run. */
    scratch: string;
    /** Whether the files of a worker share its modules and engines of this run, so that they can use databases again. */
    sharesDatabases: boolean;
  }
}

/** The folder in memory that Linux systems have. */
const MEMORY = '/dev/shm';
/** Several times what a run of all tests writes. */
const LEAST_MEMORY_BYTES = 4 * 2 ** 30;

let engines: Engines | undefined;
let dataDir: string | undefined;
let scratch: string | undefined;

export async function setup(project: TestProject): Promise<void> {
  const { MONGO_URL: mongoUrl, REDIS_URL: redisUrl } = ENVIRONMENT;
  if (mongoUrl === undefined || redisUrl === undefined) {
    dataDir = await makeFolderIn(await folderOfData());
    engines = await startEngines({
      dataDir,
      env: ENVIRONMENT,
      mongodBin: ENVIRONMENT['MONGOD_BIN'],
      redisBin: ENVIRONMENT['REDIS_BIN'],
      mongodArgs: [
        // The fail points, with which a test can lose the answer to a commit.
        '--setParameter=enableTestCommands=1',
        // Tests use dates of their own. Rows that expire by those dates expired long ago, and must not vanish during a
        // test.
        '--setParameter=ttlMonitorEnabled=false',
        // Many test files make all collections in a database of their own. Without this, the files of all of them stay
        // open for ten minutes, and MongoDB aborts when it may open no more.
        '--wiredTigerEngineConfigString=file_manager=(close_idle_time=10,close_scan_interval=2,close_handle_minimum=500)',
      ],
      say: (line) => process.stderr.write(`${line}\n`),
    });
    await waitForNoDisk(engines);
  }
  scratch = await makeFolderIn(tmpdir());
  project.provide('scratch', scratch);
  project.provide('sharesDatabases', engines !== undefined && !project.config.isolate);
  project.provide('mongoUrl', mongoUrl ?? engines?.mongoUrl ?? '');
  project.provide('redisUrl', redisUrl ?? engines?.redisUrl ?? '');
}

/**
 * Memory if the system has a folder there with enough space, since every database has over a hundred files.
 * Tests of durability start engines of their own, on the disk.
 */
async function folderOfData(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= LEAST_MEMORY_BYTES ? MEMORY : tmpdir();
}

/** A folder of this run. Those of runs that were killed are removed first, since they would stay in memory. */
async function makeFolderIn(parent: string): Promise<string> {
  await removeLeftovers(parent);
  return mkdtemp(join(parent, `dispatch-test-${process.pid}-`));
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = /^dispatch-test-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // A folder of another user cannot be removed, and is theirs to remove.
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be reached, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * No data of a run outlives it, so no answer has to wait for a disk that may be busy for seconds. Durability is tested
 * on engines that a test starts itself.
 */
async function waitForNoDisk({ mongoUrl, redisUrl }: Engines): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.config('SET', 'appendonly', 'no');
  redis.disconnect();
  const client = await mongo.MongoClient.connect(mongoUrl);
  // A set that was just founded may still be in a change of its own. One that never accepts it waits as before.
  const change = (): Promise<boolean> => doNotAwaitJournal(client.db('admin')).catch(() => false);
  await until(change, 10_000).catch(() => undefined);
  await client.close();
}

async function doNotAwaitJournal(admin: mongo.Db): Promise<boolean> {
  const { config } = await admin.command({ replSetGetConfig: 1 });
  const next = { ...config, version: config.version + 1, writeConcernMajorityJournalDefault: false };
  await admin.command({ replSetReconfig: next });
  return true;
}

export async function teardown(): Promise<void> {
  await engines?.stop();
  for (const folder of [dataDir, scratch]) {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}
