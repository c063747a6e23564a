import { expect, test } from 'vitest';
import { arriveAtStop, pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { addProof } from '../../../src/dispatch/record-proof.ts';
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
  const freed = await release(courier);
  const taken = await assign(await storeCourier(world));
  // The state of the delivery from then on is nothing that they may see.
  const { state, stage, courierId, courier: nobody } = freed;
  expect(await release(courier)).toEqual({ ...taken, state, stage, courierId, courier: nobody });
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

test('[T68] a late repeat that names its assignment does not end a later one of the same courier', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned', { times: { assignedAt: world.clock.now() } });
  const command = { deliveryId: delivery.id, assignedAt: world.clock.now(), reason: 'flat tyre' };
  const release = (over: Partial<typeof command> = {}): Promise<Delivery> =>
    unassignCourier(world, { ...command, ...over }, asCourier(courier));
  const freed = await release();
  expect(freed).toMatchObject({ state: 'searching' });
  await world.clock.advance(1000);
  const byHand = { deliveryId: delivery.id, courierId: courier.id, offerId: null, overrideReason: null };
  const again = await assignCourier(world, byHand, staff);
  expect(await release()).toEqual(again);
  expect(await unassignCourier(world, { ...command, courierId: courier.id }, staff)).toEqual(again);
  expect(await release({ assignedAt: world.clock.now() })).toMatchObject({ state: 'searching', courierId: null });
  const stranger = unassignCourier(world, command, asCourier(await storeCourier(world)));
  expect(await codeOf(stranger)).toBe('delivery_not_found');
});

test('[T69] the late repeat of an action that names its assignment changes nothing of a later one', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned', { times: { assignedAt: world.clock.now() } });
  const named = { deliveryId: delivery.id, assignedAt: world.clock.now(), stop: 0, overrideReason: 'no satellites' };
  const doer = asCourier(courier);
  await arriveAtStop(world, named, doer);
  await unassignCourier(world, { deliveryId: delivery.id, reason: 'flat tyre' }, staff);
  expect(await codeOf(arriveAtStop(world, named, doer))).toBe('delivery_not_found');
  await world.clock.advance(1000);
  const byHand = { deliveryId: delivery.id, courierId: courier.id, offerId: null, overrideReason: null };
  const again = await assignCourier(world, byHand, staff);
  expect(await arriveAtStop(world, named, doer)).toEqual(again);
  await addProof(world, { ...named, given: { signatureName: 'Ada' } }, doer);
  expect(await pickUp(world, named, doer)).toEqual(again);
  const cut = Math.floor(world.clock.now() / 1000) * 1000;
  expect(await arriveAtStop(world, { ...named, assignedAt: cut }, doer)).toMatchObject({ stage: 'arrived_at_pickup' });
});
