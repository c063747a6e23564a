import { beforeEach, expect, test } from 'vitest';
import { startWatching } from '../../src/dispatch/watch-couriers.ts';
import type { Delivery } from '../../src/domain/delivery.ts';
import { aDelivery, aStop } from '../builders.ts';
import { at } from './match/fixtures.ts';
import { until } from '../until.ts';
import { leaseDesk, passUntil, running, stand } from './region-world.ts';
import { historyOf, openWorld, storeHeld, type World } from './world.ts';

const world = await openWorld('watch-couriers');

beforeEach(async () => void (await world.mongo.collection('deliveries').deleteMany({})));

/** Starts the watch; what it gives lets time pass, and then the watch look at what is so since. */
function watch(): (ms: number) => Promise<void> {
  let looks = 0;
  const listByState: World['deliveries']['listByState'] = (...of) => {
    looks += 1;
    return world.deliveries.listByState(...of);
  };
  const deliveries = { ...world.deliveries, listByState };
  running(startWatching({ ...world, deliveries, leases: leaseDesk(world.clock).of('one') }));
  return async (ms) => {
    await world.clock.advance(ms);
    // The look under way may have begun before; the next one has not.
    const seen = looks + 2;
    await passUntil(world, () => looks >= seen);
  };
}

const stageOf = async ({ id }: Delivery) => (await world.deliveries.get(id)).stage;

test('[Q11] who stays within 75 m of the pickup for 30 s has arrived, without a word', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const later = watch();
  stand(world, courier.id, at(80));
  await later(40_000);
  stand(world, courier.id, at(70));
  await later(20_000);
  stand(world, courier.id, at(60));
  await later(1000);
  expect(await stageOf(delivery)).toBe('en_route_to_pickup');
  await later(10_000);
  stand(world, courier.id, at(65));
  await passUntil(world, async () => (await stageOf(delivery)) === 'arrived_at_pickup');
  await until(async () => (await historyOf(world, delivery.id)).join() === 'delivery.created,courier.arrived_pickup');
});

test('[Q11] passing by is no arrival, and a phone that fell silent inside the circle proves nothing', async () => {
  const passing = await storeHeld(world, 'assigned');
  const silent = await storeHeld(world, 'assigned');
  const later = watch();
  stand(world, silent.courier.id, at(10));
  for (const m of [60, 10, 200, 20, 300]) {
    stand(world, passing.courier.id, at(m));
    await later(20_000);
  }
  expect(await stageOf(passing.delivery)).toBe('en_route_to_pickup');
  expect(await stageOf(silent.delivery)).toBe('en_route_to_pickup');
});

test('[Q11] arrival at a drop-off counts for the next open one', async () => {
  const dropOffs = [aStop(1, { place: at(1000), state: 'delivered' }), aStop(2, { place: at(2000) })];
  const { delivery, courier } = await storeHeld(world, 'in_transit', { dropOffs });
  const later = watch();
  for (let i = 0; i < 3; i += 1) {
    stand(world, courier.id, at(2010));
    await later(16_000);
  }
  await passUntil(world, async () => (await stageOf(delivery)) === 'arrived_at_drop_off');
  const { dropOffs: stops } = await world.deliveries.get(delivery.id);
  expect(stops.map(({ state }) => state)).toEqual(['delivered', 'arrived']);
});

test('[Q11] of several open doors it is the one where the courier is, whatever the order of the visits', async () => {
  const dropOffs = [aStop(1, { visit: 2, place: at(1000) }), aStop(2, { visit: 1, place: at(2000) })];
  const { delivery, courier } = await storeHeld(world, 'in_transit', { dropOffs });
  const later = watch();
  for (let i = 0; i < 3; i += 1) {
    stand(world, courier.id, at(1010));
    await later(16_000);
  }
  await passUntil(world, async () => (await stageOf(delivery)) === 'arrived_at_drop_off');
  const { dropOffs: stops } = await world.deliveries.get(delivery.id);
  expect(stops.map(({ state }) => state)).toEqual(['arrived', 'pending']);
});

test('[Q12] who is 100 m away from the pickup, or collected 60 s ago, is under way', async () => {
  const now = world.clock.now();
  const times = { ...aDelivery().times, createdAt: now, assignedAt: now, pickedUpAt: now };
  const near = await storeHeld(world, 'picked_up', { times });
  const far = await storeHeld(world, 'picked_up', { times });
  await world.clock.advance(1000);
  stand(world, near.courier.id, at(50));
  stand(world, far.courier.id, at(120));
  const later = watch();
  await later(1000);
  await passUntil(world, async () => (await stageOf(far.delivery)) === 'en_route_to_drop_off');
  expect(world.clock.now() - now).toBeLessThan(60_000);
  expect(await stageOf(near.delivery)).toBeNull();
  await passUntil(world, async () => (await stageOf(near.delivery)) === 'en_route_to_drop_off');
  expect(world.clock.now() - now).toBeGreaterThanOrEqual(60_000);
});
