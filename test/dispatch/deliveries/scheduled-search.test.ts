import { expect, test } from 'vitest';
import { createDelivery } from '../../../src/dispatch/deliveries/create-delivery.ts';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aNewDelivery, aNewStop, aStop } from '../../builders.ts';
import { asStaff, asVendor } from '../../callers.ts';
import { minutesFrom, MINUTE } from '../kitchen.ts';
import { passUntil } from '../region-world.ts';
import { searchesIn } from '../searches.ts';
import { openWorld, refusalOf, storeHeld, storeVendor } from '../world.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';

const world = await openWorld('scheduled-search');
const { due, stateOf } = searchesIn(world);

/** A scheduled create whose pickup window opens in `readyInMin`, for an hour. */
async function schedule(readyInMin: number, over: { untilMin?: number; isOpenEnded?: true } = {}) {
  const vendor = await storeVendor(world);
  const now = world.clock.now();
  const readyAt = now + readyInMin * MINUTE;
  const window = { readyAt, deadlineAt: over.isOpenEnded === true ? null : readyAt + 60 * MINUTE };
  const searchUntilAt = over.untilMin === undefined ? null : now + over.untilMin * MINUTE;
  const command = aNewDelivery({
    vendorId: vendor.id,
    priority: 'scheduled',
    pickup: aNewStop(0, { window }),
    searchUntilAt,
    externalId: newId('trk'),
  });
  return (await createDelivery(world, command, asVendor(command))).delivery;
}

const untilMin = ({ searchUntilAt }: { searchUntilAt: number }) => minutesFrom(world.clock.now(), searchUntilAt)[0];

test('[D96] the search of a scheduled delivery lasts until its pickup window closes', async () => {
  expect(untilMin(await schedule(120))).toBe(180);
  // A window without an end has the least width.
  expect(untilMin(await schedule(120, { isOpenEnded: true }))).toBe(130);
});

test('[D96] a named end may be later than that, within a day, and is refused if it is earlier', async () => {
  expect(untilMin(await schedule(120, { untilMin: 200 }))).toBe(200);
  const early = await refusalOf(schedule(120, { untilMin: 179 }));
  expect(early).toMatchObject({ code: 'impossible_value', told: { errors: [{ pointer: '/search_until' }] } });
  expect(early.message).toContain('the end of the pickup window');
});

test('[D96] it moves with a delay of the pickup', async () => {
  const delivery = await schedule(120);
  const command = { deliveryId: delivery.id, to: { minutes: 30 }, reason: null };
  expect(untilMin(await delayPickup(world, command, asVendor(delivery)))).toBe(210);
});

test('[D96] after a courier gives it back, the search lasts until the window closes, or for its limit if that is longer', async () => {
  const now = world.clock.now();
  const held = async (closesInMin: number) => {
    const window = { readyAt: now, deadlineAt: now + closesInMin * MINUTE };
    const times = { createdAt: now - 60 * MINUTE, assignedAt: now };
    const limits = { searchCountsFromAt: now, searchUntilAt: now + closesInMin * MINUTE, searchLimitMs: 15 * MINUTE };
    const pickup = aStop(0, { window });
    const { delivery } = await storeHeld(world, 'assigned', { priority: 'scheduled', pickup, times, ...limits });
    return unassignCourier(world, { deliveryId: delivery.id, reason: 'other' }, asStaff());
  };
  expect(untilMin(await held(50))).toBe(50);
  expect(untilMin(await held(5))).toBe(15);
});

test('[D96] the delivery is not canceled before that', async () => {
  await world.mongo.collection(DELIVERIES).deleteMany({});
  const delivery = await schedule(15);
  due();
  await world.clock.advance(40 * MINUTE);
  await passUntil(world, async () => (await stateOf(delivery)) === 'searching', { stepMs: 1000 });
  await world.clock.advance(34 * MINUTE);
  expect(await stateOf(delivery)).toBe('searching');
  await passUntil(world, async () => (await stateOf(delivery)) === 'canceled', { stepMs: 1000 });
  expect(world.clock.now()).toBeGreaterThanOrEqual(delivery.searchUntilAt);
});
