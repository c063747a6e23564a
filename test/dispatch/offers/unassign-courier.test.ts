import { expect, test } from 'vitest';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { codeOf, openWorld, storeCourier, storeHeld } from '../world.ts';

const world = await openWorld('unassign');
const staff = asStaff();

test('[T67] a courier who missed the answer may give a delivery back again after another courier has it', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const assign = ({ id: courierId }: Courier): Promise<Delivery> =>
    assignCourier(world, { deliveryId: delivery.id, courierId, offerId: null, overrideReason: null }, staff);
  const release = (by: Courier): Promise<Delivery> =>
    unassignCourier(world, { deliveryId: delivery.id, reason: 'flat tyre' }, asCourier(by));
  await release(courier);
  const taken = await assign(await storeCourier(world));
  expect(await release(courier)).toEqual(taken);
  expect(await codeOf(release(await storeCourier(world)))).toBe('delivery_not_found');
});

test('[T67] a courier who was assigned again by hand gives the delivery back, which is no repeat', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const release = (): Promise<Delivery> =>
    unassignCourier(world, { deliveryId: delivery.id, reason: 'flat tyre' }, asCourier(courier));
  await release();
  const again = { deliveryId: delivery.id, courierId: courier.id, offerId: null, overrideReason: null };
  await assignCourier(world, again, staff);
  expect(await release()).toMatchObject({ state: 'searching', courierId: null });
});
