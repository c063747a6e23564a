import { expect, test } from 'vitest';
import { pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import type { Doer } from '../../../src/dispatch/commands.ts';
import { markReady } from '../../../src/dispatch/deliveries/mark-ready.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { waitOf } from '../../../src/money/charges/wait.ts';
import { aStop, NOON } from '../../builders.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { MINUTE, minutesFrom, orderOf, ordersIn, spanOf, windowOf } from '../kitchen.ts';
import { codeOf, eventsOf, historyOf, openWorld, refusalOf, storeHeld } from '../world.ts';

const world = await openWorld('mark-ready');
const order = ordersIn(world);

function ready(
  delivery: Delivery,
  over: Partial<Parameters<typeof markReady>[1]> = {},
  doer: Doer = asVendor(delivery),
) {
  return markReady(world, { deliveryId: delivery.id, ifVersion: null, readyAt: null, ...over }, doer);
}

test('[D60] moves pickup and search forward, with one event and one ring', async () => {
  const delivery = await order(40);
  const now = world.clock.now();
  expect(minutesFrom(now, delivery.searchFromAt)).toEqual([20]);
  const rings = world.bell.rung.length;
  const after = await ready(delivery);
  expect(after).toMatchObject({ state: 'searching', version: 2, madeBy: delivery.madeBy, times: { readyAt: now } });
  expect(minutesFrom(now, windowOf(after)?.readyAt, windowOf(after)?.deadlineAt)).toEqual([0, 50]);
  expect(minutesFrom(now, ...spanOf(after))).toEqual([0, 0, 15]);
  expect(world.bell.rung.slice(rings)).toEqual([delivery.region]);
  const [, event] = await eventsOf(world, delivery.id);
  expect(event).toMatchObject({
    type: 'delivery.ready',
    data: {
      from: 'searching',
      to: 'searching',
      actor: { type: 'vendor' },
      ready_at: new Date(now).toISOString(),
      delivery: { timestamps: { ready_at: new Date(now).toISOString() } },
    },
  });
  expect(await world.deliveries.listSearching(delivery.region, 100)).toContainEqual(after);
});

test('[D60] a ready time that has passed stays as it was named, and a running search continues', async () => {
  const delivery = await order(5);
  const named = windowOf(delivery);
  await world.clock.advance(8 * MINUTE);
  const after = await ready(delivery);
  expect(windowOf(after)).toEqual(named);
  expect(after.times.readyAt).toBe(world.clock.now());
  expect(spanOf(after)).toEqual(spanOf(delivery));
});

test('[D60] a running search that did not count yet counts from the report on', async () => {
  const delivery = await order(15);
  await world.clock.advance(2 * MINUTE);
  const now = world.clock.now();
  expect(minutesFrom(now, ...spanOf(delivery))).toEqual([-2, 2, 17]);
  expect(minutesFrom(now, ...spanOf(await ready(delivery)))).toEqual([-2, 0, 15]);
});

test('[D60] without a named time the pickup has one from now on, but none after its deadline', async () => {
  const now = world.clock.now();
  expect(windowOf(await ready(await order(null)))).toEqual({ readyAt: now, deadlineAt: null });
  const window = { readyAt: null, deadlineAt: now - MINUTE };
  const late = await order(null, { pickup: aStop(0, { window }) });
  expect(windowOf(await ready(late))).toEqual({ readyAt: now - MINUTE, deadlineAt: now - MINUTE });
});

test('[D60] a report about the past makes no courier late', async () => {
  const onTheWay = await order(30);
  const { delivery: there } = await storeHeld(world, 'assigned', {
    ...orderOf(world, 30),
    pickup: aStop(0, { state: 'arrived', arrivedAt: world.clock.now() + 5 * MINUTE, window: windowOf(onTheWay) }),
  });
  await world.clock.advance(10 * MINUTE);
  const now = world.clock.now();
  const since = { readyAt: now - 8 * MINUTE };
  expect(minutesFrom(now, windowOf(await ready(onTheWay, since))?.readyAt)).toEqual([0]);
  const known = await ready(there, since);
  expect(minutesFrom(now, windowOf(known)?.readyAt, known.times.readyAt)).toEqual([-5, -8]);
});

test('[J54] a late report of goods without a ready time makes no waiting free', async () => {
  const arrivedAt = world.clock.now();
  const pickup = aStop(0, { state: 'arrived', arrivedAt });
  const { delivery } = await storeHeld(world, 'assigned', { pickup });
  await world.clock.advance(40 * MINUTE);
  const after = await ready(delivery);
  expect(waitOf({ ...after }, world.clock.now(), world.settings.charges).minutes).toBe(30);
});

test('[D61] twice is once, even if the goods have been collected', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned', orderOf(world, 10));
  const first = await ready(delivery);
  expect(first).toMatchObject({ state: 'assigned', courierId: courier.id, stage: delivery.stage });
  await world.clock.advance(MINUTE);
  expect(await ready(delivery, {}, asStaff())).toEqual(first);
  expect(await ready(delivery, { readyAt: NOON })).toEqual(first);
  const collected = await pickUp(
    world,
    { deliveryId: delivery.id, overrideReason: 'no satellites' },
    asCourier(courier),
  );
  expect(await ready(delivery)).toEqual(collected);
  expect(await historyOf(world, delivery.id)).toEqual(['delivery.created', 'delivery.ready', 'picked_up']);
});

test('[D61] not after the end, not in the future, not if the goods were collected without a report', async () => {
  const { delivery } = await storeHeld(world, 'picked_up');
  expect(await refusalOf(ready(delivery))).toMatchObject({
    code: 'update_not_allowed',
    told: { reason: 'stop_ended', metadata: { stop: 0 } },
  });
  const other = await order(10);
  const now = world.clock.now();
  expect(await refusalOf(ready(other, { readyAt: now + 2 * MINUTE }))).toMatchObject({
    code: 'impossible_value',
    told: { errors: [{ pointer: '/ready_at', code: 'out_of_range' }] },
  });
  expect((await ready(other, { readyAt: now + 30_000 })).times.readyAt).toBe(now);
  await cancelDelivery(world, { deliveryId: other.id, reason: null }, asVendor(other));
  expect(await refusalOf(ready(other))).toMatchObject({ told: { reason: 'delivery_ended' } });
});

test('[D61] only by callers who speak for the kitchen, and only with the present version', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  expect(await codeOf(ready(delivery, {}, asCourier(courier)))).toBe('forbidden');
  expect(await codeOf(ready(delivery, {}, { type: 'system' }))).toBe('forbidden');
  expect(await codeOf(ready(delivery, {}, asVendor(await order(null))))).toBe('delivery_not_found');
  expect(await refusalOf(ready(delivery, { ifVersion: 7 }))).toMatchObject({
    code: 'stale_version',
    told: { metadata: { version: 1 } },
  });
});

test('[D62] a scheduled pickup keeps its window and its search', async () => {
  const delivery = await order(120, { state: 'scheduled', priority: 'scheduled' });
  const after = await ready(delivery);
  expect(after).toMatchObject({ state: 'scheduled', times: { readyAt: world.clock.now() } });
  expect([windowOf(after), after.searchFromAt]).toEqual([windowOf(delivery), delivery.searchFromAt]);
});

test('[D62] goods that were ready before the order count from the order', async () => {
  const delivery = await order(null);
  await world.clock.advance(5 * MINUTE);
  const after = await ready(delivery, { readyAt: delivery.times.createdAt - 3_600_000 });
  expect(after.times.readyAt).toBe(delivery.times.createdAt);
  const [, event] = await eventsOf(world, delivery.id);
  expect(event?.data.ready_at).toBe(new Date(delivery.times.createdAt).toISOString());
});
