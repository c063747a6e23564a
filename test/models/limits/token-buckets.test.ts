import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { createClock } from '../../../src/clock.ts';
import { connectRedis, type RedisConnections } from '../../../src/engines/redis/redis.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createTokenBuckets, judgeToken } from '../../../src/models/limits/token-buckets.ts';
import type { Bucket, LimitPorts } from '../../../src/ports/limits.ts';
import { patienceWith, testEngines } from '../../engines.ts';
import { keptLog } from '../../kept-ports.ts';

const engines = testEngines('token_buckets');
const log = keptLog();
const connect = (): Promise<RedisConnections> =>
  connectRedis(engines.redisUrl, engines.keyPrefix, { log, clock: createClock() }, patienceWith(engines.redisUrl));
const [one, two] = [await connect(), await connect()];
afterAll(async () => {
  await Promise.all([one.close(), two.close()]);
});

/**
 * How many requests two processes allow, until this time after the first refusal, and the least and most time in which
 * tokens came back for them, ms. The bucket was full before and is empty at a refusal. While it is full, on a machine that
 * stands still, nothing comes back.
 */
async function hammer(takers: readonly LimitPorts['takeToken'][], bucket: Bucket, forMs: number) {
  const since = performance.now();
  const passedMs = (): number => performance.now() - since;
  let [allowed, refusedMs, emptyMs] = [0, Infinity, 0];
  const client = async (take: LimitPorts['takeToken']): Promise<void> => {
    while (passedMs() < refusedMs + forMs) {
      const sentMs = passedMs();
      const { isAllowed } = await take(bucket);
      if (!isAllowed) refusedMs = Math.min(refusedMs, passedMs());
      if (isAllowed) allowed += 1;
      else emptyMs = Math.max(emptyMs, sentMs);
    }
  };
  await Promise.all([...takers, ...takers].map(client));
  return { allowed, leastMs: Math.max(0, emptyMs - refusedMs), mostMs: passedMs() };
}

test('[H123] two processes together allow what one bucket allows, within 5 percent', async () => {
  const takers = [one, two].map((redis) => createTokenBuckets(redis, createClock()));
  const bucket: Bucket = { name: 'key', subject: newId('key'), perS: 200, most: 400 };
  const { allowed, leastMs, mostMs } = await hammer(takers, bucket, 1500);
  const rightAfter = (ms: number): number => bucket.most + (ms / 1000) * bucket.perS;
  expect(allowed).toBeGreaterThan(0.95 * rightAfter(leastMs));
  expect(allowed).toBeLessThan(1.05 * rightAfter(mostMs));
});

test('[H124] while Redis is away, each process keeps the limit by itself', async () => {
  const away = await connect();
  await away.close();
  const outage = Object.assign(Object.create(one.outage) as typeof one.outage, { isOn: () => true });
  const known = { ...one, outage };
  for (const redis of [away, known]) {
    const take = createTokenBuckets(redis, createClock());
    const bucket: Bucket = { name: 'key', subject: newId('key'), perS: 1, most: 20 };
    const answers = await Promise.all(Array.from({ length: 30 }, () => take(bucket)));
    expect(answers.filter(({ isAllowed }) => isAllowed)).toHaveLength(20);
    expect(answers.at(-1)?.waitMs).toBeGreaterThan(0);
  }
});

test('[H123] a bucket never allows more than its burst and what came back since', () => {
  const limit = fc.record({ perS: fc.integer({ min: 1, max: 1000 }), most: fc.integer({ min: 1, max: 2000 }) });
  const pauses = fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { maxLength: 200 });
  fc.assert(
    fc.property(limit, pauses, (bucket, pausesMs) => {
      let [fullAt, now, allowed] = [0, 1000, 0];
      for (const pauseMs of pausesMs) {
        now += pauseMs;
        const { next, taken } = judgeToken(bucket, fullAt, now);
        fullAt = next;
        if (taken.isAllowed) allowed += 1;
        // A refused request is possible after the named time, and not before.
        else expect(judgeToken(bucket, fullAt, now + taken.waitMs + 0.001).taken.isAllowed).toBe(true);
      }
      expect(allowed).toBeLessThanOrEqual(bucket.most + ((now - 1000) / 1000) * bucket.perS + 0.001);
    }),
  );
});
