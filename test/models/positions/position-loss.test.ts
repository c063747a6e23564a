import { expect, test } from 'vitest';
import { inMemory, openRedisNodes } from '../../../load-tests/engines/redis-nodes.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import type { Position } from '../../../src/domain/couriers/position.ts';
import type { RedisConnections } from '../../../src/engines/redis/redis.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { CENTER, aPosition } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { testEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { aProcess, TICK_MS } from './position-process.ts';
import { openFor } from '../../engines/redis-topologies.ts';

const engines = testEngines('position-loss');
const LEASE_MS = defaultSettings().presence.leaseMs;
const FAR = offsetBy(CENTER, 60_000, 0);

/** Two processes at a Redis that one test may empty. The first one's courier is quiet, and the other one listens. */
async function twoAtOne() {
  const nodes = await openFor(openRedisNodes);
  const node = await nodes.start('one', inMemory);
  const given = { at: { ...engines, keyPrefix: '', redisUrl: `redis://127.0.0.1:${node.port}` }, clock: handClock() };
  const [one, other] = [await aProcess(given), await aProcess(given)];
  const [resting, quiet, far] = [aPosition(), aPosition(), aPosition(FAR)];
  for (const position of [resting, quiet, far]) one.index.put(position);
  await one.tick();
  await until(() => other.batches.length > 0);
  const whole = await contentOf(one.redis);
  other.batches.splice(0);
  const isWhole = async (): Promise<boolean> => {
    await given.clock.advance(TICK_MS);
    // While the connection is being restored, there is nothing to read.
    const content = await contentOf(one.redis).catch(() => []);
    return JSON.stringify(content) === JSON.stringify(whole);
  };
  const found = async (): Promise<(Position | null)[]> => {
    const late = await aProcess(given);
    return Promise.all([resting, quiet, far].map(({ courierId }) => late.index.find(courierId)));
  };
  return { node, one, other, resting, quiet, far, whole, isWhole, found, clock: given.clock };
}

/** All positions in Redis in a fixed order, without the times when couriers were seen. */
async function contentOf({ commands, prefix }: RedisConnections): Promise<[string, string[]][]> {
  const names = (await commands.keys(`${prefix}*`)).filter((name) => !name.endsWith(':seen')).toSorted();
  const read = (name: string): Promise<string[]> => {
    if (name.endsWith('regions')) return commands.smembers(name);
    if (name.endsWith(':geo')) return commands.zrange(name, '0', '-1');
    return commands.hgetall(name).then((hash) => Object.entries(hash).map((pair) => pair.join(' ')));
  };
  return Promise.all(names.map(async (name): Promise<[string, string[]]> => [name, (await read(name)).toSorted()]));
}

test('[P13] positions that Redis lost over open connections are written again, also of resting or silent couriers', async () => {
  const { node, one, other, resting, quiet, far, whole, isWhole, found, clock } = await twoAtOne();
  expect(whole).toHaveLength(6);
  await node.command('FLUSHALL');
  await clock.advance(LEASE_MS);
  one.index.touch([resting.courierId, far.courierId]);
  await until(isWhole);
  expect(await found()).toEqual([resting, quiet, far]);
  // The write does not count as news of a silent courier.
  expect(other.batches.flat().map(({ courierId }) => courierId)).not.toContain(quiet.courierId);
});

test('[P13] positions that Redis lost are written again with the next position of a courier of the region', async () => {
  const { node, one, resting, quiet, far, isWhole, found, clock } = await twoAtOne();
  await node.command('FLUSHALL');
  // It is too soon for another record that these couriers were heard.
  await clock.advance(TICK_MS);
  for (const position of [resting, far]) one.index.put(position);
  await until(isWhole);
  expect(await found()).toEqual([resting, quiet, far]);
});

test('[P13] when Redis comes back empty, each process writes its own couriers again', async () => {
  const { node, other, resting, quiet, far, isWhole, found } = await twoAtOne();
  await node.kill();
  await node.restart();
  await until(isWhole);
  expect(await found()).toEqual([resting, quiet, far]);
  expect(other.batches).toEqual([]);
});

test('[P14] the regions of couriers are recorded again every minute, in case Redis lost only them', async () => {
  const { node, one, resting, quiet, far, isWhole, found, clock } = await twoAtOne();
  for (const { courierId } of [resting, quiet, far]) one.index.keepPresent(courierId);
  await node.command('DEL', 'whereabouts', 'regions');
  await clock.advance(60_000);
  await until(isWhole);
  expect(await found()).toEqual([resting, quiet, far]);
});
