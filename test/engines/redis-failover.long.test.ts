import { expect, onTestFinished, test } from 'vitest';
import { inMemory, openRedisNodes, type RedisNode } from '../../load-tests/engines/redis-nodes.ts';
import { openRedisPair } from '../../load-tests/engines/redis-pair.ts';
import { openTcpProxy } from '../../load-tests/engines/tcp-proxy.ts';
import { createClock } from '../../src/clock.ts';
import { isFromReplica } from '../../src/engines/redis/redis-away.ts';
import { startPulse } from '../../src/engines/redis/redis-pulse.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { leasesOf } from './redis-house.ts';
import { aliveAt, openFor } from './redis-topologies.ts';

/** Far longer than a test takes. */
const HELD_MS = 600_000;

/** How many clients a server has, without its replicas and this client. */
async function clientsOf(node: RedisNode): Promise<number> {
  const lists = await Promise.all(['normal', 'pubsub'].map((type) => node.command('CLIENT', 'LIST', 'TYPE', type)));
  const lines = lists.flatMap((list) => String(list).trim().split('\n'));
  return lines.filter((line) => line !== '' && !line.includes('cmd=client')).length;
}

test('[R10] after a failover behind one address every connection moves to the promoted server, and leases can be taken', async () => {
  const pair = await openFor(openRedisPair);
  const log = keptLog();
  const redis = await aliveAt(pair.url, log);
  const leases = leasesOf(redis, 'one', log);
  const before = (await leases.tryHold('region', HELD_MS)) ?? Infinity;
  await pair.promote();
  await until(async () => (await leases.tryHold('other', HELD_MS)) !== null);
  await until(() => redis.isReady());
  // Redis replicates asynchronously. If the promoted server never received the lease, its next number must be higher.
  expect(await leases.tryHold('region', HELD_MS)).toBeGreaterThanOrEqual(before);
  await until(async () => (await clientsOf(pair.replica())) === 0);
  await until(async () => (await clientsOf(pair.primary())) === 4);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'Redis is away'],
    ['warn', 'Redis is back'],
  ]);
  expect(log.lines[0]?.fields).toEqual({ cause: expect.stringContaining('READONLY') as string });
});

test('[R10] the refusal of a replica is known by its text, also from within a script', () => {
  for (const text of [
    "READONLY You can't write against a read only replica.",
    "READONLY You can't write against a read only replica. script: 1f2e, on @user_script:4.",
    "ERR Error running script (call to f_1f2e): @user_script:4: @user_script: 4: -READONLY You can't write against a read only replica.",
    'MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to "no".',
  ]) {
    expect(isFromReplica(new Error(text)), text).toBe(true);
  }
  expect(isFromReplica(new Error('OOM command not allowed'))).toBe(false);
});

test('[R10] when the server behind the address falls silent, subscriptions leave it as well', async () => {
  const pair = await openFor(openRedisPair);
  const redis = await aliveAt(pair.url);
  const heard: string[] = [];
  redis.subscriber.on('message', (channel: string, message: string) => channel === 'news' && heard.push(message));
  await redis.subscriber.subscribe('news');
  pair.proxy.strand();
  await pair.promote();
  await until(() => !redis.isReady());
  await until(() => redis.isReady());
  await pair.primary().command('PUBLISH', 'news', 'again');
  await until(async () => (await clientsOf(pair.primary())) === 4);
  await until(() => heard.length > 0);
  expect(heard).toEqual(['again']);
});

test('[R11] while Redis refuses writes over open connections, the process is not ready, and logs it once', async () => {
  const pair = await openFor(openRedisPair);
  const log = keptLog();
  const redis = await aliveAt(pair.url, log);
  const leases = leasesOf(redis, 'one', log);
  expect(redis.isReady()).toBe(true);
  await pair.primary().command('CONFIG', 'SET', 'min-replicas-to-write', 3);
  await until(() => !redis.isReady());
  for (let i = 0; i < 3; i += 1) expect(await leases.tryHold(`region ${i}`, HELD_MS)).toBeNull();
  await pair.primary().command('CONFIG', 'SET', 'min-replicas-to-write', 0);
  await until(() => redis.isReady());
  expect(log.lines.map(({ message }) => message)).toEqual(['Redis is away', 'Redis is back']);
  expect(log.lines[0]?.fields).toEqual({ cause: expect.stringContaining('NOREPLICAS') as string });
});

test('[R11] if leases fail although Redis takes writes, the log says so once, and once more when they work again', async () => {
  const pair = await openFor(openRedisPair);
  const log = keptLog();
  const redis = await aliveAt(pair.url, log);
  const leases = leasesOf(redis, 'one', log);
  const node = pair.primary();
  await node.command('ACL', 'SETUSER', 'default', '-evalsha', '-eval');
  for (const name of ['a', 'b', 'a']) expect(await leases.tryHold(name, HELD_MS)).toBeNull();
  await node.command('ACL', 'SETUSER', 'default', '+evalsha', '+eval');
  for (const name of ['a', 'b', 'a']) expect(await leases.tryHold(name, HELD_MS)).not.toBeNull();
  expect(log.lines.map(({ level, message, fields }) => [level, message, (fields as { lease: string }).lease])).toEqual([
    ['error', 'a lease could not be taken', 'a'],
    ['warn', 'leases can be taken again', 'b'],
  ]);
});

test('[R12] a subscription that does not receive this process’s own messages is made again until it does', async () => {
  const nodes = await openFor(openRedisNodes);
  const [here, there] = await Promise.all([nodes.start('here', inMemory), nodes.start('there', inMemory)]);
  const proxy = await openTcpProxy({ host: '127.0.0.1', port: there.port });
  const log = keptLog();
  const redis = await connectRedis(`redis://127.0.0.1:${here.port}`, 'test:', { log, clock: createClock() });
  const astray = await connectRedis(`redis://127.0.0.1:${proxy.port}`, 'test:', {
    log: keptLog(),
    clock: createClock(),
  });
  const stop = await startPulse({ redis: { ...redis, subscriber: astray.subscriber }, clock: createClock() });
  onTestFinished(async () => {
    stop();
    await Promise.all([redis.close(), astray.close()]);
    proxy.close();
  });
  await until(() => !redis.isReady());
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { cause: 'messages do not arrive' } }]);
  proxy.point({ host: '127.0.0.1', port: here.port });
  await until(() => redis.isReady());
  expect(log.lines.map(({ message }) => message)).toEqual(['Redis is away', 'Redis is back']);
});
