import { afterAll } from 'vitest';
import type { MongoSet } from '../../load-tests/engines/mongo-set.ts';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { createStores } from '../../src/models/stores.ts';
import { openMongoSet } from '../mongo-set.ts';
import { CLOCK, QUIET, SETTINGS, type House } from './mongo-house.ts';

/** The stores on a replica set of three members of this file's own. */
export async function openSetHouse(): Promise<House & { readonly set: MongoSet }> {
  const set = await openMongoSet();
  const mongo = await connectMongo(set.url, QUIET);
  afterAll(() => mongo.close());
  return { mongo, set, ...createStores(mongo, CLOCK, SETTINGS) };
}
