import { makeCollections, openMongo, type Mongo } from '../engines/mongo.ts';
import type { Log } from '../ports/process.ts';
import { COLLECTIONS } from './collections.ts';

/**
 * Connects to a database that has every collection and index: inside a transaction it would be too late to make one.
 * @throws EngineAway when no primary answers within 4 s
 */
export async function connectMongo(url: string, log: Log): Promise<Mongo> {
  await makeCollections(url, COLLECTIONS);
  return openMongo(url, log);
}
