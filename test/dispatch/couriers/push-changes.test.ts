import { expect, test } from 'vitest';
import { startPushing } from '../../../src/dispatch/couriers/push-changes.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { markReady } from '../../../src/dispatch/deliveries/mark-ready.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { CourierId } from '../../../src/domain/ids.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { keptNotices, keptPush } from '../../kept-ports.ts';
import { leaseDesk, passUntil, running } from '../region-world.ts';
import { openWorld, storeCourier, storeDelivery, storeHeld } from '../world.ts';

const world = await openWorld('push-changes');
const { clock } = world;

/** A process that pushes changes to all couriers but those who are connected. */
async function pushing(leases = leaseDesk(clock).of('one'), connected = new Set<CourierId>()) {
  const push = keptPush();
  const notices = { ...keptNotices(), isConnected: async (id: CourierId) => connected.has(id) };
  const worker = running(await startPushing({ ...world, leases, notices, push }));
  const typesFor = ({ id }: { id: CourierId }) =>
    push.sent.filter(({ courierId }) => courierId === id).map(({ type }) => type);
  return { ...worker, push, connected, typesFor };
}

const edit = (deliveryId: Delivery['id'], instructions: string) => ({
  deliveryId,
  ifVersion: null,
  stops: [{ stop: 1, instructions }],
});

test('[O86] changes by others are pushed to a courier whose app is not connected, with ids and an end', async () => {
  const { push, typesFor } = await pushing();
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const vendor = asVendor(delivery);
  const after = async (work: () => Promise<unknown>, type: string): Promise<void> => {
    await work();
    await passUntil(world, () => typesFor(courier).at(-1) === type);
  };
  await after(() => updateDelivery(world, edit(delivery.id, 'Ring twice'), vendor), 'delivery_changed');
  await after(
    () => delayPickup(world, { deliveryId: delivery.id, to: { minutes: 20 }, reason: null }, vendor),
    'pickup_delayed',
  );
  await after(
    () => markReady(world, { deliveryId: delivery.id, ifVersion: null, readyAt: null }, vendor),
    'pickup_ready',
  );
  await after(
    () => cancelDelivery(world, { deliveryId: delivery.id, reason: 'duplicate' }, vendor),
    'delivery_canceled',
  );
  expect(typesFor(courier)).toHaveLength(4);
  expect(push.sent.at(-1)).toStrictEqual({
    type: 'delivery_canceled',
    courierId: courier.id,
    deliveryId: delivery.id,
    offerId: null,
    ttlRealMs: world.settings.push.changeTtlRealMs,
  });
});

test('[O86] an assignment by a dispatcher is pushed, and its end to the courier who lost the delivery', async () => {
  const { typesFor } = await pushing();
  const courier = await storeCourier(world);
  const { id: deliveryId } = await storeDelivery(world);
  const by = { deliveryId, courierId: courier.id, offerId: null, overrideReason: 'by hand' };
  await assignCourier(world, by, asStaff());
  await passUntil(world, () => typesFor(courier).length === 1);
  await unassignCourier(world, { deliveryId, reason: 'too slow' }, asStaff());
  await passUntil(world, () => typesFor(courier).length === 2);
  expect(typesFor(courier)).toEqual(['delivery_assigned', 'delivery_unassigned']);
});

test('[O86] a connected courier, a step of their own and a delivery without a courier cause no push', async () => {
  const { push, connected, typesFor } = await pushing();
  const there = await storeHeld(world, 'assigned');
  connected.add(there.courier.id);
  await updateDelivery(world, edit(there.delivery.id, 'Ring twice'), asVendor(there.delivery));
  const own = await storeHeld(world, 'assigned');
  await unassignCourier(world, { deliveryId: own.delivery.id, reason: 'flat tyre' }, asCourier(own.courier));
  const nobodys = await storeDelivery(world);
  await updateDelivery(world, edit(nobodys.id, 'Ring twice'), asVendor(nobodys));
  const last = await storeHeld(world, 'assigned');
  await updateDelivery(world, edit(last.delivery.id, 'Ring twice'), asVendor(last.delivery));
  await passUntil(world, () => typesFor(last.courier).length > 0);
  expect(push.sent.map(({ courierId }) => courierId)).toEqual([last.courier.id]);
});

test('[O88] one process of two pushes, and the other takes over when the first stops', async () => {
  const desk = leaseDesk(clock);
  const [first, second] = [await pushing(desk.of('one')), await pushing(desk.of('two'))];
  const { delivery, courier } = await storeHeld(world, 'assigned');
  await updateDelivery(world, edit(delivery.id, 'Ring twice'), asVendor(delivery));
  await passUntil(world, () => first.typesFor(courier).length > 0);
  expect(second.push.sent).toEqual([]);
  await first.stop();
  const next = await storeHeld(world, 'assigned');
  await updateDelivery(world, edit(next.delivery.id, 'Ring twice'), asVendor(next.delivery));
  await passUntil(world, () => second.typesFor(next.courier).length > 0);
  expect(first.typesFor(next.courier)).toEqual([]);
});
