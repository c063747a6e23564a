import { expect, test } from 'vitest';
import { openRedisCluster } from '../../load-tests/engines/redis-cluster.ts';
import { openRedisPair } from '../../load-tests/engines/redis-pair.ts';
import { openRedisSentinels } from '../../load-tests/engines/redis-sentinels.ts';
import { leasesOf } from './redis-house.ts';
import { openFor } from './redis-topologies.ts';
import { openQuickSite, reachEachOther, twoAt } from '../realtime/offers-across.ts';
import { until } from '../until.ts';

const site = await openQuickSite('redis-failovers');

/** Two processes at this Redis, and a check that everything works for both of them. */
async function startAt(url: string): Promise<() => Promise<void>> {
  const processes = await twoAt(site, url);
  const names = Array.from({ length: 12 }, (_, i) => `region ${i}`);
  const leases = leasesOf(processes[0].redis, 'one', site.log);
  const isWell = async (): Promise<boolean> => {
    if (!processes.every(({ redis }) => redis.isReady())) return false;
    const fences = await Promise.all(names.map((name) => leases.tryHold(name, 600_000)));
    return !fences.includes(null) && (await reachEachOther(site, processes));
  };
  return () => until(isWell);
}

test('[R10] the connections follow every failover behind one address, back and forth', async () => {
  const pair = await openFor(openRedisPair);
  const isWell = await startAt(pair.url);
  await isWell();
  for (let failovers = 0; failovers < 3; failovers += 1) {
    await pair.promote();
    await isWell();
    await pair.primary().kill();
    await pair.promote();
    await pair.rejoin();
    await isWell();
  }
  expect(pair.replica().isRunning()).toBe(true);
});

test('[R14] the connections follow every failover by Sentinels, planned or by the death of the primary', async () => {
  const set = await openFor(openRedisSentinels);
  const isWell = await startAt(set.url);
  await isWell();
  for (let failovers = 0; failovers < 2; failovers += 1) {
    await set.failOver();
    await isWell();
    await set.killPrimary();
    await isWell();
    await set.rejoin();
    await isWell();
  }
  expect(set.servers.every((server) => server.isRunning())).toBe(true);
});

test('[R15] the connections follow every failover of a cluster, whichever node fails', async () => {
  const cluster = await openFor((dir, say) => openRedisCluster(dir, say, 1));
  const isWell = await startAt(cluster.url);
  await isWell();
  for (const node of cluster.nodes.slice(0, 3)) {
    await cluster.failOver(node);
    await isWell();
  }
  for (const node of cluster.nodes.slice(3)) {
    await cluster.killPrimary(node);
    await isWell();
    await cluster.rejoin(node);
    await isWell();
  }
  expect(await cluster.primaries()).toHaveLength(3);
});
