import { expect, test } from 'vitest';
import { arriveAtStop, deliverStop, failStop, pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { trackState } from '../../../src/dispatch/deliveries/track-state.ts';
import { viewDelivery } from '../../../src/dispatch/deliveries/view-delivery.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { delayReasonOf, type Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { present } from '../../../src/domain/views/present-event.ts';
import { TrackView } from '../../../src/domain/views/track-view.ts';
import { takeSnapshot } from '../../../src/realtime/relay/snapshot.ts';
import { aStop } from '../../builders.ts';
import { asStaff, asVendor } from '../../callers.ts';
import { stand } from '../region-world.ts';
import { eventsOf, openWorld, storeDelivery, storeHeld, storeVendor } from '../world.ts';

const world = await openWorld('track-state');
const staff = asStaff();
const at = ({ id: deliveryId }: Delivery, stop: number) => ({ deliveryId, stop, overrideReason: null });

/** A delivery on the way to three drop-offs, visited in the order 2, 3, 1. */
async function threeDoors() {
  const vendor = await storeVendor(world);
  const dropOffs = [
    aStop(1, { visit: 3, instructions: 'first listed' }),
    aStop(2, { visit: 1, instructions: 'first visited' }),
    aStop(3, { visit: 2, instructions: 'second visited' }),
  ];
  const { delivery, courier } = await storeHeld(world, 'in_transit', { vendorId: vendor.id, dropOffs });
  stand(world, courier.id, aStop(0).place);
  return { vendor, delivery, courier };
}

/** The views of the three recipients, in the order of the list. */
async function seen({ id }: Delivery): Promise<TrackView[]> {
  const delivery = await world.deliveries.get(id);
  return Promise.all([1, 2, 3].map((stop) => trackState(world, delivery, stop)));
}

test('[D40] a recipient sees the vendor, the first name of the courier, the steps and their own drop-off', async () => {
  const { vendor, delivery } = await threeDoors();
  const [first] = await seen(delivery);
  expect(TrackView.parse(first)).toMatchObject({
    status: 'in_transit',
    vendor: { name: vendor.name, accent: vendor.accent },
    courier: { first_name: 'Grace', vehicle_type: 'scooter' },
    drop_off: { ...aStop(1).place, instructions: 'first listed' },
    reason: null,
    clock: { now: world.clock.now(), scale: 1 },
  });
  expect(JSON.stringify(first)).not.toMatch(/cou_|ven_|Hopper|\+49|visited/);
});

test('[D94] each recipient sees their own arrival and how many stops come before theirs', async () => {
  const { delivery } = await threeDoors();
  const views = await seen(delivery);
  expect(views.map(({ stops_before: before }) => before)).toEqual([2, 0, 1]);
  const { drop_off: doors } = await viewDelivery(world, delivery);
  expect(views.map(({ eta }) => eta?.at)).toEqual(doors.map(({ eta_at: etaAt }) => etaAt));
});

test('[H532] a recipient has no time of arrival while their courier is lost, or while the search takes too long', async () => {
  const { vendor, delivery, courier } = await threeDoors();
  const known = async () => (await seen(delivery)).map(({ eta }) => eta !== null);
  const { alarmAfterMs } = world.settings.search;
  const { lostAfterMs } = world.settings.presence;
  const start = world.clock.now();
  const sought = await storeDelivery(world, { vendorId: vendor.id, state: 'searching', searchCountsFromAt: start });
  const isKnown = async () => (await trackState(world, sought, 1)).eta !== null;
  await world.clock.advance(lostAfterMs);
  expect(await known()).toEqual([true, true, true]);
  await world.clock.advance(1);
  expect(await known()).toEqual([false, false, false]);
  stand(world, courier.id, aStop(0).place);
  expect(await known()).toEqual([true, true, true]);
  await world.clock.advance(start + alarmAfterMs - 1 - world.clock.now());
  expect(await isKnown()).toBe(true);
  await world.clock.advance(1);
  expect(await isKnown()).toBe(false);
});

test('[D94] a recipient sees nothing of another stop: only the count changes', async () => {
  const { delivery } = await threeDoors();
  const story = async () =>
    (await seen(delivery)).map(({ status, stage, stops_before: before }) => [status, stage, before]);
  await arriveAtStop(world, at(delivery, 2), { type: 'system' });
  const onTheWay = 'en_route_to_drop_off';
  expect(await story()).toEqual([
    ['in_transit', onTheWay, 2],
    ['in_transit', 'arrived_at_drop_off', 0],
    ['in_transit', onTheWay, 1],
  ]);
  await failStop(world, { ...at(delivery, 2), reason: 'customer_refused', contactTries: [] }, staff);
  expect(await story()).toEqual([
    ['in_transit', onTheWay, 1],
    ['failed', null, 0],
    ['in_transit', onTheWay, 0],
  ]);
  await deliverStop(world, at(delivery, 3), staff);
  await cancelDelivery(world, { deliveryId: delivery.id, reason: 'price' }, staff);
  const ends = (await seen(delivery)).map(({ status, reason, eta }) => [status, reason, eta]);
  expect(ends).toEqual([
    ['canceled', 'price', null],
    ['failed', 'customer_refused', null],
    ['delivered', null, null],
  ]);
});

test('[D94] a stop that was served before its turn has ended, with its own time', async () => {
  const { delivery } = await threeDoors();
  await deliverStop(world, at(delivery, 1), staff);
  const servedAt = new Date(world.clock.now()).toISOString();
  await world.clock.advance(600_000);
  const [first, second] = await seen(delivery);
  expect(first).toMatchObject({ status: 'delivered', stops_before: 0, eta: null, steps: { ended_at: servedAt } });
  expect(second).toMatchObject({ status: 'in_transit', steps: { ended_at: null } });
});

test('[D98] courier and recipients see why the pickup was put off, until the goods are ready or collected', async () => {
  const vendor = await storeVendor(world);
  const { delivery } = await storeHeld(world, 'assigned', { vendorId: vendor.id });
  const deliveryId = delivery.id;
  const told = async () => {
    const now = await world.deliveries.get(deliveryId);
    const { delivery: courier } = await takeSnapshot(world, now, 'courier');
    return [
      (await trackState(world, now, 1)).delay_reason,
      'delay_reason' in courier ? courier.delay_reason : undefined,
    ];
  };
  expect(await told()).toEqual([null, null]);
  const delay = (minutes: number, reason: string | null) =>
    delayPickup(world, { deliveryId, to: { minutes }, reason }, asVendor(delivery));
  await delay(10, 'the oven is full');
  expect(await told()).toEqual(['the oven is full', 'the oven is full']);
  expect(JSON.stringify((await world.eventLog.list(deliveryId, 1, 1))[0]?.data)).toContain('the oven is full');
  await pickUp(world, { ...at(delivery, 0), overrideReason: 'none' }, staff);
  expect(await told()).toEqual([null, null]);
});

test('[D98] a later delay without a reason removes the earlier reason', async () => {
  const { delivery } = await storeHeld(world, 'assigned');
  const delay = (minutes: number, reason: string | null) =>
    delayPickup(world, { deliveryId: delivery.id, to: { minutes }, reason }, asVendor(delivery));
  expect(delayReasonOf(await delay(10, 'the oven is full'))).toBe('the oven is full');
  expect(delayReasonOf(await delay(5, null))).toBeNull();
});

test('[D40] a recipient does not see what a person wrote about a courier who lost the delivery', async () => {
  const { delivery } = await storeHeld(world, 'assigned');
  await unassignCourier(world, { deliveryId: delivery.id, reason: 'call the brother' }, asStaff());
  const event = (await eventsOf(world, delivery.id)).at(-1);
  if (event?.type !== 'courier.unassigned') throw new Error('no courier was unassigned');
  expect(present(event, 'vendor').data.reason).toBe('call the brother');
  expect(present(event, { stop: 1 }).data).not.toHaveProperty('reason');
});
