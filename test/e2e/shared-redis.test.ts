import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { connectRedis } from '../../src/engines/redis/redis.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { startServer, type TestServer } from './servers.ts';

const engines = testEngines('shared-redis');
let server: TestServer;

beforeAll(async () => {
  server = await startServer(engines);
});
afterAll(async () => {
  await server.stop();
});

test('[Z5] every channel that a server listens to starts with its prefix', async () => {
  const redis = await connectRedis(engines.redisUrl, engines.keyPrefix, { log: keptLog(), clock: createClock() });
  const kinds = redis.adapter.isSharded ? ['CHANNELS', 'SHARDCHANNELS'] : ['CHANNELS'];
  let channels: string[] = [];
  // The adapter does not wait for its subscriptions. The last of them may come after the server is ready.
  await until(async () => {
    const lists = kinds.map((kind) => redis.commands.call('PUBSUB', kind, '*'));
    // The connection is as impatient as the server's, so a late answer is requested again.
    channels = (await Promise.all(lists).catch(() => [])).flat().map(String);
    const own = channels.filter((channel) => channel.startsWith(engines.keyPrefix));
    return own.some((channel) => channel.includes('socket.io') && channel.includes('/admin'));
  });
  await redis.close();
  expect(channels.filter((channel) => channel.startsWith('socket.io'))).toEqual([]);
});
