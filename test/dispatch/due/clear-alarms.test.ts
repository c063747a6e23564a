import { beforeEach, expect, test } from 'vitest';
import { clearAlarms } from '../../../src/dispatch/due/clear-alarms.ts';
import { raiseAlarm } from '../../../src/dispatch/due/raise-alarm.ts';
import type { Alarm } from '../../../src/domain/alarm.ts';
import { carriedOf, type Carried } from '../../../src/domain/deliveries/carried.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { DeliveryId } from '../../../src/domain/ids.ts';
import { openWorld, storeDelivery, storeHeld } from '../world.ts';

const world = await openWorld('clear-alarms');
const LONG_AGO_MS = 120 * 60_000;

beforeEach(() => world.mongo.db.collection('alarms').deleteMany({}));

/** Turns over the open alarms with what a process knows: the deliveries of its mirror, and whose courier is silent. */
function clearing(
  mirror: ReadonlyMap<DeliveryId, Carried>,
  silent: ReadonlySet<DeliveryId>,
  findMany = (ids: readonly DeliveryId[]) => world.deliveries.findMany(ids),
) {
  const asked: DeliveryId[] = [];
  const deliveries = {
    ...world.deliveries,
    findMany: (ids: readonly DeliveryId[]) => {
      asked.push(...ids);
      return findMany(ids);
    },
  };
  const carried = {
    all: () => mirror.values(),
    of: () => [],
    onChange: () => () => {},
    get: (id: DeliveryId) => mirror.get(id) ?? null,
  };
  const contact = {
    look: async () => {},
    silent: async (all: readonly Carried[]) => new Set(all.map(({ id }) => id).filter((id) => silent.has(id))),
  };
  return { turn: clearAlarms({ ...world, carried, deliveries }, contact), asked };
}

const long = () => ({ createdAt: world.clock.now() - LONG_AGO_MS, updatedAt: world.clock.now() });
const raise = (delivery: Delivery, kind: Alarm['kind']) =>
  raiseAlarm(world, delivery, { kind, since: world.clock.now(), detail: '' });
const isOpen = async ({ id }: Delivery, kind: Alarm['kind']) => (await world.alarms.findOpen(kind, [id])).length === 1;
const mirrorOf = (...deliveries: readonly Delivery[]) =>
  new Map(deliveries.map((delivery) => [delivery.id, carriedOf(delivery)!]));

test('[S54] deliveries whose alarms stay by all that the process knows are not read', async () => {
  const { delivery: late } = await storeHeld(world, 'in_transit', { times: long() });
  const { delivery: silent } = await storeHeld(world, 'in_transit');
  await raise(late, 'late');
  await raise(silent, 'courier_silent');
  const { turn, asked } = clearing(mirrorOf(late, silent), new Set([silent.id]));
  await turn(() => true);
  expect(asked).toEqual([]);
  expect([await isOpen(late, 'late'), await isOpen(silent, 'courier_silent')]).toEqual([true, true]);
});

test('[S54] the delivery of an alarm that may end is read, and its alarm ends only if the cause is gone', async () => {
  const { delivery: heard } = await storeHeld(world, 'in_transit');
  const { delivery: unknown } = await storeHeld(world, 'in_transit', { times: long() });
  const waiting = await storeDelivery(world, { times: long() });
  const ended = await storeDelivery(world, { state: 'canceled' });
  await raise(heard, 'courier_silent');
  await raise(unknown, 'late');
  await raise(waiting, 'late');
  await raise(ended, 'search_too_long');
  const { turn, asked } = clearing(mirrorOf(heard), new Set());
  await turn(() => true);
  expect(new Set(asked)).toEqual(new Set([heard.id, unknown.id, waiting.id, ended.id]));
  expect([await isOpen(heard, 'courier_silent'), await isOpen(ended, 'search_too_long')]).toEqual([false, false]);
  expect([await isOpen(unknown, 'late'), await isOpen(waiting, 'late')]).toEqual([true, true]);
});

test('[S54] the silence of one courier keeps no alarm of another', async () => {
  const { delivery } = await storeHeld(world, 'in_transit');
  await raise({ ...delivery, courierId: 'cou_other' as NonNullable<Delivery['courierId']> }, 'courier_silent');
  const { turn } = clearing(mirrorOf(delivery), new Set([delivery.id]));
  await turn(() => true);
  expect(await isOpen(delivery, 'courier_silent')).toBe(false);
});

test('[S54] an alarm of a delivery that has ended is cleared once the mirror knows of the end', async () => {
  const { delivery } = await storeHeld(world, 'in_transit', { times: long() });
  await raise(delivery, 'late');
  const mirror = mirrorOf(delivery);
  await world.mongo.db
    .collection<{ _id: string }>('deliveries')
    .updateOne({ _id: delivery.id }, { $set: { state: 'delivered' } });
  const { turn } = clearing(mirror, new Set());
  await turn(() => true);
  expect(await isOpen(delivery, 'late')).toBe(true);
  mirror.delete(delivery.id);
  await turn(() => true);
  expect(await isOpen(delivery, 'late')).toBe(false);
});

test('[Q13] a delivery that becomes late again while its alarm is being cleared has an open alarm', async () => {
  const late = await storeDelivery(world, { times: long() });
  await raise(late, 'late');
  let reads = 0;
  const { turn } = clearing(new Map(), new Set(), async (ids) => {
    const found = await world.deliveries.findMany(ids);
    reads += 1;
    // The vendor moves the window back after the first read.
    return reads > 1 ? found : found.map((one) => ({ ...one, times: { ...one.times, createdAt: world.clock.now() } }));
  });
  await turn(() => true);
  expect(reads).toBe(2);
  expect(await isOpen(late, 'late')).toBe(true);
});

test('[Q9] a process that has lost the lease clears nothing more', async () => {
  const ended = await storeDelivery(world, { state: 'canceled' });
  await raise(ended, 'late');
  const { turn } = clearing(new Map(), new Set());
  await turn(() => false);
  expect(await isOpen(ended, 'late')).toBe(true);
});
