import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { startPulse } from '../../src/engines/redis/redis-pulse.ts';
import { connectRedis, type RedisConnections } from '../../src/engines/redis/redis.ts';
import type { Log } from '../../src/ports/process.ts';
import { keptLog } from '../kept-ports.ts';

/** Starts a set of Redis servers for one test, such as `openRedisPair`, and ends it with the test. */
export async function openFor<T extends { stop(): Promise<void> }>(
  open: (dir: string, say: (line: string) => void) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'dispatch-redis-'));
  const set = await open(dir, () => undefined);
  onTestFinished(async () => {
    await set.stop();
    await rm(dir, { recursive: true, force: true });
  });
  return set;
}

/** The connections of one process, as impatient as a server's, with their pulse. Each set belongs to one test. */
export async function aliveAt(url: string, log: Log = keptLog()): Promise<RedisConnections> {
  const redis = await connectRedis(url, 'test:', { log, clock: createClock() });
  const stopPulse = await startPulse({ redis, clock: createClock() });
  onTestFinished(async () => {
    stopPulse();
    await redis.close();
  });
  return redis;
}
