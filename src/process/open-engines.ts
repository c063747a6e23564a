import { createClock } from '../clock.ts';
import { makeCollections } from '../engines/collections.ts';
import { openMongo, type Mongo } from '../engines/mongo.ts';
import { createLeases } from '../engines/redis/leases.ts';
import { connectRedis, type RedisConnections } from '../engines/redis/redis.ts';
import { COLLECTIONS, SHAPES_VERSION } from '../models/collections.ts';
import type { Leases, Log } from '../ports/process.ts';
import { prepareSchema } from './prepare-schema.ts';

export type EngineUrls = {
  readonly mongoUrl: string;
  readonly redisUrl: string;
  /** The address of the server's own Valhalla; null while it does not answer. */
  readonly streetsUrl?: () => string | null;
};

type Engines = {
  readonly mongo: Mongo;
  readonly redis: RedisConnections;
  readonly leases: Leases;
  close(): Promise<void>;
};

/**
 * Connects to both engines. The database has the schema version of this release, with every collection and index: inside a
 * transaction it would be too late to make one.
 * @param processId unique to this run of the process
 * @throws EngineAway when one of them does not answer; StartError when the schema version keeps this release from starting
 */
export async function openEngines(
  { mongoUrl, redisUrl }: EngineUrls,
  keyPrefix: string,
  processId: string,
  ownLog: Log,
): Promise<Engines> {
  // Spans of machine time are all that is needed here: the clock that processes share is in the database.
  const clock = createClock();
  const redis = await connectRedis(redisUrl, keyPrefix, { log: ownLog, clock });
  const open: { close(): Promise<void> }[] = [redis];
  const close = async (): Promise<void> => {
    for (const engine of open.toReversed()) await engine.close();
  };
  try {
    // Its log is quiet during outages of both engines, and everything above uses this one.
    const mongo = await openMongo(mongoUrl, redis.log, clock);
    open.push(mongo);
    const { log } = mongo;
    const leases = createLeases({ redis, processId, clock, log });
    await prepareSchema({
      mongo,
      leases,
      clock,
      log,
      makeAll: () => makeCollections(mongoUrl, COLLECTIONS, SHAPES_VERSION),
    });
    return { mongo, redis, leases, close };
  } catch (error) {
    await close();
    throw error;
  }
}
