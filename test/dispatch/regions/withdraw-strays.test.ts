import { expect, test } from 'vitest';
import { editCourier } from '../../../src/dispatch/couriers/edit-courier.ts';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import { asStaff } from '../../callers.ts';
import { CENTER } from '../../builders.ts';
import { courierAt, leaseDesk, openOffersOf, pass, passUntil, phones, running, sharedBell } from '../region-world.ts';
import { openWorld, storeDelivery } from '../world.ts';

const world = await openWorld('withdraw-strays');

test('[D214] an offer whose goods do not fit the new vehicle of its courier is withdrawn at once, and no other', async () => {
  const now = world.clock.now();
  const delivery = await storeDelivery(world, {
    vehicleTypes: ['scooter', 'motorcycle'],
    searchFromAt: now,
    searchUntilAt: now + 900_000,
  });
  const courier = await courierAt(world, CENTER);
  const [notices, bell] = [phones(), sharedBell()];
  const deliveries = { ...world.deliveries, regionsSearching: async () => [delivery.region] };
  const leases = leaseDesk(world.clock).of('one');
  running(startRegions({ ...world, deliveries, bell, leases, notices }));
  await passUntil(world, async () => (await openOffersOf(world, [delivery])).length === 1);
  const take = (vehicleType: 'car' | 'motorcycle') =>
    editCourier({ ...world, bell }, courier.id, { vehicleType }, asStaff(), null);
  await take('motorcycle');
  await pass(world, 6000);
  expect(notices.withdrawn).toEqual([]);
  const editedAt = world.clock.now();
  await take('car');
  await passUntil(world, () => notices.withdrawn.length === 1, { stepMs: 20 });
  expect(notices.withdrawn).toMatchObject([{ courierId: courier.id, state: 'withdrawn', reason: 'wrong_vehicle' }]);
  expect(world.clock.now() - editedAt).toBeLessThan(2000);
});
