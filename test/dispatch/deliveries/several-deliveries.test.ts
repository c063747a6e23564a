// A courier who may carry several deliveries, as the readers of each of them see it.
import { expect, test } from 'vitest';
import { deliverStop, depart, failStop, pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { trackState } from '../../../src/dispatch/deliveries/track-state.ts';
import { viewDelivery, viewMany } from '../../../src/dispatch/deliveries/view-delivery.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { DeliveryView } from '../../../src/domain/deliveries/delivery-view.ts';
import { carriedOf } from '../../../src/domain/deliveries/carried.ts';
import { STOP_SERVICE_S, travelS } from '../../../src/domain/deliveries/way.ts';
import { newId, type DeliveryId } from '../../../src/domain/ids.ts';
import { aStop, heldBy } from '../../builders.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { until } from '../../until.ts';
import { keptCarried } from '../../kept-ports.ts';
import { carriedIn } from '../carried-in.ts';
import { stand } from '../region-world.ts';
import { eventsOf, openWorld, storeCourier, storeDelivery, storeVendor } from '../world.ts';

const alone = await openWorld('several-deliveries');
const { carried, isUpToDate } = carriedIn(alone);
/** The same world, which knows what couriers carry. */
const world = { ...alone, carried };

type Etas = DeliveryView['eta'];
const dropOffAt = ({ drop_off: dropOff }: Etas): number => Date.parse(dropOff?.at ?? '');
const etaIn = async (seenIn: typeof alone, id: DeliveryId): Promise<Etas> =>
  (await viewDelivery(seenIn, await alone.deliveries.get(id))).eta;
/** The arrivals in the last event of the delivery. */
const etaTold = async (id: DeliveryId): Promise<Etas | undefined> =>
  (await eventsOf(alone, id)).at(-1)?.data.delivery?.eta;

/** A courier at the pickup of two deliveries, whose drop-offs are one behind the other. */
async function two() {
  const vendor = await storeVendor(alone);
  const courier = await storeCourier(alone, { capacity: 2 });
  const to = (stop: number): Promise<Delivery> => {
    const dropOffs = [aStop(1, { place: aStop(stop).place })];
    return storeDelivery(alone, heldBy(courier, 'assigned', { vendorId: vendor.id, dropOffs }), courier);
  };
  const [near, far] = [await to(1), await to(2)];
  stand(alone, courier.id, aStop(0).place);
  await until(isUpToDate);
  return { courier, doer: asCourier(courier), near, far };
}

test('[D208] reads, lists and tracking pages count the stop that the courier makes first for another delivery', async () => {
  const { near, far } = await two();
  const together = await etaIn(world, far.id);
  expect(dropOffAt(together) - dropOffAt(await etaIn(alone, far.id))).toBeCloseTo(STOP_SERVICE_S * 1000, -3);
  const listed = await viewMany(world, [near, far]);
  expect(listed.map(({ eta }) => eta)).toEqual([await etaIn(alone, near.id), together]);
  expect((await trackState(world, far, 1)).eta).toEqual(together.drop_off);
});

test('[D208] an event has the arrivals of a read, until the other delivery has ended', async () => {
  const { courier, doer, near, far } = await two();
  for (const { id: deliveryId } of [near, far]) {
    await pickUp(world, { deliveryId, overrideReason: null }, doer);
    await until(isUpToDate);
  }
  expect(await etaTold(far.id)).toEqual(await etaIn(world, far.id));
  expect(await etaTold(far.id)).not.toEqual(await etaIn(alone, far.id));
  for (const { id: deliveryId } of [near, far]) await depart(world, { deliveryId, overrideReason: null }, doer);
  stand(alone, courier.id, aStop(1).place);
  await deliverStop(world, { deliveryId: near.id, stop: 1, overrideReason: null }, doer);
  await until(isUpToDate);
  expect(await etaIn(world, far.id)).toEqual(await etaIn(alone, far.id));
});

test('[D208] a return does not count the stop whose failure has opened it', async () => {
  const vendor = await storeVendor(alone);
  const courier = await storeCourier(alone);
  const delivery = await storeDelivery(alone, heldBy(courier, 'in_transit', { vendorId: vendor.id }), courier);
  stand(alone, courier.id, aStop(1).place);
  await until(isUpToDate);
  const at = { deliveryId: delivery.id, stop: 1, overrideReason: null };
  const ended = await failStop(world, { ...at, reason: 'customer_refused', contactTries: [] }, asStaff());
  const [returnId = newId('del')] = ended.related;
  const { pickup } = await alone.deliveries.get(returnId);
  const wayMs = travelS(pickup.place, aStop(0).place, courier.vehicleType) * 1000;
  expect(dropOffAt((await etaTold(returnId))!) - alone.clock.now()).toBeCloseTo(wayMs, -1);
});

test('[D208] a delivery that was taken from its courier does not count their other stops', async () => {
  const { near, far } = await two();
  for (const id of [near.id, far.id]) expect(carried.get(id)).not.toBeNull();
  await unassignCourier(world, { deliveryId: far.id, reason: 'flat tyre' }, asStaff());
  expect(await etaTold(far.id)).toEqual(await etaIn(alone, far.id));
});

test('[D208] an assignment does not count a delivery that has ended, although this process has not heard of it', async () => {
  const vendor = await storeVendor(alone);
  const courier = await storeCourier(alone);
  const ended = carriedOf(heldBy(courier, 'in_transit'))!;
  const { id: deliveryId } = await storeDelivery(alone, { vendorId: vendor.id, state: 'searching' });
  stand(alone, courier.id, aStop(0).place);
  const command = { deliveryId, courierId: courier.id, offerId: null, overrideReason: 'by hand' };
  await assignCourier({ ...alone, carried: keptCarried(ended) }, command, asStaff());
  expect(await etaTold(deliveryId)).toEqual(await etaIn(alone, deliveryId));
});
