import { onTestFinished } from 'vitest';
import type { Log, Leases } from '../../src/ports/process.ts';
import { connectRedis, type RedisConnections } from '../../src/engines/redis/redis.ts';
import { createClock } from '../../src/clock.ts';
import { createLeases } from '../../src/engines/redis/leases.ts';
import { patienceWith, type TestEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';

/** Connections of one more process, closed when the test ends. */
export async function connectFor(
  { redisUrl, keyPrefix }: TestEngines,
  log: Log = keptLog(),
): Promise<RedisConnections> {
  const redis = await connectRedis(redisUrl, keyPrefix, { log, clock: createClock() }, patienceWith(redisUrl));
  onTestFinished(() => redis.close());
  return redis;
}

/** The leases of one process. */
export function leasesOf(redis: RedisConnections, processId: string, log: Log = keptLog()): Leases {
  return createLeases({ redis, processId, clock: createClock(), log });
}
