import { expect, onTestFinished, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { subscriber } from '../../src/engines/redis/redis-clients.ts';
import { parseRedisUrl } from '../../src/engines/redis/redis-url.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { keptLog } from '../kept-ports.ts';
import { connectFor } from './redis-house.ts';
import { redisProxy } from './redis-proxy.ts';

const engines = testEngines('redis');

test('[R6] the version decides whether sockets use sharded pub/sub', async () => {
  const redis = await connectFor(engines);
  expect(redis.version).toMatch(/^\d+\.\d+/);
  expect(redis.adapter.isSharded).toBe(Number.parseInt(redis.version, 10) >= 7);
  expect(redis.isReady()).toBe(true);
});

test('[R7] a dead Redis is an error at once, one line in the log, and no command of the outage is replayed', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const log = keptLog();
  const redis = await connectFor({ ...engines, redisUrl: proxy.url }, log);
  proxy.cut();
  await until(() => redis.commands.status !== 'ready');
  const refused = redis.commands.set(`${redis.prefix}stale`, '1').catch(String);
  // At once means before any other work of this process has its turn, which no busy machine delays.
  const later = new Promise((resolve) => setImmediate(resolve, 'it waited'));
  expect(await Promise.race([refused, later])).toMatch(/writeable|closed/);
  proxy.heal();
  await until(() => redis.isReady());
  expect(await redis.commands.get(`${redis.prefix}stale`)).toBeNull();
  expect(log.lines.map(({ message }) => message)).toEqual(['Redis is away', 'Redis is back']);
});

test('[R18] the end of an outage of Redis is logged at the level of its start', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const log = keptLog();
  const redis = await connectFor({ ...engines, redisUrl: proxy.url }, log);
  proxy.cut();
  await until(() => !redis.isReady());
  proxy.heal();
  await until(() => redis.isReady());
  expect(new Set(log.lines.map(({ level }) => level))).toEqual(new Set(['warn']));
});

test('[R7] a hanging Redis is an error within 600 ms', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const redis = await connectFor({ ...engines, redisUrl: proxy.url });
  proxy.hang();
  // Timers of one process end in the order of their times, however late a busy machine runs them.
  const late = AbortSignal.timeout(600);
  await expect(redis.commands.get('any')).rejects.toThrow('timed out');
  expect(late.aborted).toBe(false);
});

test('[R30] an answer that came while the process stood still counts', async () => {
  const { redisUrl, keyPrefix } = engines;
  const needs = { log: keptLog(), clock: createClock() };
  const redis = await connectRedis(redisUrl, keyPrefix, needs, { commandMs: 500, silentMs: 60_000 });
  onTestFinished(() => redis.close());
  const answers = [redis.commands.ping(), redis.commands.pipeline().ping().exec()];
  standStill(1_000);
  expect(await Promise.all(answers)).toEqual(['PONG', [[null, 'PONG']]]);
});

/** Keeps this process from reading anything, as a long collection of garbage does. */
function standStill(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('[R17] however long Redis is away, each connection is tried again within half a second', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const redis = await connectFor({ ...engines, redisUrl: proxy.url });
  const { commands, subscriber: listening, adapter } = redis;
  const pauses = [commands, listening, adapter.pub, adapter.sub].map((client) => {
    const own: number[] = [];
    client.on('reconnecting', (ms: number) => own.push(ms));
    return own;
  });
  proxy.cut();
  // Pauses double until they reach the longest one, which the fourth does.
  await until(() => pauses.every((own) => own.length >= 5));
  proxy.heal();
  expect(Math.max(...pauses.flat())).toBe(500);
});

test('[R8] subscriptions outlive an outage', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const redis = await connectFor({ ...engines, redisUrl: proxy.url });
  const heard: string[] = [];
  redis.subscriber.on('message', (_channel: string, message: string) => heard.push(message));
  await redis.subscriber.subscribe(`${redis.prefix}news`);
  proxy.cut();
  await until(() => !redis.isReady());
  proxy.heal();
  await until(() => redis.isReady());
  const other = await connectFor(engines);
  await until(async () => (await other.commands.publish(`${redis.prefix}news`, 'again')) === 1);
  await until(() => heard.length > 0);
  expect(heard).toContain('again');
});

test('[R12] the subscription of a cluster is made again at another node each time', async () => {
  const proxies = [await redisProxy(engines.redisUrl), await redisProxy(engines.redisUrl)];
  const client = subscriber(parseRedisUrl(proxies.map(({ url }) => url).join()));
  const ports: unknown[] = [];
  client.on('ready', () => ports.push('port' in client.options ? client.options.port : null));
  client.connect().catch(() => undefined);
  for (const times of [1, 2, 3, 4]) {
    await until(() => ports.length === times);
    client.disconnect(true);
  }
  await until(() => ports.length === 5);
  client.disconnect();
  const [one, other] = proxies.map(({ port }) => port);
  expect(ports).toEqual([one, other, one, other, one]);
});

test('[R9] an unreachable Redis gives one plain sentence, and nothing keeps trying', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  proxy.cut();
  const connecting = connectRedis(proxy.url, engines.keyPrefix, { log: keptLog(), clock: createClock() });
  await expect(connecting).rejects.toThrow(/^Redis does not answer(: .+)?\. Is it running where REDIS_URL says\?$/);
});

test('[R9] an adapter command whose promise is ignored does not end the process', async () => {
  const proxy = await redisProxy(engines.redisUrl);
  const redis = await connectFor({ ...engines, redisUrl: proxy.url });
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  proxy.cut();
  await until(() => !redis.isReady());
  void redis.adapter.pub.publish('channel', 'message');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
