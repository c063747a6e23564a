import type { EventEmitter } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRedisCluster, type RedisCluster } from '../../load-tests/engines/redis-cluster.ts';
import { createClock } from '../../src/clock.ts';
import { offsetBy } from '../../src/domain/geo/geo.ts';
import { newId } from '../../src/domain/ids.ts';
import { centerOf, surgeCellOf } from '../../src/domain/surge/surge.ts';
import { createBell } from '../../src/engines/redis/bell.ts';
import { createDeniedSessions } from '../../src/models/access/sessions/denied-sessions.ts';
import { createHintTurns } from '../../src/models/surge/hint-turns.ts';
import type { RedisConnections } from '../../src/engines/redis/redis.ts';
import { RedisTime } from '../../src/engines/redis/redis-time.ts';
import { createSurgeMap } from '../../src/models/surge/surge-map.ts';
import { createTryLimit } from '../../src/models/access/login/try-limit.ts';
import { defaultSettings } from '../../src/settings.ts';
import { CENTER, aPosition } from '../builders.ts';
import { testEngines } from '../engines.ts';
import { handClock } from '../clock.ts';
import { keptLog } from '../kept-ports.ts';
import { regionOf } from '../regions.ts';
import { until } from '../until.ts';
import { aProcess } from '../models/positions/position-process.ts';
import { leasesOf } from './redis-house.ts';
import { aliveAt } from './redis-topologies.ts';

/** Enough names for every node to get some. */
const MANY = Array.from({ length: 30 }, (_, i) => i);
/** Far longer than a test takes. */
const HELD_MS = 600_000;
const settings = defaultSettings();

let dir: string;
let cluster: RedisCluster;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dispatch-cluster-'));
  cluster = await openRedisCluster(dir, () => undefined);
});
afterAll(async () => {
  await cluster.stop();
  await rm(dir, { recursive: true, force: true });
});

test('[R15] on a cluster leases, tries, ended sessions, hints and surge work on every node', async () => {
  const log = keptLog();
  const [redis, other] = await Promise.all([aliveAt(cluster.url, log), aliveAt(cluster.url, log)]);
  const [leases, others] = [leasesOf(redis, 'one', log), leasesOf(other, 'two', log)];
  const taken = await Promise.all(MANY.map((i) => leases.tryHold(`region ${i}`, HELD_MS)));
  expect(taken).not.toContain(null);
  expect(await Promise.all(MANY.map((i) => others.tryHold(`region ${i}`, HELD_MS)))).toEqual(MANY.map(() => null));
  await Promise.all(MANY.map((i) => leases.release(`region ${i}`)));
  expect(await Promise.all(MANY.map((i) => others.tryHold(`region ${i}`, HELD_MS)))).not.toContain(null);

  const tries = createTryLimit(redis, 'pepper', createClock());
  const limit = { name: 'test', free: 2, firstWaitMs: HELD_MS, paceMs: HELD_MS };
  const take = (i: number): Promise<unknown> => tries.take([{ limit, subject: `subject ${i}` }]);
  for (let free = 0; free < limit.free; free += 1) await Promise.all(MANY.map(take));
  const third = await Promise.allSettled(MANY.map(take));
  expect(new Set(third.map(({ status }) => status))).toEqual(new Set(['rejected']));

  const sessions = MANY.map(() => newId('ses'));
  const deniedAt = (at: RedisConnections) => createDeniedSessions(at, handClock(), 900);
  const [denied, elsewhere] = [deniedAt(redis), deniedAt(other)];
  await Promise.all(sessions.map((id) => denied.add(id)));
  expect(new Set(await Promise.all(sessions.map((id) => elsewhere.stateOf(id))))).toEqual(new Set(['ended']));

  const couriers = MANY.map(() => newId('cou'));
  const turns = createHintTurns({ redis, clock: createClock(), settings });
  expect(await Promise.all(couriers.map((id) => turns.take(id)))).not.toContain(false);
  expect(await Promise.all(couriers.map((id) => turns.take(id)))).not.toContain(true);

  const mapOf = (at: RedisConnections) => createSurgeMap({ redis: at, clock: createClock(), settings });
  const [map, reader] = [mapOf(redis), mapOf(other)];
  const cells = MANY.slice(0, 10).map((i) => {
    const place = offsetBy(CENTER, i * 40_000, 0);
    return { region: regionOf(place), cell: surgeCellOf(place, regionOf(place)) };
  });
  const count = { liveMode: true, demand: 5, supply: 2, ratio: 2.25, surge: 2.2, at: createClock().now() };
  await Promise.all(cells.map(({ region, cell }) => map.publish(region, [{ cell, ...count }])));
  const read = await reader.list(cells.map(({ region }) => region));
  expect(read.map(({ cell }) => cell).toSorted()).toEqual(cells.map(({ cell }) => cell).toSorted());
  expect((await reader.at(centerOf(cells[3]?.cell ?? ''), true)).surge).toBe(2.2);
  expect(redis.isReady() && other.isReady()).toBe(true);
  expect(redis.adapter.isSharded).toBe(false);
  expect(log.lines).toEqual([]);
});

test('[R15] on a cluster processes hear each other, and find every courier in every region', async () => {
  const at = { ...testEngines('cluster'), redisUrl: cluster.url };
  const clock = handClock();
  const [one, two] = [await aProcess({ at, clock }), await aProcess({ at, clock })];
  const positions = MANY.map((i) => aPosition(offsetBy(CENTER, i * 15_000, 0)));
  for (const position of positions) one.index.put(position);
  await one.tick();
  await until(() => positions.every(({ courierId }) => two.index.last(courierId) !== null));
  const gone = positions.map((position) => ({ ...position, ...offsetBy(position, 0, 30_000), at: position.at + 1 }));
  for (const position of gone) two.index.put(position);
  await two.tick();
  await until(() => gone.every(({ courierId, at: when }) => one.index.last(courierId)?.at === when));
  const late = await aProcess({ at, clock });
  expect(await Promise.all(gone.map(({ courierId }) => late.index.find(courierId)))).toEqual(gone);
  const regions = [...new Set([...positions, ...gone].map((position) => regionOf(position)))];
  const later = await aProcess({ at, clock });
  expect(await later.index.listPresent(regions)).toHaveLength(MANY.length);
  await clock.advance(12 * 60_000);
  await until(async () => (await one.redis.commands.hlen(`${one.redis.prefix}whereabouts`)) === 0);
  expect([one, two, late, later].flatMap(({ log }) => log.lines)).toEqual([]);

  const [bell, far] = [createBell(one.redis, keptLog(), 'bell'), createBell(two.redis, keptLog(), 'bell')];
  const heard: string[] = [];
  far.onRing((region) => heard.push(region));
  await until(() => {
    bell.ring('here');
    return heard.length > 0;
  });
});

test('[R15] all processes read the clock of the same node', async () => {
  const redis = await aliveAt(cluster.url, keptLog());
  const nodes = redis.commands instanceof Cluster ? redis.commands.nodes('master') : [];
  expect(nodes.length).toBeGreaterThan(2);
  await Promise.all(nodes.map((node) => node.config('RESETSTAT')));
  for (const _sample of MANY) (await new RedisTime(redis, createClock()).start())();
  const stats = await Promise.all(nodes.map((node) => node.info('commandstats')));
  const times = stats.map((text) => Number(/cmdstat_time:calls=(\d+)/u.exec(text)?.[1] ?? 0));
  expect(times.filter((calls) => calls >= MANY.length)).toHaveLength(1);
});

test('[R15] a cluster that loses its last connection while it looks for the others is connected again', async () => {
  const redis = await aliveAt(cluster.url, keptLog());
  const { connectionPool } = redis.commands as unknown as { readonly connectionPool: EventEmitter };
  redis.commands.once('connecting', () => connectionPool.emit('drain'));
  redis.commands.disconnect(true);
  await until(() => !redis.isReady());
  await until(() => redis.isReady());
  expect(await redis.commands.set(`${redis.prefix}after`, '1')).toBe('OK');
});
