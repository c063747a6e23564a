import { expect, test } from 'vitest';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { CENTER, aPosition } from '../../builders.ts';
import { regionOf } from '../../regions.ts';
import { handClock } from '../../clock.ts';
import { testEngines, type TestEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { aProcess, TICK_MS } from './position-process.ts';

const engines = testEngines('positions');
const REGION = regionOf(CENTER);
const FAR = offsetBy(CENTER, 60_000, 0);

const alone = (): TestEngines => testEngines('positions');

test('[P1] a tick makes at most three writes and one publish per region, whatever the number of couriers', async () => {
  const { index, metrics, tick, redis } = await aProcess({ at: alone() });
  const couriers = Array.from({ length: 400 }, (_, i) => aPosition(offsetBy(CENTER, i, i)));
  couriers.forEach((position) => index.put(position));
  await tick();
  metrics.counts.clear();
  couriers.forEach((position) => index.put({ ...position, ...offsetBy(position, 5000, 0), at: position.at + 1000 }));
  await tick();
  const moved = metrics.counts.get('positions_redis_commands move') ?? 0;
  const regions = new Set(couriers.map((position) => regionOf(offsetBy(position, 5000, 0)))).size;
  expect(metrics.counts.get('positions_redis_commands write')).toBeLessThanOrEqual(3 * regions);
  expect(metrics.counts.get('positions_redis_commands publish')).toBe(regions);
  expect(moved).toBeLessThanOrEqual(2 + 3 * regions);
  expect(await redis.commands.zcard(`${redis.prefix}{r:${regionOf(offsetBy(CENTER, 5000, 0))}}:seen`)).toBeGreaterThan(
    0,
  );
});

test('[P1] more couriers than one command may have are split', async () => {
  const settings = defaultSettings();
  const few = { ...settings, positions: { ...settings.positions, mostPerCommand: 50 } };
  const { index, metrics, tick, redis } = await aProcess({ settings: few, at: alone() });
  const couriers = Array.from({ length: 120 }, () => aPosition());
  couriers.forEach((position) => index.put(position));
  await tick();
  expect(metrics.counts.get('positions_redis_commands write')).toBe(9);
  expect(await redis.commands.hlen(`${redis.prefix}{r:${REGION}}:pos`)).toBe(120);
});

test('[P26] Redis learns each position at once, and every 5 s that its courier was heard', async () => {
  const { index, clock, tick, redis } = await aProcess({ at: alone() });
  const courier = aPosition();
  const heard: number[] = [];
  for (let second = 0; second <= 11; second += 1) {
    const position = { ...courier, at: courier.at + 1000 * second, seq: second };
    index.put(position);
    await tick();
    const [row, seen] = await Promise.all([
      redis.commands.hget(`${redis.prefix}{r:${REGION}}:pos`, courier.courierId),
      redis.commands.zscore(`${redis.prefix}{r:${REGION}}:seen`, courier.courierId),
    ]);
    expect(row).toMatch(new RegExp(`^${second},${position.at},`, 'u'));
    if (Number(seen) !== heard.at(-1)) heard.push(Number(seen));
    await clock.advance(1000 - TICK_MS);
  }
  expect(heard.map((at) => at - (heard[0] ?? 0))).toEqual([0, 5000, 10_000]);
});

test('[P26] a courier who comes into another region is heard there at once', async () => {
  const { index, tick, redis } = await aProcess({ at: alone() });
  const courier = aPosition();
  for (const [at, place] of [CENTER, FAR, CENTER].entries()) {
    index.put({ ...courier, ...place, at: courier.at + at });
    await tick();
    const seen = await redis.commands.zscore(`${redis.prefix}{r:${regionOf(place)}}:seen`, courier.courierId);
    expect(seen).not.toBeNull();
  }
});

test('[P3] if a courier sends several positions before a tick, only the newest is published', async () => {
  const { index, batches, clock } = await aProcess({ at: engines });
  const position = aPosition();
  for (let i = 1; i <= 5; i += 1) index.put({ ...position, at: position.at + i });
  await clock.advance(TICK_MS);
  expect(batches).toEqual([[{ ...position, at: position.at + 5 }]]);
  expect(index.last(position.courierId)?.at).toBe(position.at + 5);
});

test('[P4] an older fix that arrives late never replaces a newer one', async () => {
  const { index, batches, clock } = await aProcess({ at: engines });
  const position = aPosition();
  index.put(position);
  index.put({ ...position, at: position.at - 1, lat: 50 });
  await clock.advance(TICK_MS);
  expect(index.last(position.courierId)).toEqual(position);
  expect(batches).toEqual([[position]]);
});

test('[P5] each process receives the batches of all processes, and its own once', async () => {
  const [one, two] = await Promise.all([aProcess({ at: engines }), aProcess({ at: engines })]);
  const position = aPosition();
  one.index.put(position);
  await one.tick();
  await until(() => two.batches.length === 1);
  expect(two.batches).toEqual([[position]]);
  expect(two.index.last(position.courierId)).toEqual(position);
  two.index.put({ ...position, at: position.at + 1 });
  await two.tick();
  await until(() => one.batches.length === 2);
  expect(one.batches).toEqual([[position], [{ ...position, at: position.at + 1 }]]);
});

test('[P6] a process without a position of a courier finds it in Redis', async () => {
  const one = await aProcess({ at: engines });
  const position = aPosition();
  one.index.put(position);
  await one.tick();
  const late = await aProcess({ at: engines });
  expect(late.index.last(position.courierId)).toBeNull();
  expect(await late.index.find(position.courierId)).toEqual(position);
  expect(await late.index.find(newId('cou'))).toBeNull();
});

test('[P7] presence is a lease: a courier who sends nothing in time is not listed', async () => {
  const { index, clock, tick } = await aProcess({ at: alone() });
  const [quiet, touched, elsewhere] = [aPosition(), aPosition(), aPosition(FAR)];
  for (const position of [quiet, touched, elsewhere]) index.put(position);
  await tick();
  expect(new Set(await index.listPresent([REGION]))).toEqual(new Set([quiet, touched]));
  await clock.advance(10_000);
  index.touch([touched.courierId]);
  await tick();
  await clock.advance(5_000);
  expect(await index.listPresent([REGION])).toEqual([touched]);
  expect(await index.listPresent([REGION, regionOf(FAR)])).toEqual([touched]);
});

test('[P7] a heartbeat is recorded only after a third of the lease', async () => {
  const { index, clock, tick, metrics } = await aProcess({ at: alone() });
  const position = aPosition();
  index.put(position);
  await tick();
  const written = (): number => metrics.counts.get('positions_writes') ?? 0;
  const before = written();
  await clock.advance(4000);
  index.touch([position.courierId]);
  await clock.advance(10 * TICK_MS - 1);
  expect(written()).toBe(before);
  await clock.advance(1000);
  index.touch([position.courierId]);
  await tick();
  expect(written()).toBe(before + 1);
});

test('[P7] a connected courier who sends nothing stays present until the connection closes, with few writes', async () => {
  const { index, clock, tick, metrics } = await aProcess({ at: alone() });
  const position = aPosition();
  const leave = index.keepPresent(position.courierId);
  index.put(position);
  await tick();
  const written = (): number => metrics.counts.get('positions_writes') ?? 0;
  const before = written();
  for (let second = 0; second < 60; second += 1) await clock.advance(1000);
  expect(await index.listPresent([REGION])).toEqual([position]);
  await until(() => written() > before);
  expect(written() - before).toBeLessThanOrEqual(12);
  leave();
  await clock.advance(15_000);
  expect(await index.listPresent([REGION])).toEqual([]);
});

test('[P7] a connected courier stays present also if a fast service clock makes the lease short', async () => {
  const settings = defaultSettings();
  const quick = { ...settings, presence: { ...settings.presence, leaseMs: 600, leastRealLeaseMs: 600 } };
  const { index, clock, tick } = await aProcess({ settings: quick, at: alone() });
  const position = aPosition();
  index.put(position);
  await tick();
  index.keepPresent(position.courierId);
  const listed: number[] = [];
  for (let turn = 0; turn < 50; turn += 1) {
    await clock.advance(TICK_MS);
    listed.push((await index.listPresent([REGION])).length);
  }
  expect(new Set(listed)).toEqual(new Set([1]));
});

test('[P7] a heartbeat counts for a courier whom this process has never seen move', async () => {
  const at = alone();
  const clock = handClock();
  const one = await aProcess({ at, clock });
  const position = aPosition();
  one.index.put(position);
  await one.tick();
  await clock.advance(14_000);
  const two = await aProcess({ at, clock });
  two.index.touch([position.courierId]);
  await clock.advance(TICK_MS);
  await until(() => two.index.last(position.courierId) !== null);
  await two.tick();
  await clock.advance(5_000);
  expect(await one.index.listPresent([REGION])).toEqual([position]);
});

test('[P8] a courier who moves into another region is found there only', async () => {
  const { index, tick, redis } = await aProcess({ at: alone() });
  const position = aPosition();
  index.put(position);
  await tick();
  const there = { ...position, ...FAR, at: position.at + 1 };
  index.put(there);
  await tick();
  expect(await index.listPresent([REGION])).toEqual([]);
  expect(await index.listPresent([regionOf(FAR)])).toEqual([there]);
  const left = await Promise.all(
    ['geo', 'pos', 'seen'].map((key) => redis.commands.exists(`${redis.prefix}{r:${REGION}}:${key}`)),
  );
  expect(left).toEqual([0, 0, 0]);
});

test('[P12] a place near a pole does not spoil the write of its region', async () => {
  const { index, tick, log } = await aProcess({ at: alone() });
  const position = aPosition({ lat: 89.9, lng: 10 });
  index.put(position);
  await tick();
  expect(await index.listPresent([regionOf(position)])).toEqual([position]);
  expect(log.lines).toEqual([]);
});
