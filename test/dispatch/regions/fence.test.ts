import { expect, test } from 'vitest';
import {
  arriveAtStop,
  deliverStop,
  depart,
  failStop,
  pickUp,
} from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { present } from '../../../src/domain/views/present-event.ts';
import { aStop } from '../../builders.ts';
import { asCourier } from '../../callers.ts';
import { stand } from '../region-world.ts';
import { codeOf, eventsOf, openWorld, refusalOf, storeHeld } from '../world.ts';

const world = await openWorld('fence');

test('[D14] a courier far from the stop, or without a known position, is refused at each act, unless they give a reason', async () => {
  const { delivery, courier } = await storeHeld(world, 'assigned');
  const doer = asCourier(courier);
  const why = 'handed over at the corner';
  const acts = [
    ['arrived_pickup', 0, arriveAtStop],
    ['picked_up', 0, pickUp],
    ['arrived_drop_off', 1, arriveAtStop],
    ['delivered', 1, deliverStop],
  ] as const;
  for (const [name, stop, act] of acts) {
    const quiet = { deliveryId: delivery.id, stop, overrideReason: null };
    stand(world, courier.id, aStop(3).place);
    expect(await refusalOf(act(world, quiet, doer))).toMatchObject({
      code: 'too_far_from_stop',
      told: { metadata: { distance_m: (3 - stop) * 1000, at_most_m: 300 } },
    });
    await world.clock.advance(120_001);
    expect(await codeOf(act(world, quiet, doer))).toBe('courier_position_unknown');
    await act(world, { ...quiet, overrideReason: why }, doer);
    const event = (await eventsOf(world, delivery.id)).at(-1)!;
    expect(event.type, name).toContain(name);
    expect(event.data).toMatchObject({ override_reason: why });
    expect(event.data.reason).toBeUndefined();
    expect(JSON.stringify(present(event, 'vendor'))).toContain(why);
    expect(JSON.stringify(present(event, { stop: 1 }))).not.toContain(why);
    if (name === 'picked_up') await depart(world, quiet, doer);
  }
});

test('[D14] to fail a stop from elsewhere takes a reason as well, and both reasons are kept', async () => {
  const why = 'the gate is closed';
  const { delivery, courier } = await storeHeld(world, 'in_transit');
  const doer = asCourier(courier);
  const there = { deliveryId: delivery.id, stop: 1 };
  await arriveAtStop(world, { ...there, overrideReason: why }, doer);
  const now = world.clock.now();
  await world.clock.advance(300_000);
  const contactTries = [
    { at: now, channel: 'call' as const },
    { at: now + 60_000, channel: 'message' as const },
  ];
  const command = { ...there, reason: 'address_not_found' as const, contactTries, overrideReason: null };
  expect(await codeOf(failStop(world, command, doer))).toBe('courier_position_unknown');
  await failStop(world, { ...command, overrideReason: why }, doer);
  const event = (await eventsOf(world, delivery.id)).at(-1);
  expect(event).toMatchObject({
    type: 'delivery.failed',
    data: { reason: 'address_not_found', override_reason: why },
  });
});
