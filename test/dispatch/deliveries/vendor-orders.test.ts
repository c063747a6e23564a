import { expect, test } from 'vitest';
import type { NewDelivery } from '../../../src/dispatch/commands.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { createDelivery } from '../../../src/dispatch/deliveries/create-delivery.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import { aNewDelivery } from '../../builders.ts';
import { asVendor } from '../../callers.ts';
import { codeOf, openWorld, refusalOf, storeVendor } from '../world.ts';

const world = await openWorld('vendor orders');
const vendor = await storeVendor(world);
const doer = asVendor({ vendorId: vendor.id, liveMode: false });
const dispatch = (orderId: string, over: Partial<NewDelivery> = {}) =>
  createDelivery(world, aNewDelivery({ vendorId: vendor.id, channel: 'order', orderId, ...over }), doer);
const cancel = (deliveryId: `del_${string}`) => cancelDelivery(world, { deliveryId, reason: null }, doer);
const openOnes = (orderId: string) =>
  world.mongo.collection(DELIVERIES).countDocuments({ vendorId: vendor.id, orderId, state: 'searching' });

test('[B10] an open delivery of the order is returned for the same content and refuses other content', async () => {
  const { delivery } = await dispatch('one');
  expect(delivery).toMatchObject({ orderId: 'one', channel: 'order', externalId: null });
  expect(await dispatch('one')).toEqual({ delivery, isNew: false, isJustBorn: false });
  expect(await refusalOf(dispatch('one', { contentHash: 'other' }))).toMatchObject({
    code: 'duplicate_delivery',
    told: { metadata: { delivery_id: delivery.id }, errors: [] },
  });
  const other = await storeVendor(world);
  const elsewhere = [
    await createDelivery(
      world,
      aNewDelivery({ vendorId: other.id, orderId: 'one' }),
      asVendor({ ...delivery, vendorId: other.id }),
    ),
    await createDelivery(
      world,
      aNewDelivery({ vendorId: vendor.id, orderId: 'one', liveMode: true }),
      asVendor({ ...delivery, liveMode: true }),
    ),
    await createDelivery(world, aNewDelivery({ vendorId: vendor.id, externalId: 'one' }), doer),
  ];
  expect(elsewhere.map(({ isNew }) => isNew)).toEqual([true, true, true]);
});

test('[B11] an order whose delivery has ended gets a new delivery, with any content', async () => {
  const first = await dispatch('again');
  await cancel(first.delivery.id);
  const second = await dispatch('again', { contentHash: 'other' });
  expect([second.isNew, second.delivery.id === first.delivery.id]).toEqual([true, false]);
  expect(await codeOf(dispatch('again'))).toBe('duplicate_delivery');
  expect(await dispatch('again', { contentHash: 'other' })).toMatchObject({ isNew: false });
  await cancel(second.delivery.id);
  expect((await dispatch('again')).isNew).toBe(true);
});

test('[B12] of 30 equal dispatches one makes a delivery, before and after an earlier one has ended', async () => {
  for (let round = 0; round < 2; round += 1) {
    const made = await Promise.all(Array.from({ length: 30 }, () => dispatch('crowd')));
    expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
    const [id, ...others] = new Set(made.map(({ delivery }) => delivery.id));
    expect(others).toEqual([]);
    expect(await openOnes('crowd')).toBe(1);
    await cancel(id!);
  }
});
