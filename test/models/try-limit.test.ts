import { expect, test } from 'vitest';
import { createTryLimit, judgeTry, type Limit } from '../../src/models/try-limit.ts';
import { testEngines } from '../engines.ts';
import { aDoor, SECRETS } from './credentials-house.ts';

const engines = testEngines('try-limit');

const LIMIT: Limit = { name: 'test', free: 3, firstWaitMs: 1000, paceMs: 900_000 };

/** The waits after each of these many tries that come as soon as they may. */
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

test('[A55] waits double up to the pace, at which tries go on; what is not tried is made up for', () => {
  const waits = waitsAfter(40);
  expect(waits.slice(0, 9)).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000]);
  expect(Math.max(...waits)).toBe(LIMIT.paceMs);
  expect(waits.slice(-10).every((wait) => wait > LIMIT.paceMs / 2)).toBe(true);
  const tired = { level: 8, at: 0, until: 0 };
  expect(judgeTry(LIMIT, tired, 8 * LIMIT.paceMs).next).toEqual({
    level: 1,
    at: 8 * LIMIT.paceMs,
    until: 8 * LIMIT.paceMs,
  });
});

test('[A55] Redis counts a try as a process without Redis does, and a clock that steps back makes nobody wait longer', async () => {
  const { redis, clock } = await aDoor(engines);
  const limit = createTryLimit(redis, SECRETS.pepper, clock);
  const tried = [{ limit: LIMIT, subject: 'somebody' }];
  await limit.take(tried);
  const [key = ''] = await redis.commands.keys(`${redis.prefix}tries:test:*`);
  for (const level of [1, 2, 5, 30]) {
    await redis.commands.hset(key, { level, at: 9e15, until: 0 });
    await limit.take(tried);
    const { next } = judgeTry(LIMIT, { level, at: 0, until: 0 }, 0);
    const [at, until] = (await redis.commands.hmget(key, 'at', 'until')).map(Number) as [number, number];
    expect(until - at).toBe(next.until);
  }
  await redis.commands.hset(key, { level: 4, until: 9e15 });
  await expect(limit.take(tried)).rejects.toMatchObject({ told: { metadata: { retry_after_s: LIMIT.paceMs / 1000 } } });
  await limit.giveBack(tried);
  expect(await redis.commands.hget(key, 'level')).toBe('3');
  await limit.take(tried);
});
