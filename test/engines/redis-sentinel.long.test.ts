import { expect, test } from 'vitest';
import { openRedisSentinels } from '../../load-tests/engines/redis-sentinels.ts';
import { createClock } from '../../src/clock.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { leasesOf } from './redis-house.ts';
import { aliveAt, openFor } from './redis-topologies.ts';

/** Far longer than a test takes. */
const HELD_MS = 600_000;

test('[R14] with Sentinels a process finds the primary, and the next one after a failure', async () => {
  const set = await openFor(openRedisSentinels);
  const log = keptLog();
  const redis = await aliveAt(set.url, log);
  const leases = leasesOf(redis, 'one', log);
  const heard: string[] = [];
  redis.subscriber.on('message', (channel: string, message: string) => channel === 'news' && heard.push(message));
  await redis.subscriber.subscribe('news');
  expect(await leases.tryHold('region', HELD_MS)).not.toBeNull();
  await set.killPrimary();
  await until(async () => (await leases.tryHold('other', HELD_MS)) !== null);
  await until(() => redis.isReady());
  await (await set.primary()).command('PUBLISH', 'news', 'again');
  await until(() => heard.length > 0);
  expect(heard).toEqual(['again']);
  // The promoted server may close connections once more when it changes its role.
  const said = log.lines.map(({ message }) => message);
  expect(said).toEqual(said.map((_line, index) => (index % 2 === 0 ? 'Redis is away' : 'Redis is back')));
  expect(said.at(-1)).toBe('Redis is back');
});

test('[R14] a connection that is being made while a failover is announced is made again', async () => {
  const set = await openFor(openRedisSentinels);
  const redis = await aliveAt(set.url);
  const [asked, other] = set.sentinels;
  const primary = await set.primary();
  // The connections ask this Sentinel first. It is silent, so they are still connecting when the other one announces.
  asked?.freeze();
  await primary.command('CLIENT', 'KILL', 'TYPE', 'normal');
  await until(() => redis.commands.status === 'connecting');
  await other?.command('SENTINEL', 'FAILOVER', 'dispatch');
  await until(() => redis.commands.status !== 'connecting', 10_000);
  asked?.thaw();
  await expect.poll(() => redis.isReady(), { timeout: 20_000 }).toBe(true);
});

test('[R14] if no Sentinel answers, the start is refused with one plain sentence', async () => {
  const connecting = connectRedis('redis+sentinel://127.0.0.1:1,127.0.0.1:2/dispatch', '', {
    log: keptLog(),
    clock: createClock(),
  });
  await expect(connecting).rejects.toThrow(/^Redis does not answer: .*sentinels.* REDIS_URL says\?$/);
});
