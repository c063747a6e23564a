import { expect, test } from 'vitest';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import type { CourierId } from '../../../src/domain/ids.ts';
import type { RedisConnections } from '../../../src/engines/redis/redis.ts';
import { loadScript } from '../../../src/engines/redis/script.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { CENTER, aPosition } from '../../builders.ts';
import { handClock } from '../../clock.ts';
import { testEngines } from '../../engines.ts';
import { redisProxy } from '../../engines/redis-proxy.ts';
import { regionOf } from '../../regions.ts';
import { until } from '../../until.ts';
import { aProcess, TICK_MS } from './position-process.ts';

const REGION = regionOf(CENTER);
const LEASE_MS = defaultSettings().presence.leaseMs;
const SWEEP_EVERY_MS = 60_000;
/** More than a search reads in a region, and more than a sweep reads at once. */
const CROWD = 1200;

const inGeo = ({ commands, prefix }: RedisConnections) => commands.zrange(`${prefix}{r:${REGION}}:geo`, '0', '-1');
const wanted = { mostM: 5000, enough: 5, choose: (ids: readonly CourierId[]) => Promise.resolve(new Set(ids)) };

/** Two processes. The first one has a crowd, whose last message is as old as it can be when a sweep first finds it. */
async function aSilentCrowd() {
  const [at, clock] = [testEngines('sweep'), handClock()];
  const one = await aProcess({ at, clock });
  const other = await aProcess({ at, clock });
  await clock.advance(SWEEP_EVERY_MS - LEASE_MS);
  const crowd = Array.from({ length: CROWD }, () => aPosition(aside()));
  crowd.forEach((position) => one.index.put(position));
  await one.tick();
  await until(() => crowd.every(({ courierId }) => other.index.last(courierId) !== null));
  return { at, clock, one, other, crowd };
}

/** A place south-west of the center, where the region does not end. */
function aside() {
  return offsetBy(CENTER, -500 * Math.random(), -500 * Math.random());
}

test('[P16] a silent courier is out of the geo index 75 s after their last message, and their position is still found', async () => {
  const { at, clock, one, crowd } = await aSilentCrowd();
  await clock.advance(SWEEP_EVERY_MS);
  const present = aPosition(aside());
  one.index.put(present);
  await one.tick();
  await clock.advance(LEASE_MS - 2 * TICK_MS);
  await until(async () => (await inGeo(one.redis)).length === 1);
  expect(await inGeo(one.redis)).toEqual([present.courierId]);
  const late = await aProcess({ at, clock });
  const ids = crowd.map(({ courierId }) => courierId);
  for (const { index } of [one, late]) {
    expect(await Promise.all(ids.slice(0, 5).map((id) => index.find(id)))).toEqual(crowd.slice(0, 5));
  }
  const silent = await late.index.silentForMs(ids, 0);
  expect(ids.map((id) => silent.get(id))).toEqual(ids.map(() => LEASE_MS + SWEEP_EVERY_MS));
});

test('[P16] a heartbeat in a process that has missed positions does not put the courier back', async () => {
  const [at, clock] = [testEngines('sweep-missed'), handClock()];
  const proxy = await redisProxy(at.redisUrl);
  const one = await aProcess({ at, clock });
  const cut = await aProcess({ at: { ...at, redisUrl: proxy.url }, clock });
  const first = aPosition(aside());
  one.index.put(first);
  await one.tick();
  await until(() => cut.index.last(first.courierId) !== null);
  proxy.cut();
  await until(() => cut.redis.subscriber.status !== 'ready');
  const next = { ...first, ...offsetBy(first, 100, 0), at: first.at + 1000 };
  one.index.put(next);
  await one.tick();
  proxy.heal();
  await until(() => cut.redis.isReady());
  await clock.advance(LEASE_MS / 2);
  cut.index.touch([first.courierId]);
  await until(async () => {
    await clock.advance(TICK_MS);
    return cut.index.last(first.courierId)?.at === next.at;
  });
  await cut.tick();
  const found = await one.index.nearest(next, { ...wanted, mostM: 20 });
  expect(found?.map(({ courierId }) => courierId)).toEqual([first.courierId]);
});

test('[P16] after the sweep, a crowd of absent couriers hides nobody from a search', async () => {
  const { clock, one, other } = await aSilentCrowd();
  const present = aPosition(offsetBy(CENTER, -900, 0));
  await clock.advance(LEASE_MS);
  one.index.put(present);
  await one.tick();
  expect(await other.index.nearest(CENTER, wanted)).toBeNull();
  await clock.advance(SWEEP_EVERY_MS - LEASE_MS);
  one.index.touch([present.courierId]);
  await one.tick();
  await clock.advance(LEASE_MS - 2 * TICK_MS);
  await until(async () => (await inGeo(one.redis)).length === 1);
  expect((await other.index.nearest(CENTER, wanted))?.map(({ courierId }) => courierId)).toEqual([present.courierId]);
});

test.each(['the same process', 'another process', 'a process that has just started'] as const)(
  '[P16] an absent courier who sends a heartbeat to %s is found again where they were',
  async (hearer) => {
    const { at, clock, one, other, crowd } = await aSilentCrowd();
    await clock.advance(LEASE_MS + SWEEP_EVERY_MS);
    await until(async () => (await inGeo(one.redis)).length === 0);
    const late = await aProcess({ at, clock });
    const hearers = { 'the same process': one, 'another process': other, 'a process that has just started': late };
    const { index } = hearers[hearer];
    const [back] = crowd;
    if (back === undefined) throw new Error('there is no courier');
    expect(await one.index.nearest(back, wanted)).toEqual([]);
    index.touch([back.courierId]);
    await until(async () => {
      await clock.advance(TICK_MS);
      return (await one.index.nearest(back, wanted))?.length === 1;
    });
    expect(await one.index.nearest(back, wanted)).toMatchObject([
      { courierId: back.courierId, awayM: expect.closeTo(0, 0) },
    ]);
  },
);

/** Sends the commands of each pipeline alone, and does this after each of them, as another process may. */
function between({ commands }: RedisConnections, work: () => Promise<unknown>): void {
  const pipeline = () => {
    const queue: (() => Promise<unknown>)[] = [];
    const later = {
      call: (name: string, ...args: string[]) => queue.push(() => commands.call(name, ...args)) > 0 && later,
      publish: (channel: string, message: string) => queue.push(() => commands.publish(channel, message)),
      get length() {
        return queue.length;
      },
      exec: async () => {
        const replies: [null, unknown][] = [];
        for (const send of queue) {
          replies.push([null, await send()]);
          await work();
        }
        return replies;
      },
    };
    return later;
  };
  Object.assign(commands, { pipeline });
}

test('[P27] a courier who is heard again is in the geo index, even if another process sweeps during the write', async () => {
  const { index, redis, clock, tick } = await aProcess({ at: testEngines('sweep-race') });
  const courier = aPosition(aside());
  index.put(courier);
  await tick();
  await clock.advance(LEASE_MS);
  const sweep = loadScript('hide-absent');
  const keys = [`${redis.prefix}{r:${REGION}}:geo`, `${redis.prefix}{r:${REGION}}:seen`];
  between(redis, () => sweep(redis.commands, keys, [clock.now() - LEASE_MS / 2, 10]));
  index.put({ ...courier, at: courier.at + LEASE_MS });
  await tick();
  expect(await inGeo(redis)).toEqual([courier.courierId]);
});
