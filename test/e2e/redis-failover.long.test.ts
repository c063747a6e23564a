import { expect, test } from 'vitest';
import { openRedisPair } from '../../load-tests/engines/redis-pair.ts';
import { testEngines } from '../engines.ts';
import { openFor } from '../engines/redis-topologies.ts';
import { until } from '../until.ts';
import { startServer } from './servers.ts';

const engines = testEngines('redis-failover');

test('[R11] [R18] a server is not ready while Redis refuses writes, and its log has the end of each outage', async () => {
  const pair = await openFor(openRedisPair);
  const server = await startServer({ ...engines, redisUrl: pair.url }, { LOG_LEVEL: 'warn' });
  const statusOf = async (path: string): Promise<number> => (await fetch(server.baseUrl + path)).status;
  const leases = async (): Promise<number> =>
    Number(await pair.primary().command('EXISTS', `${engines.keyPrefix}{lease:due}`));
  await pair.primary().command('CONFIG', 'SET', 'min-replicas-to-write', 3);
  await until(async () => (await statusOf('/readyz')) === 503);
  expect(await statusOf('/healthz')).toBe(200);
  await pair.primary().command('CONFIG', 'SET', 'min-replicas-to-write', 0);
  await until(async () => (await statusOf('/readyz')) === 200);
  await pair.promote();
  await pair.primary().command('FLUSHALL');
  await until(async () => (await leases()) === 1);
  await until(async () => (await statusOf('/readyz')) === 200);
  expect(await server.stop()).toBe(0);
  const lines = server.output().split('\n');
  expect(lines.filter((line) => line.includes('Redis is away'))).toHaveLength(2);
  expect(lines.filter((line) => line.includes('Redis is back'))).toHaveLength(2);
});
