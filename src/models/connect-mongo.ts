import { makeCollections } from '../engines/collections.ts';
import { openMongo, type Mongo } from '../engines/mongo.ts';
import type { Clock, Log } from '../ports/process.ts';
import { COLLECTIONS, SHAPES_VERSION } from './collections.ts';

/**
 * Connects to the database after creating every missing collection and index. A transaction cannot create them later.
 * @throws EngineAway if no primary answers within 4 s
 */
export async function connectMongo(url: string, log: Log, clock?: Pick<Clock, 'real'>): Promise<Mongo> {
  await makeCollections(url, COLLECTIONS, SHAPES_VERSION);
  return openMongo(url, log, clock);
}
