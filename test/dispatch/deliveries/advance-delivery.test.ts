import { describe, expect, test } from 'vitest';
import {
  arriveAtStop,
  deliverStop,
  depart,
  failStop,
  pickUp,
} from '../../../src/dispatch/deliveries/advance-delivery.ts';
import type { FailStop } from '../../../src/dispatch/commands.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { EVENTS } from '../../../src/domain/deliveries/events.ts';
import { aStop } from '../../builders.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { codeOf, eventsOf, historyOf, openWorld, refusalOf, storeHeld } from '../world.ts';

const world = await openWorld('advance');
const staff = asStaff();
const THREE = [aStop(1), aStop(2), aStop(3)];

/** Most tests have no phones that report where their couriers are. */
const WHY = 'no satellites';
const at = (delivery: Delivery, stop = 0, overrideReason: string | null = WHY) => ({
  deliveryId: delivery.id,
  stop,
  overrideReason,
});
const failing = (delivery: Delivery, stop = 1): FailStop => ({
  ...at(delivery, stop),
  reason: 'address_not_found',
  contactTries: [],
});

describe('one drop-off', () => {
  test('[D11] a courier takes a delivery through every state; each event shows its moment', async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned');
    const doer = asCourier(courier);
    await arriveAtStop(world, at(delivery), doer);
    await pickUp(world, at(delivery), doer);
    await depart(world, at(delivery), doer);
    await arriveAtStop(world, at(delivery, 1), doer);
    const done = await deliverStop(world, at(delivery, 1), doer);
    expect(done).toMatchObject({ state: 'delivered', stage: null, outcome: 'complete', version: 6, sequence: 6 });
    expect(done.dropOffs[0]).toMatchObject({ state: 'delivered', doneAt: world.clock.now() });
    const events = await eventsOf(world, delivery.id);
    expect(events.map(({ type, sequence, data }) => [type, sequence, data.from, data.to, data.stage])).toEqual([
      ['delivery.created', 1, null, 'assigned', 'en_route_to_pickup'],
      ['courier.arrived_pickup', 2, 'assigned', 'assigned', 'arrived_at_pickup'],
      ['picked_up', 3, 'assigned', 'picked_up', null],
      ['in_transit', 4, 'picked_up', 'in_transit', 'en_route_to_drop_off'],
      ['courier.arrived_drop_off', 5, 'in_transit', 'in_transit', 'arrived_at_drop_off'],
      ['delivered', 6, 'in_transit', 'delivered', null],
    ]);
    for (const { type, data, sequence } of events) {
      expect(EVENTS[type].data.safeParse(data).error).toBeUndefined();
      expect(data.delivery).toMatchObject({ status: data.to, sequence, stage: data.stage });
    }
    expect(await world.couriers.get(courier.id)).toMatchObject({ active: [], idleSinceAt: world.clock.now() });
    expect(world.bell.rung).toContain(delivery.region);
  });

  test('[D12] a repeat by the same actor returns the delivery, and nothing is written', async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned');
    const doer = asCourier(courier);
    const first = await pickUp(world, at(delivery), doer);
    expect(await pickUp(world, at(delivery), doer)).toEqual(first);
    expect(await codeOf(pickUp(world, at(delivery), staff))).toBe('invalid_state_transition');
    await depart(world, at(delivery), doer);
    const done = await deliverStop(world, at(delivery, 1), doer);
    expect(await deliverStop(world, at(delivery, 1), doer)).toEqual(done);
    expect(await codeOf(deliverStop(world, at(delivery, 1), staff))).toBe('invalid_state_transition');
    expect(await historyOf(world, delivery.id)).toEqual(['delivery.created', 'picked_up', 'in_transit', 'delivered']);
  });

  test('[D207] a courier may repeat what they did at a stop after the delivery has moved on', async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned', { dropOffs: THREE });
    const doer = asCourier(courier);
    await pickUp(world, at(delivery), doer);
    const left = await depart(world, at(delivery), { type: 'system' });
    expect(await pickUp(world, at(delivery), doer)).toEqual(left);
    expect(await codeOf(pickUp(world, at(delivery), staff))).toBe('invalid_state_transition');
    await deliverStop(world, at(delivery, 1), doer);
    await failStop(world, failing(delivery, 2), staff);
    const there = await arriveAtStop(world, at(delivery, 3), { type: 'system' });
    expect(await deliverStop(world, at(delivery, 1), doer)).toEqual(there);
    expect(await failStop(world, failing(delivery, 2), doer)).toEqual(there);
    expect(await codeOf(deliverStop(world, at(delivery, 2), doer))).toBe('stop_not_open');
    expect(await codeOf(failStop(world, failing(delivery, 1), doer))).toBe('stop_not_open');
    expect(await codeOf(deliverStop(world, at(delivery, 1), staff))).toBe('stop_not_open');
    const other = asCourier((await storeHeld(world, 'assigned')).courier);
    expect(await codeOf(deliverStop(world, at(delivery, 1), other))).toBe('delivery_not_found');
    const done = await deliverStop(world, at(delivery, 3), doer);
    expect(await pickUp(world, at(delivery), doer)).toEqual(done);
  });

  test('[D13] an arrival or departure that has already happened succeeds, whoever repeats it', async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned');
    const doer = asCourier(courier);
    const there = await arriveAtStop(world, at(delivery), { type: 'system' });
    expect(await arriveAtStop(world, at(delivery), doer)).toEqual(there);
    await pickUp(world, at(delivery), doer);
    const left = await depart(world, at(delivery), { type: 'system' });
    expect(await depart(world, at(delivery), doer)).toEqual(left);
    expect(await codeOf(arriveAtStop(world, at(delivery), doer))).toBe('invalid_state_transition');
    expect(await historyOf(world, delivery.id)).toHaveLength(4);
  });

  test('[D15] a delivery is absent for a courier who does not have it, and a stop that it lacks is absent', async () => {
    const { delivery, courier } = await storeHeld(world, 'in_transit');
    const other = await storeHeld(world, 'assigned');
    expect(await codeOf(pickUp(world, at(delivery), asCourier(other.courier)))).toBe('delivery_not_found');
    expect(await codeOf(deliverStop(world, at(delivery, 2), asCourier(courier)))).toBe('stop_not_found');
    expect(await codeOf(deliverStop(world, at(delivery, 0), asCourier(courier)))).toBe('stop_not_found');
    expect(await codeOf(arriveAtStop(world, at(delivery, 9), asCourier(courier)))).toBe('stop_not_found');
  });
});

describe('several drop-offs', () => {
  test('[D16] each ended stop has its event; the last one and the delivery end in one commit', async () => {
    const { delivery, courier } = await storeHeld(world, 'in_transit', { dropOffs: THREE });
    const doer = asCourier(courier);
    await arriveAtStop(world, at(delivery, 2), doer);
    const between = await deliverStop(world, at(delivery, 2), doer);
    expect(between).toMatchObject({ state: 'in_transit', stage: 'en_route_to_drop_off', outcome: null });
    expect(await codeOf(deliverStop(world, at(delivery, 2), staff))).toBe('stop_not_open');
    await failStop(world, failing(delivery, 3), staff);
    const done = await deliverStop(world, at(delivery, 1), doer);
    expect(done).toMatchObject({ state: 'delivered', outcome: 'partial', version: 5, sequence: 6 });
    const events = await eventsOf(world, delivery.id);
    expect(events.map(({ type, data }) => [type, data.stop, data.to])).toEqual([
      ['delivery.created', undefined, 'in_transit'],
      ['courier.arrived_drop_off', 2, 'in_transit'],
      ['drop_off.delivered', 2, 'in_transit'],
      ['drop_off.failed', 3, 'in_transit'],
      ['drop_off.delivered', 1, 'in_transit'],
      ['delivered', 1, 'delivered'],
    ]);
    const [last, ended] = events.slice(-2);
    expect(last?.data.delivery).toMatchObject({ status: 'in_transit', sequence: 5, outcome: null });
    expect(ended?.data.delivery).toMatchObject({ status: 'delivered', sequence: 6, outcome: 'partial' });
    expect(await deliverStop(world, at(delivery, 1), doer)).toEqual(done);
  });

  test('[D17] if the last stop fails after another was delivered, the delivery is delivered in part', async () => {
    const { delivery } = await storeHeld(world, 'in_transit', { dropOffs: THREE.slice(0, 2) });
    await deliverStop(world, at(delivery, 1), staff);
    const done = await failStop(world, failing(delivery, 2), staff);
    expect(done).toMatchObject({ state: 'delivered', outcome: 'partial', ending: null });
    expect(await failStop(world, failing(delivery, 2), staff)).toEqual(done);
    expect(await historyOf(world, delivery.id)).toEqual([
      'delivery.created',
      'drop_off.delivered',
      'drop_off.failed',
      'delivered',
    ]);
  });
});

describe('a delivery that fails', () => {
  test('[D18] opens its return in the same commit: same courier, straight on the way back', async () => {
    const { delivery, courier } = await storeHeld(world, 'in_transit');
    const failed = await failStop(world, failing(delivery), staff);
    expect(failed).toMatchObject({
      state: 'failed',
      ending: { by: 'staff', reason: 'address_not_found' },
      outcome: null,
    });
    const [returnId] = failed.related;
    if (returnId === undefined) throw new Error('no return was opened');
    const back = await world.deliveries.get(returnId);
    expect(back).toMatchObject({
      kind: 'return',
      state: 'in_transit',
      stage: 'en_route_to_drop_off',
      courierId: courier.id,
      related: [delivery.id],
      fee: 0,
      externalId: null,
      version: 1,
      sequence: 1,
      pickup: { index: 0, state: 'delivered', place: delivery.dropOffs[0]?.place },
    });
    expect(back.dropOffs).toMatchObject([{ index: 1, state: 'pending', place: delivery.pickup.place }]);
    expect(back.links).toMatchObject([{ stop: 1 }]);
    expect(back.links[0]?.tokenHash).not.toBe(delivery.links[0]?.tokenHash);
    expect(await historyOf(world, returnId)).toEqual(['delivery.created']);
    expect(await world.couriers.get(courier.id)).toMatchObject({ active: [returnId] });
    await deliverStop(world, at(back, 1), asCourier(courier));
    expect(await world.couriers.get(courier.id)).toMatchObject({ active: [] });
  });

  test('[D18] the return starts at the last visit if the position of the courier is unknown', async () => {
    const failed = { state: 'failed' } as const;
    const dropOffs = [aStop(1), aStop(2, { visit: 3, ...failed }), aStop(3, { visit: 2, ...failed })];
    const { delivery } = await storeHeld(world, 'in_transit', { dropOffs });
    const [returnId] = (await failStop(world, failing(delivery), staff)).related;
    if (returnId === undefined) throw new Error('no return was opened');
    const { pickup, dropOffs: doors } = await world.deliveries.get(returnId);
    expect(pickup).toMatchObject({ index: 0, visit: 0, place: dropOffs[1]?.place });
    expect(doors).toMatchObject([{ index: 1, visit: 1 }]);
  });

  test('[D18] opens no return if the goods are to be discarded, and a return opens none either', async () => {
    const thrown = await storeHeld(world, 'in_transit', { dropOffs: [aStop(1, { undeliverableAction: 'discard' })] });
    expect((await failStop(world, failing(thrown.delivery), staff)).related).toEqual([]);
    expect(await world.couriers.get(thrown.courier.id)).toMatchObject({ active: [] });
    const { delivery } = await storeHeld(world, 'picked_up');
    const [returnId] = (await failStop(world, failing(delivery), staff)).related;
    if (returnId === undefined) throw new Error('no return was opened');
    const lost = await failStop(world, { ...failing(delivery), deliveryId: returnId, reason: 'lost' }, staff);
    expect(lost).toMatchObject({ state: 'failed', related: [delivery.id] });
  });

  test('[D19] a courier waits five minutes and tries twice before a stop fails', async () => {
    const { delivery, courier } = await storeHeld(world, 'in_transit');
    const doer = asCourier(courier);
    await arriveAtStop(world, at(delivery, 1), doer);
    const now = world.clock.now();
    const contactTries = [
      { at: now, channel: 'call' as const },
      { at: now + 60_000, channel: 'message' as const },
    ];
    await world.clock.advance(299_000);
    expect(await refusalOf(failStop(world, { ...failing(delivery), contactTries }, doer))).toMatchObject({
      code: 'contact_tries_missing',
      told: { reason: 'wait' },
    });
    await world.clock.advance(1000);
    expect(await refusalOf(failStop(world, failing(delivery), doer))).toMatchObject({
      code: 'contact_tries_missing',
      told: { reason: 'tries' },
    });
    expect(await failStop(world, { ...failing(delivery), contactTries }, doer)).toMatchObject({ state: 'failed' });
  });
});
