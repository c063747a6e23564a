import { beforeEach, expect, test } from 'vitest';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { startWatching } from '../../../src/dispatch/couriers/watch-couriers.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { aDelivery, aStop } from '../../builders.ts';
import { asStaff } from '../../callers.ts';
import { at } from '../match/fixtures.ts';
import { until } from '../../until.ts';
import { leaseDesk, passUntil, running, stand } from '../region-world.ts';
import { historyOf, openWorld, storeCourier, storeHeld } from '../world.ts';
import type { CarriedDeliveries } from '../../../src/ports/deliveries.ts';
import type { Leases } from '../../../src/ports/process.ts';
import { carriedIn } from '../carried-in.ts';
import { keptCarried } from '../../kept-ports.ts';
import { carriedOf } from '../../../src/domain/deliveries/carried.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';

const world = await openWorld('watch-couriers');

beforeEach(async () => void (await world.mongo.collection(DELIVERIES).deleteMany({})));
const { carried, isUpToDate } = carriedIn(world);

/** Starts the watch. The returned function lets time pass, and then lets the watch look at the state since. */
function watch(
  known: CarriedDeliveries = carried,
  leases: Leases = leaseDesk(world.clock).of('one'),
): (ms: number) => Promise<void> {
  let looks = 0;
  const all: CarriedDeliveries['all'] = () => {
    looks += 1;
    return known.all();
  };
  running(startWatching({ ...world, carried: { ...known, all }, leases }));
  return async (ms) => {
    await world.clock.advance(ms);
    if (known === carried) await until(isUpToDate);
    // The look in progress may have started before; the next one has not.
    const seen = looks + 2;
    await passUntil(world, () => looks >= seen);
  };
}

/** Staff unassign the delivery from its courier and assign it to this one. */
async function handOver({ id: deliveryId }: Delivery, { id: courierId }: Courier): Promise<void> {
  await unassignCourier(world, { deliveryId, reason: 'other' }, asStaff());
  await assignCourier(world, { deliveryId, courierId, offerId: null, overrideReason: null }, asStaff());
}

const stageOf = async ({ id }: Delivery) => (await world.deliveries.get(id)).stage;

test('[Q11] a courier who stays within 75 m of the pickup for 30 s has arrived without a report', async () => {
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

test('[Q11] passing by is not an arrival, and a phone that fell silent inside the circle proves nothing', async () => {
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

test('[Q11] a courier who passes twice has not arrived, also if nobody looked in between', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const desk = leaseDesk(world.clock);
  const later = watch(carried, desk.of('one'));
  stand(world, courier.id, at(30));
  await later(2000);
  // Another process has the lease, and looks at nothing.
  await desk.of('one').release('watch');
  await desk.of('other').tryHold('watch', 40_000);
  stand(world, courier.id, at(500));
  await world.clock.advance(20_000);
  await world.clock.advance(19_000);
  stand(world, courier.id, at(30));
  await later(5000);
  expect(await stageOf(delivery)).toBe('en_route_to_pickup');
  await later(26_000);
  stand(world, courier.id, at(30));
  await passUntil(world, async () => (await stageOf(delivery)) === 'arrived_at_pickup');
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

test('[Q11] among several open drop-offs the one where the courier is counts, whatever the order of the visits', async () => {
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

test('[Q12] a courier who is 100 m away from the pickup, or collected 60 s ago, is on the way', async () => {
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

test('[Q12] a courier whose phone shows them at the pickup is still there for 5 min, unless a drop-off is next door', async () => {
  const now = world.clock.now();
  const times = { ...aDelivery().times, createdAt: now, assignedAt: now, pickedUpAt: now };
  const held = await storeHeld(world, 'picked_up', { times });
  const nextDoor = await storeHeld(world, 'picked_up', { times, dropOffs: [aStop(1, { place: at(150) })] });
  const later = watch();
  const stay = async (untilMs: number): Promise<void> => {
    while (world.clock.now() - now < untilMs) {
      for (const { courier } of [held, nextDoor]) stand(world, courier.id, at(20));
      await later(10_000);
    }
  };
  await stay(110_000);
  await until(async () => (await stageOf(nextDoor.delivery)) === 'en_route_to_drop_off');
  expect(await stageOf(held.delivery)).toBeNull();
  await stay(280_000);
  expect(await stageOf(held.delivery)).toBeNull();
  await stay(330_000);
  await until(async () => (await stageOf(held.delivery)) === 'en_route_to_drop_off');
});

test('[L18] a courier who takes a delivery over starts a new dwell, even if it is the same courier again', async () => {
  const { delivery, courier: first } = await storeHeld(world, 'assigned');
  const second = await storeCourier(world);
  const later = watch();
  stand(world, first.id, at(10));
  await later(20_000);
  for (const next of [second, first]) {
    await handOver(delivery, next);
    for (let i = 0; i < 3; i += 1) {
      stand(world, next.id, at(10));
      await later(8000);
    }
    expect(await stageOf(delivery)).toBe('en_route_to_pickup');
  }
  await later(30_000);
  stand(world, first.id, at(12));
  await passUntil(world, async () => (await stageOf(delivery)) === 'arrived_at_pickup');
});

test('[L18] fixes from before the assignment do not count for its dwell', async () => {
  const now = world.clock.now();
  const times = { ...aDelivery().times, createdAt: now, assignedAt: now };
  const { delivery, courier } = await storeHeld(world, 'assigned', { times });
  stand(world, courier.id, at(10));
  await world.clock.advance(29_000);
  await handOver(delivery, courier);
  const later = watch();
  await later(2000);
  stand(world, courier.id, at(12));
  await later(1000);
  expect(await stageOf(delivery)).toBe('en_route_to_pickup');
});

test('[L18] an observation of one courier is not recorded for the next, who has just taken over', async () => {
  const { delivery, courier: first } = await storeHeld(world, 'assigned');
  const second = await storeCourier(world);
  const read = carriedOf(delivery);
  if (read === null) throw new Error('the delivery has no courier');
  // The event of the hand-over never reaches this watch.
  const later = watch(keptCarried(read));
  stand(world, first.id, at(10));
  await later(20_000);
  await handOver(delivery, second);
  await later(15_000);
  // The last fix that completes the dwell, and the next courier not far away.
  stand(world, first.id, at(10));
  stand(world, second.id, at(200));
  await later(1000);
  expect(await stageOf(delivery)).toBe('en_route_to_pickup');
});
