import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { startMongoSet, type MongoSet } from '../../load-tests/engines/mongo-set.ts';
import { connectMongo } from '../../src/models/mongo.ts';
import { createStores } from '../../src/models/stores.ts';
import { ENVIRONMENT } from '../environment.ts';
import { CLOCK, QUIET, SETTINGS, type House } from './mongo-house.ts';

/** The stores on a replica set of three members of this file's own, whose members a test may kill. */
export async function openSetHouse(): Promise<House & { readonly set: MongoSet }> {
  const dir = await mkdtemp(join(tmpdir(), 'mongo-set-'));
  const set = await startMongoSet({ dir, env: ENVIRONMENT, say: (line) => process.stderr.write(`${line}\n`) });
  const mongo = await connectMongo(set.url, QUIET);
  afterAll(async () => {
    await mongo.close();
    await set.stop();
    await rm(dir, { recursive: true, force: true });
  });
  return { mongo, set, ...createStores(mongo, CLOCK, SETTINGS) };
}
