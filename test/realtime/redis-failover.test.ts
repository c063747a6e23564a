import { expect, onTestFinished, test } from 'vitest';
import { openRedisCluster } from '../../load-tests/engines/redis-cluster.ts';
import { openRedisPair } from '../../load-tests/engines/redis-pair.ts';
import { startPulse } from '../../src/models/redis-pulse.ts';
import { anOffer } from '../builders.ts';
import { openFor } from '../models/redis-topologies.ts';
import { until } from '../until.ts';
import { bear, openSite, storeCourier, tokensOf, type Process } from './house.ts';

const site = await openSite('redis-failover', ({ offers }) => void (offers.ackRealMs = 1_000));
const tokens = tokensOf(site);

/** Two processes at this Redis that look after their connections, as a server does. */
async function twoAt(redisUrl: string): Promise<Process[]> {
  const processes = [await site.start(undefined, redisUrl), await site.start(undefined, redisUrl)];
  for (const { redis, ctx } of processes) onTestFinished(await startPulse({ redis, clock: ctx.clock }));
  return processes;
}

/** Says whether an offer by each process is acknowledged by a phone that is connected to the other one. */
async function reachEachOther(processes: readonly Process[]): Promise<boolean> {
  const delivery = await bear(site);
  const reached = processes.map(async (process, i) => {
    const courier = await storeCourier(site);
    await site.join(process, '/courier', { token: tokens.courier(courier) }).ready();
    const other = processes[1 - i];
    return other?.ctx.notices.offerNew(anOffer({ courierId: courier.id, deliveryId: delivery.id }), delivery) ?? false;
  });
  return (await Promise.all(reached)).every(Boolean);
}

test('[R10] after a failover offers reach couriers who are connected to another process', async () => {
  const pair = await openFor(openRedisPair);
  const processes = await twoAt(pair.url);
  expect(await reachEachOther(processes)).toBe(true);
  await pair.promote();
  await until(() => processes.some(({ redis }) => !redis.isReady()), 10_000);
  await until(() => processes.every(({ redis }) => redis.isReady()), 10_000);
  expect(await reachEachOther(processes)).toBe(true);
});

test('[R15] on a cluster offers reach couriers who are connected to another process, also after a failover', async () => {
  const cluster = await openFor((dir, say) => openRedisCluster(dir, say, 1));
  const processes = await twoAt(cluster.url);
  expect(await reachEachOther(processes)).toBe(true);
  const primary = await cluster.primaryOf(processes[0]?.redis.adapter.channels ?? '');
  await cluster.killPrimary(primary);
  await until(() => reachEachOther(processes), 10_000);
  await until(() => processes.every(({ redis }) => redis.isReady()), 10_000);
  expect(site.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
