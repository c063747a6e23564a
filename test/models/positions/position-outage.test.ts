import { expect, test } from 'vitest';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId, type CourierId } from '../../../src/domain/ids.ts';
import { CENTER, NOON, aPosition } from '../../builders.ts';
import { regionOf } from '../../regions.ts';
import { handClock } from '../../clock.ts';
import { testEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { aProcess, TICK_MS } from './position-process.ts';
import { redisProxy } from '../../engines/redis-proxy.ts';

const REGION = regionOf(CENTER);
const alone = () => testEngines('outage');

test('[P9] while Redis is away local readers continue, and afterwards only the latest position is written', async () => {
  const at = alone();
  const proxy = await redisProxy(at.redisUrl);
  const cut = await aProcess({ at: { ...at, redisUrl: proxy.url } });
  const other = await aProcess({ at });
  const position = aPosition();
  cut.index.put(position);
  await cut.tick();
  await until(() => other.batches.length === 1);
  proxy.cut();
  await until(() => !cut.redis.isReady());
  for (let i = 1; i <= 3; i += 1) {
    cut.index.put({ ...position, at: position.at + i });
    await cut.clock.advance(TICK_MS);
  }
  expect(cut.batches.map(([first]) => first?.at)).toEqual([0, 1, 2, 3].map((i) => position.at + i));
  expect(await cut.index.find(position.courierId)).toEqual({ ...position, at: position.at + 3 });
  expect(await cut.index.listPresent([REGION])).toHaveLength(1);
  proxy.heal();
  await until(() => cut.redis.isReady());
  await cut.tick();
  await until(() => other.batches.length === 2);
  expect(other.batches[1]).toEqual([{ ...position, at: position.at + 3 }]);
  expect(cut.log.lines).toEqual([]);
});

test('[P9] a write that Redis did not answer is repeated, with the positions that are newest then', async () => {
  const at = alone();
  const proxy = await redisProxy(at.redisUrl);
  const hung = await aProcess({ at: { ...at, redisUrl: proxy.url } });
  const other = await aProcess({ at });
  const [moving, resting] = [aPosition(), aPosition()];
  hung.index.put(moving);
  hung.index.put(resting);
  await hung.tick();
  await until(() => other.batches.length === 1);
  proxy.hang();
  hung.index.put({ ...moving, at: moving.at + 1 });
  hung.index.put({ ...resting, at: resting.at + 1 });
  await hung.clock.advance(TICK_MS);
  hung.index.put({ ...moving, at: moving.at + 2 });
  proxy.heal();
  await until(async () => {
    await hung.clock.advance(TICK_MS);
    return other.batches.length === 2;
  });
  const heard = new Map(other.batches[1]?.map((position) => [position.courierId, position.at]));
  expect(heard.get(moving.courierId)).toBe(moving.at + 2);
  expect(heard.get(resting.courierId)).toBe(resting.at + 1);
});

test('[P25] a courier who is heard in a process without Redis is present there, and their newer position stays', async () => {
  const at = alone();
  const clock = handClock();
  const proxy = await redisProxy(at.redisUrl);
  const cut = await aProcess({ at: { ...at, redisUrl: proxy.url }, clock });
  const other = await aProcess({ at, clock });
  const position = aPosition();
  other.index.put(position);
  await other.tick();
  await until(() => cut.index.last(position.courierId) !== null);
  proxy.cut();
  await until(() => !cut.redis.isReady() && cut.redis.subscriber.status !== 'ready');
  const newer = { ...position, ...offsetBy(position, 100, 0), at: position.at + 1000 };
  other.index.put(newer);
  await other.tick();
  for (let second = 0; second < 20; second += 1) {
    cut.index.touch([position.courierId]);
    await clock.advance(1000);
  }
  expect(cut.index.present(position.courierId)).toEqual(position);
  expect(other.index.present(position.courierId)).toBeNull();
  proxy.heal();
  await until(async () => {
    cut.index.touch([position.courierId]);
    await clock.advance(1000);
    return other.index.present(position.courierId) !== null;
  });
  const late = await aProcess({ at, clock });
  for (const { index } of [cut, other, late]) expect(await index.find(position.courierId)).toEqual(newer);
});

test('[P10] silence counts from the last message, and is never longer than Redis was there', async () => {
  const at = alone();
  const clock = handClock();
  const proxy = await redisProxy(at.redisUrl);
  const cut = await aProcess({ at: { ...at, redisUrl: proxy.url }, clock });
  const other = await aProcess({ at, clock });
  const [here, there, nobody] = [aPosition(), aPosition(), newId('cou')];
  cut.index.put(here);
  other.index.put(there);
  await Promise.all([cut.tick(), until(() => other.metrics.counts.get('positions_writes') === 1)]);
  await until(() => cut.index.last(there.courierId) !== null);
  await clock.advance(5_000 - TICK_MS);
  const ids: CourierId[] = [here.courierId, there.courierId, nobody];
  const silent = await cut.index.silentForMs(ids, 0);
  expect(silent.get(here.courierId)).toBe(5_000);
  // Another process heard the courier, and its message comes up to one tick later.
  expect(silent.get(there.courierId)).toBeGreaterThanOrEqual(5_000 - TICK_MS);
  expect(silent.has(nobody)).toBe(false);
  const stranger = newId('cou');
  proxy.cut();
  await until(() => !cut.redis.isReady());
  expect((await cut.index.silentForMs([stranger], 0)).get(stranger)).toBe(0);
  await clock.advance(60_000);
  proxy.heal();
  await until(() => cut.redis.isReady());
  await clock.advance(1_000);
  expect((await cut.index.silentForMs(ids, 0)).get(there.courierId)).toBe(1_000);
});

test('[P11] a courier who sends nothing for ten minutes is removed from Redis and from memory', async () => {
  const at = alone();
  const { index, clock, tick, redis } = await aProcess({ at });
  const [gone, here] = [aPosition(), aPosition({ at: NOON })];
  index.put(gone);
  index.put(here);
  await tick();
  await clock.advance(9 * 60_000);
  index.put({ ...here, at: NOON + 1 });
  await tick();
  await clock.advance(110_000);
  index.touch([here.courierId]);
  await tick();
  await clock.advance(10_000);
  await until(async () => (await redis.commands.hlen(`${redis.prefix}{r:${REGION}}:pos`)) === 1);
  await until(async () => (await redis.commands.hlen(`${redis.prefix}whereabouts`)) === 1);
  expect(index.last(gone.courierId)).toBeNull();
  expect(await index.find(gone.courierId)).toBeNull();
  expect(await index.find(here.courierId)).toEqual({ ...here, at: NOON + 1 });
  const left = await Promise.all(
    ['geo', 'seen'].map((key) => redis.commands.zcard(`${redis.prefix}{r:${REGION}}:${key}`)),
  );
  expect([...left, await redis.commands.hlen(`${redis.prefix}{r:${REGION}}:pos`)]).toEqual([1, 1, 1]);
});
