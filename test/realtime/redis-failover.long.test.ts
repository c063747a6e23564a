import { expect, test } from 'vitest';
import { openRedisCluster } from '../../load-tests/engines/redis-cluster.ts';
import { openRedisPair } from '../../load-tests/engines/redis-pair.ts';
import { openFor } from '../engines/redis-topologies.ts';
import { until } from '../until.ts';
import { openQuickSite, reachEachOther, twoAt } from './offers-across.ts';

const site = await openQuickSite('redis-failover');

test('[R10] after a failover offers reach couriers who are connected to another process', async () => {
  const pair = await openFor(openRedisPair);
  const processes = await twoAt(site, pair.url);
  await until(() => reachEachOther(site, processes));
  await pair.promote();
  await until(() => processes.some(({ redis }) => !redis.isReady()));
  await until(() => processes.every(({ redis }) => redis.isReady()));
  await expect.poll(() => reachEachOther(site, processes), { timeout: 60_000 }).toBe(true);
});

test('[R15] on a cluster offers reach couriers who are connected to another process, also after a failover', async () => {
  const cluster = await openFor((dir, say) => openRedisCluster(dir, say, 1));
  const processes = await twoAt(site, cluster.url);
  await until(() => reachEachOther(site, processes));
  const [primary] = await cluster.primaries();
  if (primary !== undefined) await cluster.killPrimary(primary);
  await until(() => reachEachOther(site, processes));
  await until(() => processes.every(({ redis }) => redis.isReady()));
  expect(site.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
