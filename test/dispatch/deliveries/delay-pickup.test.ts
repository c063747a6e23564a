import { expect, test } from 'vitest';
import { arriveAtStop } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import type { DelayPickup, Doer } from '../../../src/dispatch/commands.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { markReady } from '../../../src/dispatch/deliveries/mark-ready.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { makeOffer, planRound } from '../../../src/dispatch/regions/run/offer-round.ts';
import { preparationAtBirth, type Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { searchFor } from '../../../src/domain/deliveries/search.ts';
import { aStop } from '../../builders.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { MINUTE, minutesFrom, orderOf, ordersIn, spanOf, windowOf } from '../kitchen.ts';
import { codeOf, eventsOf, historyOf, openWorld, refusalOf, storeCourier, storeHeld, storeOffer } from '../world.ts';

const world = await openWorld('delay-pickup');
const order = ordersIn(world);

function delay(delivery: Delivery, to: DelayPickup['to'], doer: Doer = asVendor(delivery)) {
  return delayPickup(world, { deliveryId: delivery.id, to, reason: 'oven' }, doer);
}

test('[D63] moves the window and the search, also for a scheduled delivery; drop-off windows stay', async () => {
  for (const state of ['searching', 'scheduled'] as const) {
    const now = world.clock.now();
    const dropOffs = [aStop(1, { window: { readyAt: null, deadlineAt: now + 80 * MINUTE } })];
    const priority = state === 'scheduled' ? 'scheduled' : 'express';
    const delivery = await order(40, { state, priority, dropOffs });
    const after = await delay(delivery, { minutes: 15 });
    expect(minutesFrom(now, windowOf(after)?.readyAt, windowOf(after)?.deadlineAt)).toEqual([55, 65]);
    expect(minutesFrom(now, ...spanOf(after))).toEqual([35, 44, state === 'scheduled' ? 65 : 59]);
    expect(after.dropOffs).toEqual(dropOffs);
    const until = await delay(delivery, { readyAt: now + 70 * MINUTE });
    expect(minutesFrom(now, windowOf(until)?.readyAt, ...spanOf(until))).toEqual([
      70,
      50,
      59,
      state === 'scheduled' ? 80 : 74,
    ]);
    expect(await historyOf(world, delivery.id)).toEqual(['delivery.created', 'delivery.delayed', 'delivery.delayed']);
  }
});

test('[D63] a search that counts since the goods were reported ready does not end sooner after a delay', async () => {
  const delivery = await order(40);
  await world.clock.advance(29 * MINUTE);
  await markReady(world, { deliveryId: delivery.id, ifVersion: null, readyAt: null }, asVendor(delivery));
  await world.clock.advance(MINUTE);
  const after = await delay(delivery, { minutes: 1 });
  expect(minutesFrom(world.clock.now(), windowOf(after)?.readyAt, ...spanOf(after))).toEqual([1, -10, -1, 14]);
});

test('[D63] a search that waited for an estimate follows the named time', async () => {
  const now = world.clock.now();
  const preparation = preparationAtBirth(null, 40 * MINUTE);
  const span = searchFor(
    { namedAt: null, estimatedAt: now + 40 * MINUTE, closesAt: null },
    15 * MINUTE,
    world.settings.search,
    now,
  );
  const delivery = await order(null, { preparation, ...span });
  expect(minutesFrom(now, ...spanOf(delivery))).toEqual([0, 29, 44]);
  await world.clock.advance(MINUTE);
  expect(minutesFrom(now, ...spanOf(await delay(delivery, { minutes: 10 })))).toEqual([0, 1, 16]);
});

test('[D63] counts from now if the named time has passed, or if none was named', async () => {
  const delivery = await order(5);
  const unnamed = await order(null);
  await world.clock.advance(12 * MINUTE);
  const now = world.clock.now();
  const after = await delay(delivery, { minutes: 10 });
  expect(minutesFrom(now, windowOf(after)?.readyAt, windowOf(after)?.deadlineAt)).toEqual([10, 20]);
  // A running search continues, as if the order had named that time.
  expect(minutesFrom(now, ...spanOf(after))).toEqual([-10, -1, 14]);
  const other = await delay(unnamed, { minutes: 10 });
  expect(windowOf(other)).toEqual({ readyAt: now + 10 * MINUTE, deadlineAt: null });
  const [, event] = await eventsOf(world, unnamed.id);
  expect(event).toMatchObject({
    type: 'delivery.delayed',
    data: { reason: 'oven', ready_at: new Date(now + 10 * MINUTE).toISOString() },
  });
});

test('[D64] the same request twice is one delay', async () => {
  const [byTime, byMinutes] = [await order(30), await order(30)];
  const now = world.clock.now();
  const until = { readyAt: now + 45 * MINUTE };
  const first = await delay(byTime, until);
  const second = await delay(byMinutes, { minutes: 15 });
  await world.clock.advance(50_000);
  expect(await delay(byTime, until)).toEqual(first);
  expect(await delay(byMinutes, { minutes: 15 })).toEqual(second);
  expect(await historyOf(world, byMinutes.id)).toEqual(['delivery.created', 'delivery.delayed']);
  const sent = await order(30);
  const answers = await Promise.all(Array.from({ length: 8 }, () => delay(sent, { minutes: 15 })));
  expect(new Set(answers.map(({ version }) => version))).toEqual(new Set([2]));
  // Another actor, or the same one later on, means another delay.
  expect(minutesFrom(now, windowOf(await delay(byMinutes, { minutes: 15 }, asStaff()))?.readyAt)).toEqual([60]);
  const third = await order(30);
  const start = world.clock.now();
  await delay(third, { minutes: 15 });
  await world.clock.advance(61_000);
  expect(minutesFrom(start, windowOf(await delay(third, { minutes: 15 }))?.readyAt)).toEqual([60]);
  expect(await delay(byTime, until)).toEqual(first);
});

test('[D65] only later, twice at most and by 60 min in all', async () => {
  const delivery = await order(30);
  const now = world.clock.now();
  for (const minutes of [29, 0, -5]) {
    expect(await refusalOf(delay(delivery, { readyAt: now + minutes * MINUTE }))).toMatchObject({
      code: 'impossible_value',
      told: { errors: [{ pointer: '/ready_at', code: 'out_of_range' }] },
    });
  }
  await delay(delivery, { minutes: 40 });
  expect(await refusalOf(delay(delivery, { minutes: 25 }))).toMatchObject({
    code: 'update_not_allowed',
    told: {
      reason: 'delayed_too_long',
      metadata: { ready_at_most: new Date(now + 90 * MINUTE).toISOString() },
    },
  });
  const last = await delay(delivery, { minutes: 20 });
  expect(last.preparation).toMatchObject({ delays: 2, delayedMs: 60 * MINUTE });
  expect(await refusalOf(delay(delivery, { minutes: 1 }))).toMatchObject({
    code: 'update_not_allowed',
    told: { reason: 'delayed_too_often', metadata: { at_most: 2 } },
  });
  expect(await historyOf(world, delivery.id)).toHaveLength(3);
});

test('[D65] only before the goods are collected, and only by callers who speak for the kitchen', async () => {
  const { delivery: held, courier } = await storeHeld(world, 'assigned');
  expect(await codeOf(delay(held, { minutes: 5 }, asCourier(courier)))).toBe('forbidden');
  expect(await codeOf(delay(held, { minutes: 5 }, asVendor(await order(null))))).toBe('delivery_not_found');
  for (const state of ['picked_up', 'in_transit'] as const) {
    const { delivery } = await storeHeld(world, state);
    expect(await refusalOf(delay(delivery, { minutes: 5 }))).toMatchObject({ told: { reason: 'stop_ended' } });
  }
  const over = await order(30);
  await cancelDelivery(world, { deliveryId: over.id, reason: null }, asVendor(over));
  expect(await refusalOf(delay(over, { minutes: 5 }))).toMatchObject({ told: { reason: 'delivery_ended' } });
});

test('[D66] withdraws open offers if the goods are far from ready, and leaves them otherwise', async () => {
  const delivery = await order(5);
  const offer = await storeOffer(world, delivery, await storeCourier(world));
  await delay(delivery, { minutes: 4 });
  expect(await world.offers.listOpen([delivery.id])).toMatchObject([{ id: offer.id, state: 'open' }]);
  await delay(delivery, { minutes: 5 });
  expect(await world.offers.listOpen([delivery.id])).toEqual([]);
  expect(await world.offers.find(offer.id)).toMatchObject({ state: 'withdrawn', reason: 'delayed' });
  expect(world.notices.withdrawn.at(-1)).toMatchObject({ id: offer.id, reason: 'delayed' });
  // The withdrawal does not count against the courier: they may receive another offer when it is time.
  expect(await world.offers.listClosed([delivery.id], 0)).toEqual([]);
  const slow = await order(0);
  const asked = await storeOffer(world, slow, await storeCourier(world));
  const after = await delay(slow, { minutes: 30 });
  expect(after.searchFromAt).toBeGreaterThan(world.clock.now());
  expect((await world.offers.find(asked.id))?.reason).toBe('delayed');
});

test('[D66] a delay between the read of the leader and the insert of an offer leaves no offer open', async () => {
  const read = await order(0);
  const { id: courierId } = await storeCourier(world);
  const after = await delay(read, { minutes: 10 });
  // The search continues as before, so that only the delay itself makes the difference.
  expect(after).toMatchObject({ state: 'searching', searchFromAt: read.searchFromAt });
  const round = planRound(read, [], world.settings.offers);
  const ask = (delivery: Delivery) => makeOffer(delivery, courierId, round, 1, world.clock.now());
  expect(await world.offers.open(ask(read))).toBe(false);
  expect(await world.offers.listOpen([read.id])).toEqual([]);
  expect(await world.offers.open(ask(after))).toBe(true);
});

test('[D66] a courier who has the delivery keeps it and is informed', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned', orderOf(world, 10));
  const at = { deliveryId: delivery.id, stop: 0, overrideReason: 'no satellites' };
  const there = await arriveAtStop(world, at, asCourier(courier));
  const after = await delay(delivery, { minutes: 30 });
  expect(after).toMatchObject({ state: 'assigned', stage: 'arrived_at_pickup', courierId: courier.id });
  expect(spanOf(after)).toEqual(spanOf(there));
  expect((await eventsOf(world, delivery.id)).at(-1)).toMatchObject({
    type: 'delivery.delayed',
    route: { courier_id: courier.id },
  });
  expect(await world.couriers.get(courier.id)).toMatchObject({ active: [delivery.id] });
});

test('[D67] takes back the report that the goods are ready', async () => {
  const delivery = await order(20);
  await markReady(world, { deliveryId: delivery.id, ifVersion: null, readyAt: null }, asVendor(delivery));
  const now = world.clock.now();
  const after = await delay(delivery, { minutes: 10 });
  expect(after.times.readyAt).toBeNull();
  expect(windowOf(after)?.readyAt).toBe(now + 10 * MINUTE);
  await world.clock.advance(9 * MINUTE);
  expect(
    (await markReady(world, { deliveryId: delivery.id, ifVersion: null, readyAt: null }, asVendor(delivery))).times
      .readyAt,
  ).toBe(now + 9 * MINUTE);
  expect(await historyOf(world, delivery.id)).toEqual([
    'delivery.created',
    'delivery.ready',
    'delivery.delayed',
    'delivery.ready',
  ]);
});

test('[J54] a delay after the arrival keeps the ready time that waiting counts from, until the courier loses the delivery', async () => {
  const now = world.clock.now();
  const readyAt = now - 5 * MINUTE;
  const pickup = aStop(0, { state: 'arrived', arrivedAt: now, window: { readyAt, deadlineAt: null } });
  const { delivery } = await storeHeld(world, 'assigned', { pickup });
  for (const minutes of [3, 9]) {
    const after = await delay(delivery, { minutes });
    expect(after.pickup.window?.readyAt).toBeGreaterThan(now);
    expect(after.preparation.waitsFromAt).toBe(readyAt);
  }
  const lost = await unassignCourier(world, { deliveryId: delivery.id, reason: 'flat tyre' }, asStaff());
  expect(lost.preparation).not.toHaveProperty('waitsFromAt');
});
