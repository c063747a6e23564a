import { beforeEach, expect, test } from 'vitest';
import { startRobos } from '../../../src/dispatch/couriers/robo/robo-courier.ts';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { COURIERS } from '../../../src/models/couriers/courier-rows.ts';
import { leaseDesk, passUntil, phones, running, sharedBell } from '../region-world.ts';
import { openWorld, storeCourier, storeDelivery } from '../world.ts';

const world = await openWorld('robo-vehicles');

beforeEach(async () => {
  for (const name of ['deliveries', 'offers', 'couriers', 'claims'] as const) {
    await world.mongo.db.collection(name).deleteMany({});
  }
});

/** A delivery that nobody carries fails its test soon. */
const BRIEFLY = { timeoutMs: 30_000 };

async function startAll(): Promise<void> {
  const bell = sharedBell();
  const leases = leaseDesk(world.clock).of('one');
  running(startRegions({ ...world, bell, leases, notices: phones({ isThere: false }) }));
  running(await startRobos({ ...world, bell, leases }));
}

function order(timeScale: number, over: Parameters<typeof storeDelivery>[1] = {}): Promise<Delivery> {
  const now = world.clock.now();
  return storeDelivery(world, {
    robo: { timeScale },
    searchFromAt: now,
    searchUntilAt: now + 900_000,
    times: { createdAt: now, updatedAt: now, searchingAt: now },
    ...over,
  });
}

const isIn = (delivery: Delivery, state: Delivery['state']) => async () =>
  (await world.deliveries.get(delivery.id)).state === state;

test('[B6] the vehicle can bear the goods, also if an idle scooter is near', async () => {
  const light = await order(30);
  await startAll();
  await passUntil(world, isIn(light, 'delivered'));
  const heavy = await order(30, { metadata: { weight: 50 } });
  const both = await order(30, { metadata: { weight: 50 }, vehicleTypes: ['bicycle', 'van'] });
  for (const delivery of [heavy, both]) await passUntil(world, isIn(delivery, 'delivered'), BRIEFLY);
  const carried = await world.deliveries.findMany([light.id, heavy.id, both.id]);
  const vehicles = new Map(carried.map(({ id, courier }) => [id, courier?.vehicle_type]));
  expect([light, heavy, both].map(({ id }) => vehicles.get(id))).toEqual(['scooter', 'car', 'van']);
});

test('[B6] if there are no more robo-couriers to make, an idle one changes their vehicle', async () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  await Promise.all(
    numbers.map((number) => {
      const phone = `+9990${String(number).padStart(6, '0')}`;
      return storeCourier(world, { kind: 'robo', phone, liveMode: false, vehicleType: 'scooter' });
    }),
  );
  const delivery = await order(30, { vehicleTypes: ['van'] });
  await startAll();
  await passUntil(world, isIn(delivery, 'delivered'), BRIEFLY);
  expect((await world.deliveries.get(delivery.id)).courier?.vehicle_type).toBe('van');
  expect(await world.mongo.collection(COURIERS).countDocuments({ kind: 'robo' })).toBe(200);
});
