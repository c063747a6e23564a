import { expect, test } from 'vitest';
import { createTryLimit, judgeTry, type Limit } from '../../../src/models/access/login/try-limit.ts';
import { preparedEngines } from '../../database.ts';
import { until } from '../../until.ts';
import { aDoor, SECRETS } from './credentials-house.ts';

const engines = await preparedEngines('try-limit');

const LIMIT: Limit = { name: 'test', free: 3, firstWaitMs: 1000, paceMs: 900_000 };

const NONE = { level: 0, at: 0, until: 0, last: null, born: 0 };

/** The wait after each of this many tries, if each comes as soon as it may. */
function waitsAfter(tries: number): number[] {
  let known: ReturnType<typeof judgeTry>['next'] | null = null;
  let now = 0;
  return Array.from({ length: tries }, () => {
    const { next } = judgeTry(LIMIT, known, now);
    const waitMs = next.until - now;
    known = next;
    now = next.until;
    return waitMs;
  });
}

test('[A55] waits double up to the pace, and tries continue at that pace; time without tries reduces them', () => {
  const waits = waitsAfter(40);
  expect(waits.slice(0, 9)).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000]);
  expect(Math.max(...waits)).toBe(LIMIT.paceMs);
  expect(waits.slice(-10).every((wait) => wait > LIMIT.paceMs / 2)).toBe(true);
  const tired = { ...NONE, level: 8 };
  expect(judgeTry(LIMIT, tired, 8 * LIMIT.paceMs).next).toMatchObject({
    level: 1,
    at: 8 * LIMIT.paceMs,
    until: 8 * LIMIT.paceMs,
  });
});

test('[A55] Redis and a process without Redis count alike, and a clock that steps back does not lengthen a wait', async () => {
  const { redis, clock } = await aDoor(engines);
  const limit = createTryLimit(redis, SECRETS.pepper, clock);
  const tried = [{ limit: LIMIT, subject: 'somebody' }];
  await limit.take(tried);
  const [key = ''] = await redis.commands.keys(`${redis.prefix}tries:test:*`);
  for (const level of [1, 2, 5, 30]) {
    await redis.commands.hset(key, { level, at: 9e15, until: 0 });
    await limit.take(tried);
    const { next } = judgeTry(LIMIT, { ...NONE, level }, 0);
    const [at, until] = (await redis.commands.hmget(key, 'at', 'until')).map(Number) as [number, number];
    expect(until - at).toBe(next.until);
  }
  await redis.commands.hset(key, { level: 4, until: 9e15 });
  await expect(limit.take(tried)).rejects.toMatchObject({ told: { metadata: { retry_after_s: LIMIT.paceMs / 1000 } } });
});

const REFUSED = { code: 'too_many_requests' };

test('[A53] giving a try back removes its own wait and keeps the wait of a later try', async () => {
  const { redis, clock } = await aDoor(engines);
  const limit = createTryLimit(redis, SECRETS.pepper, clock);
  const returned = { ...LIMIT, name: 'returned' };
  const tried = [{ limit: returned, subject: 'somebody' }];
  await limit.take(tried);
  const [key = ''] = await redis.commands.keys(`${redis.prefix}tries:returned:*`);
  const stored = async () =>
    (await redis.commands.hmget(key, 'level', 'at', 'until')).map(Number) as [number, number, number];
  await redis.commands.hset(key, { level: 4, until: 0 });
  const alone = await limit.take(tried);
  await expect(limit.take(tried)).rejects.toMatchObject(REFUSED);
  await alone();
  expect(Math.round((await stored())[0])).toBe(4);
  const earlier = await limit.take(tried);
  // The wait is over, and a wrong try comes before the first one is given back.
  await redis.commands.hset(key, { until: 0 });
  const later = await limit.take(tried);
  await earlier();
  // Only the later try counts: the fifth, as if it had come alone.
  const [level, at, until] = await stored();
  expect([Math.round(level), until - at]).toEqual([5, judgeTry(returned, { ...NONE, level: 4 }, 0).next.until]);
  await expect(limit.take(tried)).rejects.toMatchObject(REFUSED);
  await later();
  expect(Math.round((await stored())[0])).toBe(4);
  await limit.take(tried);
});

test('[A53] a try that is given back after a correct login leaves the tries since then unchanged', async () => {
  const { redis, clock } = await aDoor(engines);
  const limit = createTryLimit(redis, SECRETS.pepper, clock);
  const tried = { limit: { ...LIMIT, name: 'cleared', free: 1 }, subject: 'somebody' };
  const earlier = await limit.take([tried]);
  const [key = ''] = await redis.commands.keys(`${redis.prefix}tries:cleared:*`);
  const bornAt = Number(await redis.commands.hget(key, 'born'));
  await limit.clear(tried);
  await until(async () => {
    const [seconds = 0, micros = 0] = (await redis.commands.time()).map(Number);
    return Math.floor(seconds * 1000 + micros / 1000) > bornAt;
  });
  await limit.take([tried]);
  const stored = await redis.commands.hgetall(key);
  await earlier();
  expect(await redis.commands.hgetall(key)).toEqual(stored);
  await expect(limit.take([tried])).rejects.toMatchObject(REFUSED);
});

test('[A53] a process without Redis gives a try back in the same way', async () => {
  const { redis, clock } = await aDoor(engines);
  const limit = createTryLimit(redis, SECRETS.pepper, clock);
  const tried = [{ limit: { ...LIMIT, free: 1 }, subject: 'somebody' }];
  redis.commands.disconnect();
  const alone = await limit.take(tried);
  await expect(limit.take(tried)).rejects.toMatchObject(REFUSED);
  await alone();
  const earlier = await limit.take(tried);
  await clock.advance(1000);
  const later = await limit.take(tried);
  await earlier();
  await expect(limit.take(tried)).rejects.toMatchObject(REFUSED);
  await later();
  await limit.take(tried);
});
