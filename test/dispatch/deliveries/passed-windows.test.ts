import { expect, test } from 'vitest';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import type { Window } from '../../../src/domain/window.ts';
import { aStop } from '../../builders.ts';
import { asVendor } from '../../callers.ts';
import { MINUTE, minutesFrom, windowOf } from '../kitchen.ts';
import { codeOf, openWorld, storeDelivery } from '../world.ts';

const world = await openWorld('passed-windows');
const until = (minutes: number) => ({ readyAt: null, deadlineAt: world.clock.now() + minutes * MINUTE });

test('[L21] a window cannot move into the past, and one that has passed may stay', async () => {
  const delivery = await storeDelivery(world, { dropOffs: [aStop(1, { window: until(-10) })] });
  const move = (stop: number, window: Window) => {
    const edit = { deliveryId: delivery.id, ifVersion: null, stops: [{ stop, window }] };
    return updateDelivery(world, edit, asVendor(delivery));
  };
  expect(await codeOf(move(0, until(-1)))).toBe('pickup_deadline_too_early');
  expect(await codeOf(move(1, until(-1)))).toBe('impossible_value');
  // A vendor's system may send a whole stop again whose ready time has changed since.
  await move(1, { ...until(-10), readyAt: world.clock.now() - 60 * MINUTE });
  await move(0, until(30));
});

test('[L22] a change sets no deadline of a drop-off before the goods of an immediate delivery are ready', async () => {
  const { readyAt, deadlineAt } = { readyAt: until(30).deadlineAt, deadlineAt: null };
  const delivery = await storeDelivery(world, { pickup: aStop(0, { window: { readyAt, deadlineAt } }) });
  const move = (minutes: number) => {
    const edit = { deliveryId: delivery.id, ifVersion: null, stops: [{ stop: 1, window: until(minutes) }] };
    return updateDelivery(world, edit, asVendor(delivery));
  };
  expect(await codeOf(move(30))).toBe('impossible_value');
  await move(31);
  await delayPickup(world, { deliveryId: delivery.id, to: { minutes: 10 }, reason: 'oven' }, asVendor(delivery));
});

test('[L21] a delay after the deadline of a window without a ready time leads into the future', async () => {
  const delivery = await storeDelivery(world, { pickup: aStop(0, { window: until(-30) }) });
  const to = { minutes: 10 };
  const delayed = await delayPickup(world, { deliveryId: delivery.id, to, reason: 'oven' }, asVendor(delivery));
  const { readyAt, deadlineAt } = windowOf(delayed) ?? until(0);
  expect(minutesFrom(world.clock.now(), readyAt, deadlineAt)).toEqual([10, 10]);
});
