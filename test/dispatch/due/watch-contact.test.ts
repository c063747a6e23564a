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

test('[Q6] a courier whose positions are forgotten is as silent as before, and the alarm stays until they are heard of', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit');
  const read = carriedOf(delivery)!;
  let known = new Map([[courier.id, 0]]);
  const silentForMs = () => Promise.resolve(known);
  const here = { ...world, positions: { ...world.positions, silentForMs } };
  const contact = watchContact(here);
  const open = async () => (await world.alarms.findOpen('courier_silent', [delivery.id]))[0]?.since;
  await contact.look([read], () => true);
  const lastHeardAt = world.clock.now();
  await world.clock.advance(600_000);
  known = new Map([[courier.id, 600_000]]);
  await contact.look([read], () => true);
  expect(await open()).toBe(lastHeardAt);
  // Nobody has their position any more. A process that looks for the first time does not take them for heard either.
  known = new Map();
  await world.clock.advance(60_000);
  await contact.look([read], () => true);
  for (const one of [contact, watchContact(here)]) expect(await one.silent([read])).toEqual(new Set([delivery.id]));
  await world.alarms.clear(delivery.id);
  await contact.look([read], () => true);
  expect(await open()).toBe(lastHeardAt);
  known = new Map([[courier.id, 1000]]);
  expect(await contact.silent([read])).toEqual(new Set());
});
