import { expect, test } from 'vitest';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import type { Position } from '../../../src/domain/couriers/position.ts';
import { CENTER, aPosition } from '../../builders.ts';
import { regionOf } from '../../regions.ts';
import { handClock } from '../../clock.ts';
import { testEngines } from '../../engines.ts';
import { until } from '../../until.ts';
import { aProcess } from './position-process.ts';

const REGION = regionOf(CENTER);

function idsOf(positions: readonly Position[]): string[] {
  return positions.map(({ courierId }) => courierId).toSorted();
}

test('[S30] a process that starts late learns present couriers from Redis, and then from other processes', async () => {
  const at = testEngines('finder');
  const clock = handClock();
  const early = await aProcess({ at, clock });
  const crowd = Array.from({ length: 1300 }, (_, index) => aPosition(offsetBy(CENTER, -index / 10, 0)));
  const gone = aPosition();
  early.index.put(gone);
  await early.tick();
  await clock.advance(15_000);
  for (const position of crowd) early.index.put(position);
  await early.tick();
  const late = await aProcess({ at, clock });
  const asked: string[] = [];
  const zscan: unknown = Reflect.get(late.redis.commands, 'zscan');
  if (typeof zscan !== 'function') throw new Error('no zscan');
  Object.assign(late.redis.commands, {
    zscan: (...given: unknown[]): unknown => {
      asked.push(String(given[0]));
      return Reflect.apply(zscan, late.redis.commands, given);
    },
  });
  const [all, again] = await Promise.all([late.index.listPresent([REGION]), late.index.listPresent([REGION])]);
  expect(idsOf(all)).toEqual(idsOf(crowd));
  expect(again).toHaveLength(1300);
  // Page by page, and once for all callers.
  expect(asked.length).toBeGreaterThanOrEqual(2);
  expect(asked.length).toBeLessThan(10);
  asked.length = 0;
  const mover = { ...crowd[0]!, ...offsetBy(CENTER, 50, 50), at: crowd[0]!.at + 1 };
  early.index.put(mover);
  await early.tick();
  await until(() => late.index.last(mover.courierId)?.at === mover.at);
  expect(await late.index.listPresent([REGION])).toContain(late.index.last(mover.courierId));
  expect(asked).toEqual([]);
  await clock.advance(61_000);
  await late.index.listPresent([REGION]);
  expect(asked.length).toBeGreaterThan(0);
});

test('[S30] a process that has heard a crowd for a whole lease says so before it has read the region', async () => {
  const at = testEngines('finder-heard');
  const clock = handClock();
  const [early, late] = [await aProcess({ at, clock }), await aProcess({ at, clock })];
  const { promise: reading, resolve: endReading } = Promise.withResolvers<[string, string[]]>();
  Object.assign(late.redis.commands, { zscan: () => reading });
  const crowd = [aPosition(), aPosition()];
  const ping = async (): Promise<void> => {
    const at = clock.now();
    for (const position of crowd) early.index.put({ ...position, at });
    await early.tick();
    await until(() => crowd.every(({ courierId }) => late.index.last(courierId)?.at === at));
  };
  await ping();
  let isYoungDone = false;
  const whileYoung = late.index.listUpTo([REGION], 1).finally(() => (isYoungDone = true));
  await clock.advance(15_000);
  await ping();
  expect(await late.index.listUpTo([REGION], 1)).toBeNull();
  expect(isYoungDone).toBe(false);
  endReading(['0', []]);
  expect(await whileYoung).toBeNull();
  expect(await late.index.listUpTo([REGION], 2)).toHaveLength(2);
});

test('[S30] a list with more couriers than its limit is not given, but each is found alone and around a place', async () => {
  const { index, clock, tick } = await aProcess({ at: testEngines('finder-crowd') });
  const near = aPosition();
  const far = aPosition(offsetBy(CENTER, -300, 0));
  for (const position of [near, far]) index.put(position);
  await tick();
  expect(await index.listUpTo([REGION], 2)).toHaveLength(2);
  expect(await index.listUpTo([REGION], 1)).toBeNull();
  expect(index.present(near.courierId)).toEqual(near);
  const around = (): unknown[] => [...index.around(CENTER, 200)].flatMap(({ positions }) => positions);
  expect(around()).toEqual([near]);
  await clock.advance(15_000);
  expect(index.present(near.courierId)).toBeNull();
  expect(around()).toEqual([]);
  expect(await index.listUpTo([REGION], 0)).toEqual([]);
});
