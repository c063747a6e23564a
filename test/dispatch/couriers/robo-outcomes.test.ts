import { expect, test } from 'vitest';
import { startRobos } from '../../../src/dispatch/couriers/robo/robo-courier.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import type { Delivery, RoboSpec } from '../../../src/domain/deliveries/delivery.ts';
import { distanceM } from '../../../src/domain/geo/geo.ts';
import { at } from '../match/fixtures.ts';
import { leaseDesk, passUntil, phones, running, sharedBell } from '../region-world.ts';
import { eventsOf, historyOf, openWorld, storeDelivery } from '../world.ts';

const world = await openWorld('robo-outcomes');
const bell = sharedBell();
const leases = leaseDesk(world.clock).of('one');

/** Makes a delivery with these orders, and the workers that carry it. */
async function order(robo: RoboSpec): Promise<Delivery> {
  running(startRegions({ ...world, bell, leases, notices: phones({ isThere: false }) }));
  running(await startRobos({ ...world, bell, leases }));
  const now = world.clock.now();
  return storeDelivery(world, {
    robo,
    searchFromAt: now,
    searchUntilAt: now + 900_000,
    times: { createdAt: now, updatedAt: now, searchingAt: now },
  });
}

const isIn = (delivery: Delivery, state: Delivery['state']) => async () =>
  (await world.deliveries.get(delivery.id)).state === state;

test('[D170] a test may end with failed drop-offs, and its return is brought back', async () => {
  const delivery = await order({ timeScale: 100, outcome: 'failed', failReason: 'address_not_found' });
  await passUntil(world, isIn(delivery, 'failed'));
  const { ending, related } = await world.deliveries.get(delivery.id);
  expect(ending).toMatchObject({ by: 'courier', reason: 'address_not_found' });
  const [back] = await world.deliveries.findMany(related);
  if (back === undefined) throw new Error('no return was opened');
  await passUntil(world, isIn(back, 'delivered'));
});

test('[D171] the first courier of a test may give it back, and another one delivers', async () => {
  const delivery = await order({ timeScale: 100, outcome: 'canceled_by_courier' });
  await passUntil(world, isIn(delivery, 'delivered'));
  const { formerCouriers, courierId } = await world.deliveries.get(delivery.id);
  expect(formerCouriers).toHaveLength(1);
  expect(formerCouriers).not.toContain(courierId);
  const released = (await eventsOf(world, delivery.id)).find(({ type }) => type === 'courier.unassigned');
  expect(released?.data).toMatchObject({ reason: 'canceled_by_courier', actor: { type: 'courier' } });
});

test('[D171] the first courier of a test may fall silent, and another one delivers after the server noticed', async () => {
  const delivery = await order({ timeScale: 100, outcome: 'courier_lost' });
  await passUntil(world, isIn(delivery, 'assigned'));
  const { courierId } = await world.deliveries.get(delivery.id);
  if (courierId === null) throw new Error('the delivery has a courier');
  const assignedAt = world.clock.now();
  await passUntil(world, () => Promise.resolve(world.clock.now() > assignedAt + 120_000), { stepMs: 1000 });
  expect(await isIn(delivery, 'assigned')()).toBe(true);
  const silentSince = world.positions.last(courierId)?.at ?? 0;
  expect(silentSince).toBeLessThan(assignedAt + 30_000);
  await unassignCourier(world, { deliveryId: delivery.id, reason: 'contact_lost' }, { type: 'system' });
  await passUntil(world, isIn(delivery, 'delivered'));
});

test('[D172] a test may find no courier, while others are carried', async () => {
  const lonely = await order({ timeScale: 100, outcome: 'no_courier' });
  const other = await order({ timeScale: 100 });
  await passUntil(world, isIn(other, 'delivered'));
  expect(await historyOf(world, lonely.id)).toEqual(['delivery.created']);
});

test('[D173] custom steps take their own times, and the positions follow the trace', async () => {
  const detour = at(500, 2000);
  const stepsS = { assigned: 60, arrived_at_pickup: 5, arrived_at_drop_off: 120, delivered: 1 };
  const delivery = await order({ timeScale: 1, stepsS, gpsTrace: [detour] });
  await passUntil(world, isIn(delivery, 'delivered'), { stepMs: 3000 });
  const { times, courierId } = await world.deliveries.get(delivery.id);
  const spanS = (from: number | null, to: number | null) => ((to ?? 0) - (from ?? 0)) / 1000;
  expect(spanS(times.createdAt, times.assignedAt)).toBeGreaterThanOrEqual(60);
  expect(spanS(times.assignedAt, times.arrivedPickupAt)).toBeLessThan(20);
  expect(spanS(times.arrivedPickupAt, times.pickedUpAt)).toBeGreaterThanOrEqual(30);
  expect(spanS(times.inTransitAt, times.arrivedDropOffAt)).toBeGreaterThanOrEqual(120);
  const fixes = world.positions.puts.filter((position) => position.courierId === courierId);
  expect(Math.min(...fixes.map((fix) => distanceM(fix, detour)))).toBeLessThan(300);
});
