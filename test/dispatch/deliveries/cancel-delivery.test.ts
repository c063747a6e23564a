import { describe, expect, test } from 'vitest';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import type { UpdateDelivery } from '../../../src/dispatch/commands.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { aStop } from '../../builders.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import {
  codeOf,
  eventsOf,
  historyOf,
  openWorld,
  refusalOf,
  storeCourier,
  storeDelivery,
  storeHeld,
  storeOffer,
} from '../world.ts';

const world = await openWorld('cancel');

describe('canceling', () => {
  const cancel = (delivery: Delivery, doer: Parameters<typeof cancelDelivery>[2]) =>
    cancelDelivery(world, { deliveryId: delivery.id, reason: 'customer_request' }, doer);

  test('[D26] before the pickup frees the courier and withdraws the offers', async () => {
    const searching = await storeDelivery(world);
    const asked = await storeCourier(world);
    const offer = await storeOffer(world, searching, asked);
    const canceled = await cancel(searching, asVendor(searching));
    expect(canceled).toMatchObject({
      state: 'canceled',
      ending: { by: 'vendor', reason: 'customer_request' },
      related: [],
    });
    expect(canceled.dropOffs).toMatchObject([{ state: 'canceled' }]);
    expect(world.notices.withdrawn.map(({ id }) => id)).toEqual([offer.id]);
    const { delivery, courier } = await storeHeld(world, 'assigned');
    await cancel(delivery, asStaff());
    expect(await world.couriers.get(courier.id)).toMatchObject({ active: [] });
  });

  test('[D27] twice by the same actor is one cancel; by another, or after the end, it is refused', async () => {
    const delivery = await storeDelivery(world);
    const first = await cancel(delivery, asVendor(delivery));
    expect(await cancel(delivery, asVendor(delivery))).toEqual(first);
    expect(await refusalOf(cancel(delivery, asStaff()))).toMatchObject({
      code: 'invalid_state_transition',
      told: { metadata: { from: 'canceled', to: 'canceled', allowed: [] } },
    });
    expect(await historyOf(world, delivery.id)).toEqual(['delivery.created', 'canceled']);
    expect(await codeOf(cancel(delivery, asVendor({ ...delivery, liveMode: true })))).toBe('delivery_not_found');
    const other = await storeDelivery(world);
    await cancel(other, asStaff());
    expect(await codeOf(cancel(other, asStaff()))).toBe('invalid_state_transition');
  });

  test('[D28] after the pickup brings back the undelivered goods, by the same courier', async () => {
    const dropOffs = [aStop(1, { state: 'delivered' }), aStop(2)];
    const { delivery, courier } = await storeHeld(world, 'in_transit', { dropOffs });
    const canceled = await cancel(delivery, asVendor(delivery));
    expect(canceled.dropOffs).toMatchObject([{ state: 'delivered' }, { state: 'canceled' }]);
    const [returnId] = canceled.related;
    if (returnId === undefined) throw new Error('no return was opened');
    expect(await world.couriers.get(courier.id)).toMatchObject({ active: [returnId] });
    expect(await world.deliveries.get(returnId)).toMatchObject({
      kind: 'return',
      state: 'in_transit',
      pickup: { place: dropOffs[1]?.place },
    });
    expect(await historyOf(world, returnId)).toEqual(['delivery.created']);
    expect(await historyOf(world, delivery.id)).toEqual(['delivery.created', 'canceled']);
  });

  test('[D29] a courier may not cancel, and the server itself only cancels if a search has ended', async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned');
    expect(await codeOf(cancel(delivery, asCourier(courier)))).toBe('forbidden');
    const searching = await storeDelivery(world);
    const end = () =>
      cancelDelivery(world, { deliveryId: searching.id, reason: 'no_courier_available' }, { type: 'system' });
    expect(await refusalOf(end())).toMatchObject({ told: { reason: 'search_not_over' } });
    await world.clock.advance(searching.searchUntilAt - world.clock.now());
    expect(await end()).toMatchObject({ state: 'canceled', ending: { by: 'system', reason: 'no_courier_available' } });
    expect(await codeOf(cancel(delivery, { type: 'system' }))).toBe('invalid_state_transition');
  });
});

describe('correcting', () => {
  const update = (delivery: Delivery, stops: UpdateDelivery['stops'], ifVersion: number | null = null) =>
    updateDelivery(world, { deliveryId: delivery.id, ifVersion, stops }, asVendor(delivery));

  test('[D30] instructions and contact change until the stop has ended, with one event', async () => {
    const { delivery, courier } = await storeHeld(world, 'in_transit');
    const contact = { name: 'Alan', phone: '+4930999999' };
    const updated = await update(delivery, [{ stop: 1, instructions: 'back door', contact }]);
    expect(updated).toMatchObject({ state: 'in_transit', stage: delivery.stage, version: 2, madeBy: delivery.madeBy });
    expect(updated.dropOffs).toMatchObject([{ instructions: 'back door', contact }]);
    const [, event] = await eventsOf(world, delivery.id);
    expect(event).toMatchObject({
      type: 'delivery.updated',
      data: { from: 'in_transit', to: 'in_transit' },
      route: { courier_id: courier.id },
    });
    expect(await refusalOf(update(delivery, [{ stop: 0, instructions: 'x' }]))).toMatchObject({
      code: 'update_not_allowed',
      told: { reason: 'stop_ended' },
    });
    expect(await codeOf(update(delivery, [{ stop: 7, instructions: 'x' }]))).toBe('impossible_value');
  });

  test('[D30] an edit that changes nothing makes no event', async () => {
    const delivery = await storeDelivery(world);
    const [stop] = delivery.dropOffs;
    if (stop?.contact === null || stop === undefined) throw new Error('the stop has a contact');
    expect(await update(delivery, [{ stop: 1, instructions: null, contact: stop.contact }])).toEqual(delivery);
    expect(await update(delivery, [])).toEqual(delivery);
    expect(await historyOf(world, delivery.id)).toHaveLength(1);
  });

  test('[D31] a caller with a stale version, a late caller and a stranger are refused', async () => {
    const delivery = await storeDelivery(world);
    const edit = [{ stop: 1, instructions: 'x' }];
    expect(await refusalOf(update(delivery, edit, 7))).toMatchObject({
      code: 'stale_version',
      told: { metadata: { version: 1 } },
    });
    await update(delivery, edit, 1);
    expect(await codeOf(update(delivery, [{ stop: 1, instructions: 'y' }], 1))).toBe('stale_version');
    const stranger = asVendor(await storeDelivery(world));
    expect(
      await codeOf(updateDelivery(world, { deliveryId: delivery.id, ifVersion: null, stops: edit }, stranger)),
    ).toBe('delivery_not_found');
    const courier = asCourier(await storeCourier(world));
    expect(
      await codeOf(updateDelivery(world, { deliveryId: delivery.id, ifVersion: null, stops: edit }, courier)),
    ).toBe('forbidden');
    await cancelDelivery(world, { deliveryId: delivery.id, reason: null }, asStaff());
    expect(await refusalOf(update(delivery, edit))).toMatchObject({
      code: 'update_not_allowed',
      told: { reason: 'delivery_ended' },
    });
  });
});
