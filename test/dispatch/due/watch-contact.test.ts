import { expect, test } from 'vitest';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { carriedOf } from '../../../src/domain/deliveries/carried.ts';
import { watchContact } from '../../../src/dispatch/due/watch-contact.ts';
import { asStaff } from '../../callers.ts';
import { historyOf, openWorld, storeCourier, storeHeld } from '../world.ts';

const world = await openWorld('watch-contact');

test('[L18] the silence of one courier does not cost the next one the delivery they have just taken over', async () => {
  const { delivery, courier: silent } = await storeHeld(world, 'assigned');
  const next = await storeCourier(world);
  const silentForMs = () => Promise.resolve(new Map([[silent.id, 600_000]]));
  const contact = watchContact({ ...world, positions: { ...world.positions, silentForMs } });
  await world.clock.advance(600_000);
  // The watch has read the delivery. Before it acts, staff assign it to another courier.
  const read = carriedOf(await world.deliveries.get(delivery.id));
  if (read === null) throw new Error('the delivery has no courier');
  const deliveryId = delivery.id;
  await unassignCourier(world, { deliveryId, reason: 'other' }, asStaff());
  await assignCourier(world, { deliveryId, courierId: next.id, offerId: null, overrideReason: null }, asStaff());
  await contact.look([read], () => true);
  expect(await world.deliveries.get(deliveryId)).toMatchObject({ state: 'assigned', courierId: next.id });
  expect((await historyOf(world, deliveryId)).filter((type) => type === 'courier.unassigned')).toHaveLength(1);
});

test('[S23] an alarm that another process has cleared is raised again if the courier is still silent', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit');
  const silentForMs = () => Promise.resolve(new Map([[courier.id, 600_000]]));
  const contact = watchContact({ ...world, positions: { ...world.positions, silentForMs } });
  await world.clock.advance(600_000);
  const read = carriedOf(delivery);
  if (read === null) throw new Error('the delivery has no courier');
  const open = async () => (await world.alarms.findOpen('courier_silent', [delivery.id])).length;
  await contact.look([read], () => true);
  expect(await open()).toBe(1);
  await world.alarms.clear(delivery.id);
  await contact.look([read], () => true);
  expect(await open()).toBe(1);
});
