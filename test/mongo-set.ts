import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startMongoSet, type MongoSet } from '../load-tests/engines/mongo-set.ts';
import { ENVIRONMENT } from './environment.ts';

/** A replica set of three members for this file alone. A test may cut off and kill its members. */
export async function openMongoSet(): Promise<MongoSet> {
  const dir = await mkdtemp(join(tmpdir(), 'mongo-set-'));
  const set = await startMongoSet({ dir, env: ENVIRONMENT, say: (line) => process.stderr.write(`${line}\n`) });
  afterAll(async () => {
    await set.stop();
    await rm(dir, { recursive: true, force: true });
  });
  return set;
}
