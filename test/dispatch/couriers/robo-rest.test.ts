import { expect, test } from 'vitest';
import type { DomainEvent } from '../../../src/domain/deliveries/events.ts';
import type { State } from '../../../src/domain/deliveries/states.ts';
import { pass } from '../region-world.ts';
import { openRoboWorld } from './robo-world.ts';

const { world, process, order } = await openRoboWorld('robo-rest');

/** Longer than a turn waits, and far less than a rest. */
const SOON_MS = 700;

test('[D220] robo-couriers without work read only after events that may bring some', async () => {
  const [born] = await world.eventLog.list((await order(1)).id, 0, 1);
  if (born === undefined) throw new Error('a birth has an event');
  await world.mongo.db.collection('deliveries').deleteMany({});
  let hear: (event: DomainEvent) => void = () => undefined;
  let reads = 0;
  await process({
    eventLog: {
      ...world.eventLog,
      follow: (listener) => {
        hear = listener;
        return Promise.resolve(() => undefined);
      },
    },
    deliveries: {
      ...world.deliveries,
      listRobo: (limit) => {
        reads += 1;
        return world.deliveries.listRobo(limit);
      },
    },
  });
  const readsAfter = async (from: State | null, to: State, isLive = false): Promise<boolean> => {
    reads = 0;
    hear({ ...born, live_mode: isLive, data: { ...born.data, from, to } });
    await pass(world, SOON_MS, 100);
    return reads > 0;
  };
  await pass(world, SOON_MS, 100);
  expect(await readsAfter('assigned', 'assigned')).toBe(false);
  expect(await readsAfter('assigned', 'picked_up')).toBe(false);
  expect(await readsAfter('in_transit', 'delivered')).toBe(false);
  expect(await readsAfter('searching', 'canceled')).toBe(false);
  expect(await readsAfter(null, 'searching', true)).toBe(false);
  expect(await readsAfter(null, 'searching')).toBe(true);
  expect(await readsAfter(null, 'in_transit')).toBe(true);
  expect(await readsAfter('searching', 'assigned')).toBe(true);
  expect(await readsAfter('assigned', 'searching')).toBe(true);
  expect(await readsAfter('searching', 'searching')).toBe(true);
});
