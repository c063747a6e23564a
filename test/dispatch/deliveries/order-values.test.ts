import { expect, test } from 'vitest';
import { deliverStop } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import type { DeliveryId } from '../../../src/domain/ids.ts';
import { ENTRIES } from '../../../src/models/ledger/ledger-shapes.ts';
import { aNewStop } from '../../builders.ts';
import { asStaff } from '../../callers.ts';
import { at, carry, openShop } from '../shop.ts';
import { openWorld, refusalOf } from '../world.ts';

const world = await openWorld('order values');
const staff = asStaff();

test('[J190] an order value that a service collected is booked in the transaction of the charge, once', async () => {
  const { create, balance, doer, vendorId } = await openShop(world, 10_000);
  const dropOffs = [{ ...aNewStop(1), orderValue: 5000 }];
  const { delivery } = await carry(
    world,
    await create({ dropOffs, extras: { orderValueCollectedBy: 'service' } }),
    'in_transit',
  );
  const value = () => world.mongo.collection(ENTRIES).findOne({ _id: `order_value:${delivery.id}` });
  expect(await value()).toBeNull();
  const deliver = () => deliverStop(world, at(delivery, 1), staff);
  const cancel = () =>
    cancelDelivery({ ...world, ...world.elsewhere }, { deliveryId: delivery.id, reason: null }, doer);
  await Promise.allSettled([deliver(), cancel()]);
  const { state } = await world.deliveries.get(delivery.id);
  const entry = await value();
  expect(entry !== null).toBe(state === 'delivered');
  if (entry !== null) expect(entry).toMatchObject({ kind: 'order_value', vendorId, about: delivery.id });
  expect((await balance()).held).toBe(0);
  const own = await carry(world, await create({ dropOffs }), 'in_transit');
  await deliverStop(world, at(own.delivery, 1), staff);
  expect(await world.mongo.collection(ENTRIES).findOne({ _id: `order_value:${own.delivery.id}` })).toBeNull();
});

test('[J191] an order value that was collected can no longer change', async () => {
  const { create, doer } = await openShop(world, 10_000);
  const dropOffs = [{ ...aNewStop(1), orderValue: 5000 }];
  const change = ({ id }: { readonly id: DeliveryId }, orderValue: number) =>
    updateDelivery(world, { deliveryId: id, ifVersion: null, stops: [{ stop: 1, orderValue }] }, doer);
  const collected = await create({ dropOffs, extras: { orderValueCollectedBy: 'service' } });
  expect(await refusalOf(change(collected, 9000))).toMatchObject({
    code: 'update_not_allowed',
    told: { reason: 'order_value_collected' },
  });
  expect((await change(await create({ dropOffs }), 9000)).dropOffs[0]).toMatchObject({ orderValue: 9000 });
});
