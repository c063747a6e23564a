// One MongoDB and one Redis for a whole run, real ones; each test file takes a database and a key prefix of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEngines, type Engines } from '../src/embedded/engines.ts';
import { ENVIRONMENT } from './environment.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    mongoUrl: string;
    redisUrl: string;
  }
}

let engines: Engines | undefined;
let dataDir: string | undefined;

export async function setup(project: TestProject): Promise<void> {
  const { MONGO_URL: mongoUrl, REDIS_URL: redisUrl } = ENVIRONMENT;
  if (mongoUrl === undefined || redisUrl === undefined) {
    dataDir = await mkdtemp(join(tmpdir(), 'dispatch-test-'));
    engines = await startEngines({
      dataDir,
      env: ENVIRONMENT,
      mongodBin: ENVIRONMENT['MONGOD_BIN'],
      redisBin: ENVIRONMENT['REDIS_BIN'],
      // The fail points, with which a test can lose the answer to a commit.
      mongodArgs: ['--setParameter=enableTestCommands=1'],
      say: (line) => process.stderr.write(`${line}\n`),
    });
  }
  project.provide('mongoUrl', mongoUrl ?? engines?.mongoUrl ?? '');
  project.provide('redisUrl', redisUrl ?? engines?.redisUrl ?? '');
}

export async function teardown(): Promise<void> {
  await engines?.stop();
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
}
