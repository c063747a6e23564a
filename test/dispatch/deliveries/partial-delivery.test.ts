import { describe, expect, test } from 'vitest';
import { deliverStop, failStop } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { Stop } from '../../../src/domain/deliveries/stops/stop.ts';
import { aStop, NOON } from '../../builders.ts';
import { asStaff } from '../../callers.ts';
import { eventsOf, historyOf, openWorld, storeHeld } from '../world.ts';

const world = await openWorld('partial-delivery');
const staff = asStaff();

const at = ({ id: deliveryId }: Delivery, stop: number) => ({ deliveryId, stop, overrideReason: null });
const fail = (delivery: Delivery, stop: number) =>
  failStop(world, { ...at(delivery, stop), reason: 'customer_refused', contactTries: [] }, staff);
const deliver = (delivery: Delivery, stop: number) => deliverStop(world, at(delivery, stop), staff);

/** A delivery on the way to three drop-offs. */
const three = (second: Partial<Stop> = {}) =>
  storeHeld(world, 'in_transit', { dropOffs: [aStop(1), aStop(2, second), aStop(3)] });

describe('a delivery that is delivered in part', () => {
  test.each([
    { last: 'delivers', end: deliver, left: 2 },
    { last: 'fails', end: fail, left: 3 },
  ])('[D93] opens a return in the same commit when the last stop $last', async ({ end, left }) => {
    const { delivery, courier } = await three();
    await deliver(delivery, 1);
    await fail(delivery, 2);
    const done = await end(delivery, 3);
    expect(done).toMatchObject({ state: 'delivered', outcome: 'partial', related: [expect.any(String)] });
    const [returnId] = done.related;
    if (returnId === undefined) throw new Error('no return was opened');
    const back = await world.deliveries.get(returnId);
    expect(back).toMatchObject({
      kind: 'return',
      state: 'in_transit',
      courierId: courier.id,
      related: [delivery.id],
      outcome: null,
      fee: 0,
      pickup: { place: delivery.dropOffs[left - 1]?.place, state: 'delivered' },
      dropOffs: [{ place: delivery.pickup.place, state: 'pending' }],
    });
    expect(await historyOf(world, returnId)).toEqual(['delivery.created']);
    expect((await eventsOf(world, delivery.id)).at(-1)?.data.delivery?.related_deliveries).toEqual([returnId]);
    expect((await world.couriers.get(courier.id)).active).toEqual([returnId]);
    await deliver(back, 1);
    expect((await world.couriers.get(courier.id)).active).toEqual([]);
  });

  test('[D93] opens no return if the goods of its failed stops are to be discarded, or if no stop failed', async () => {
    const discarded = await three({ undeliverableAction: 'discard' });
    await deliver(discarded.delivery, 1);
    await fail(discarded.delivery, 2);
    expect(await deliver(discarded.delivery, 3)).toMatchObject({ outcome: 'partial', related: [] });
    const whole = await three();
    for (const stop of [1, 2]) await deliver(whole.delivery, stop);
    expect(await deliver(whole.delivery, 3)).toMatchObject({ outcome: 'complete', related: [] });
    expect((await world.couriers.get(whole.courier.id)).active).toEqual([]);
  });

  test('[D162] goods stay at the door of a failed drop-off if the courier was there, else they come back', async () => {
    const left = await three({ undeliverableAction: 'leave_at_door', state: 'arrived', arrivedAt: NOON });
    await deliver(left.delivery, 1);
    await fail(left.delivery, 2);
    expect(await deliver(left.delivery, 3)).toMatchObject({ outcome: 'partial', related: [] });
    const never = await three({
      undeliverableAction: 'leave_at_door',
      arrivedAt: null,
      items: [{ name: 'Rye', quantity: 2 }],
    });
    await deliver(never.delivery, 1);
    await fail(never.delivery, 2);
    const { related } = await deliver(never.delivery, 3);
    const [back] = await world.deliveries.findMany(related);
    expect(back?.dropOffs[0]).toMatchObject({ items: [{ name: 'Rye', quantity: 2 }] });
    expect(back?.tip).toBeUndefined();
  });
});
