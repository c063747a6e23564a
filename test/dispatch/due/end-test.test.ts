import { expect, test } from 'vitest';
import { endTest } from '../../../src/dispatch/due/end-test.ts';
import { startDue } from '../../../src/dispatch/due/run-due.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { testOverAt } from '../../../src/domain/deliveries/due.ts';
import { keptCarried, keptMetrics } from '../../kept-ports.ts';
import { aDelivery, aStop, NOON } from '../../builders.ts';
import { leaseDesk, passUntil, running } from '../region-world.ts';
import { codeOf, historyOf, openWorld, storeDelivery, storeHeld } from '../world.ts';

const HOUR = 3_600_000;
const world = await openWorld('end-test');
const rules = { testExpiresAfterMs: HOUR };

test('[D174] a test is over an hour after its last event, its last window and its search; a live delivery never is', () => {
  const untilAt = aDelivery().searchUntilAt;
  expect(testOverAt(aDelivery({ liveMode: false }), rules)).toBe(untilAt + HOUR);
  const window = { readyAt: null, deadlineAt: NOON + 5 * HOUR };
  const late = aDelivery({ state: 'in_transit', dropOffs: [aStop(1, { window })] });
  expect(testOverAt(late, rules)).toBe(NOON + 6 * HOUR);
  expect(testOverAt(aDelivery({ state: 'assigned' }), rules)).toBe(NOON + HOUR);
  expect(testOverAt(aDelivery(), { testExpiresAfterMs: 0 })).toBe(Infinity);
  expect(testOverAt(aDelivery({ liveMode: true }), rules)).toBeNull();
  expect(testOverAt(aDelivery({ state: 'failed' }), rules)).toBeNull();
});

test('[D175] a forgotten test is canceled before the pickup and fails later, without a return', async () => {
  const { delivery: held, courier } = await storeHeld(world, 'assigned');
  const { delivery: carried } = await storeHeld(world, 'in_transit', { dropOffs: [aStop(1), aStop(2)] });
  const partly = [aStop(1, { state: 'delivered', doneAt: world.clock.now() }), aStop(2)];
  const { delivery: half } = await storeHeld(world, 'in_transit', { dropOffs: partly });
  const early = await endTest(world, held);
  expect(early).toBe(testOverAt(held, world.settings.search));
  expect((await world.deliveries.get(held.id)).version).toBe(held.version);
  await world.clock.advance(HOUR + 1);
  for (const one of [held, carried, half]) expect(await endTest(world, one)).toBeNull();
  const ending = { by: 'system', reason: 'test_expired' };
  expect(await world.deliveries.get(held.id)).toMatchObject({ state: 'canceled', ending });
  expect((await world.couriers.get(courier.id)).active).toEqual([]);
  const failed = await world.deliveries.get(carried.id);
  expect(failed).toMatchObject({ state: 'failed', ending, related: [] });
  expect(failed.dropOffs).toMatchObject([{ state: 'failed', reason: 'test_expired' }, { state: 'failed' }]);
  expect((await historyOf(world, carried.id)).slice(-3)).toEqual([
    'drop_off.failed',
    'drop_off.failed',
    'delivery.failed',
  ]);
  expect(await world.deliveries.get(half.id)).toMatchObject({ state: 'canceled', ending, related: [] });
});

test('[D175] the server ends due tests by itself, and no live delivery', async () => {
  const { delivery: forgotten } = await storeHeld(world, 'picked_up');
  const { delivery: live } = await storeHeld(world, 'picked_up', { liveMode: true });
  await world.clock.advance(HOUR);
  const due = await world.deliveries.listDue('expire', 100);
  expect(due.map(({ delivery }) => delivery.id)).toContain(forgotten.id);
  expect(due.map(({ delivery }) => delivery.liveMode)).not.toContain(true);
  running(
    startDue({ ...world, carried: keptCarried(), metrics: keptMetrics(), leases: leaseDesk(world.clock).of('one') }),
  );
  await passUntil(world, async () => (await world.deliveries.get(forgotten.id)).state === 'failed');
  expect(await world.deliveries.get(live.id)).toEqual(live);
});

test('[D176] the system ends no delivery after the pickup that is not an expired test', async () => {
  const { delivery } = await storeHeld(world, 'in_transit');
  const command = { deliveryId: delivery.id, reason: 'test_expired' } as const;
  expect(await codeOf(cancelDelivery(world, command, { type: 'system' }))).toBe('invalid_state_transition');
  const searching = await storeDelivery(world, { searchUntilAt: world.clock.now() + HOUR });
  const early = { deliveryId: searching.id, reason: 'test_expired' } as const;
  expect(await codeOf(cancelDelivery(world, early, { type: 'system' }))).toBe('invalid_state_transition');
});
