import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRedis } from '../../src/models/redis.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { startServer, type TestServer } from './servers.ts';

const engines = testEngines('shared-redis');
let server: TestServer;

beforeAll(async () => {
  server = await startServer(engines);
});
afterAll(async () => {
  await server.stop();
});

test('[Z5] every channel that a server listens to begins with its prefix', { timeout: 60_000 }, async () => {
  const redis = await connectRedis(engines.redisUrl, engines.keyPrefix, keptLog());
  const kinds = redis.isSharded ? ['CHANNELS', 'SHARDCHANNELS'] : ['CHANNELS'];
  const channels = (await Promise.all(kinds.map((kind) => redis.commands.call('PUBSUB', kind, '*')))).flat();
  await redis.close();
  expect(channels.filter((channel) => String(channel).startsWith('socket.io'))).toEqual([]);
  const own = channels.filter((channel) => String(channel).startsWith(engines.keyPrefix));
  expect(own.some((channel) => String(channel).includes('socket.io') && String(channel).includes('/admin'))).toBe(true);
});
