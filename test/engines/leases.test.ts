import { Redis } from 'ioredis';
import { expect, test, vi } from 'vitest';
import { presentTenant, withinTenant } from '../../src/engines/tenants/tenants.ts';
import { newId } from '../../src/domain/ids.ts';
import { createBell } from '../../src/engines/redis/bell.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { keptLog } from '../kept-ports.ts';
import { connectFor, leasesOf } from './redis-house.ts';

const engines = testEngines('leases');
/** Far longer than a test takes, so that no lease expires in between. */
const HELD_MS = 600_000;

test('[R1] one process owns a lease, and only its owner renews or releases it', async () => {
  const redis = await connectFor(engines);
  const [one, two] = [leasesOf(redis, 'one'), leasesOf(redis, 'two')];
  const fence = await one.tryHold('region', HELD_MS);
  expect(fence).toBeTypeOf('number');
  expect(await two.tryHold('region', HELD_MS)).toBeNull();
  await two.release('region');
  expect(await one.tryHold('region', HELD_MS)).toBe(fence);
  await one.release('region');
  expect(await two.tryHold('region', HELD_MS)).toBeGreaterThan(fence ?? Infinity);
});

test('[R1] if many request a lease at once, one gets it', async () => {
  const redis = await connectFor(engines);
  const asked = await Promise.all(
    Array.from({ length: 50 }, (_, i) => leasesOf(redis, `process ${i}`).tryHold('contended', HELD_MS)),
  );
  expect(asked.filter((fence) => fence !== null)).toHaveLength(1);
});

test('[R2] a fencing number rises with each new owner, even if Redis has lost its data', async () => {
  const redis = await connectFor(engines);
  const [one, two] = [leasesOf(redis, 'one'), leasesOf(redis, 'two')];
  const first = (await one.tryHold('fenced', 1)) ?? Infinity;
  let second: number | null = null;
  await until(async () => (second = await two.tryHold('fenced', HELD_MS)) !== null);
  expect(second).toBeGreaterThan(first);
  await redis.commands.del(`${redis.prefix}{lease:fenced}`, `${redis.prefix}{lease:fenced}:fence`);
  expect(await one.tryHold('fenced', HELD_MS)).toBeGreaterThan(second ?? Infinity);
});

test('[R3] without Redis no process owns a lease, and nothing throws', async () => {
  const redis = await connectFor(engines);
  await redis.close();
  const leases = leasesOf(redis, 'one');
  expect(await leases.tryHold('region', HELD_MS)).toBeNull();
  await leases.release('region');
});

test('[R16] leases that a process requests at once are one write to Redis', async () => {
  const redis = await connectFor(engines);
  const leases = leasesOf(redis, 'one');
  const names = Array.from({ length: 20 }, (_, i) => `shared ${i}`);
  const take = () => Promise.all(names.map((name) => leases.tryHold(name, HELD_MS)));
  const fences = await take();
  expect(fences).not.toContain(null);
  if (!(redis.commands instanceof Redis)) throw new Error('the tests use one server');
  const writes = vi.spyOn(redis.commands.stream, 'write');
  expect(await take()).toEqual(fences);
  expect(writes).toHaveBeenCalledTimes(1);
});

test('[R16] of leases that are requested at once, one that fails does not stop the others', async () => {
  const redis = await connectFor(engines);
  const log = keptLog();
  const leases = leasesOf(redis, 'one', log);
  await redis.commands.rpush(`${redis.prefix}{lease:broken}`, 'no lease');
  const take = () => Promise.all(['before', 'broken', 'after'].map((name) => leases.tryHold(name, HELD_MS)));
  const [before, broken, after] = await take();
  expect([typeof before, broken, typeof after]).toEqual(['number', null, 'number']);
  expect(log.lines.map(({ message }) => message)).toEqual(['a lease could not be taken']);
});

test('[R16] leases that are requested at once are taken from a server that has forgotten its scripts', async () => {
  const redis = await connectFor(engines);
  const leases = leasesOf(redis, 'one');
  await redis.commands.script('FLUSH');
  expect(await Promise.all(['a', 'b'].map((name) => leases.tryHold(`forgotten ${name}`, HELD_MS)))).not.toContain(null);
});

test('[R4] this process hears a ring at once and other processes hear it by pub/sub, once each', async () => {
  const [here, there] = await Promise.all([connectFor(engines), connectFor(engines)]);
  const [ours, theirs] = [createBell(here, keptLog(), 'bell'), createBell(there, keptLog(), 'bell')];
  const heard: string[] = [];
  ours.onRing((region) => heard.push(`here ${region}`));
  theirs.onRing((region) => heard.push(`there ${region}`));
  await until(async () => (await here.commands.pubsub('NUMSUB', `${here.prefix}bell`))[1] === 2);
  ours.ring('a');
  expect(heard).toEqual(['here a']);
  await until(() => heard.includes('there a'));
  theirs.ring('b');
  await until(() => heard.length === 4);
  expect(heard).toEqual(['here a', 'there a', 'there b', 'here b']);
});

test('[M62] a listener of the bell is not confined to the tenant whose request rings', async () => {
  const redis = await connectFor(engines);
  const bell = createBell(redis, keptLog(), 'confined');
  const heard: unknown[] = [];
  bell.onRing(() => heard.push(presentTenant()));
  await withinTenant({ vendorId: newId('ven'), liveMode: true }, () => bell.ring('a'));
  expect(heard).toEqual([null]);
  await redis.close();
});

test('[R5] a ring never throws, neither without Redis nor if a listener throws', async () => {
  const redis = await connectFor(engines);
  const log = keptLog();
  const bell = createBell(redis, log, 'bell');
  const heard: string[] = [];
  bell.onRing(() => {
    throw new Error('deaf');
  });
  bell.onRing((region) => heard.push(region));
  await redis.close();
  bell.ring('a');
  expect(heard).toEqual(['a']);
  expect(log.lines.map(({ message }) => message)).toEqual(['a listener of the bell failed']);
});
