import { expect, test } from 'vitest';
import type { UpdateDelivery } from '../../../src/dispatch/commands.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { present } from '../../../src/domain/views/present-event.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { cellsOf } from '../../../src/domain/vendors/zone.ts';
import { deliveriesIn } from '../../../src/models/deliveries/delivery-rows.ts';
import { aDelivery, aLocation, aStop } from '../../builders.ts';
import { asVendor } from '../../callers.ts';
import { charged } from '../../money/charges/charged.ts';
import { codeOf, eventsOf, openWorld, refusalOf, storeDelivery, storeHeld, storeVendor } from '../world.ts';

const world = await openWorld('update-delivery');
const MINUTE = 60_000;

/** A vendor with money, and a delivery of theirs that is held with this tip. */
async function tipped(tip: number): Promise<Pick<Delivery, 'vendorId' | 'tip' | 'funds'>> {
  const { id: vendorId } = await storeVendor(world);
  return { vendorId, tip, funds: { ...charged(450), hold: 450 + tip, holdKey: newId('req') } };
}

type Edit = Partial<Omit<UpdateDelivery, 'deliveryId'>>;
const update = (delivery: Delivery, edit: Edit) =>
  updateDelivery(world, { deliveryId: delivery.id, ifVersion: null, stops: [], ...edit }, asVendor(delivery));
const reasonOf = async (delivery: Delivery, edit: Edit) => {
  const { code, told } = await refusalOf(update(delivery, edit));
  return [code, told.reason];
};

test('[D163] the event of a change names the changed fields, and recipients do not get them', async () => {
  const delivery = await storeDelivery(world, {
    dropOffs: [aStop(1), aStop(2)],
    ...(await tipped(100)),
  });
  const items = [{ name: 'Rye', quantity: 2 }];
  const contact = delivery.pickup.contact ?? { name: 'Bo', phone: '+4930123456' };
  const stops = [
    { stop: 0, contact, reference: 'A 7' },
    { stop: 2, items, instructions: 'Ring twice' },
  ];
  await update(delivery, { stops, tip: 150, custom: { a: 1 } });
  const event = (await eventsOf(world, delivery.id)).at(-1);
  if (event === undefined) throw new Error('the change made no event');
  const changed = ['/pickup/reference', '/drop_off/1/items', '/drop_off/1/instructions', '/tip', '/custom'];
  expect(event).toMatchObject({ type: 'delivery.updated', data: { changed } });
  expect(present(event, 'courier').data.changed).toEqual(changed);
  expect(present(event, { stop: 1 }).data).not.toHaveProperty('changed');
});

test('[D164] goods and windows change until the goods are collected', async () => {
  const { delivery } = await storeHeld(world, 'assigned');
  const now = world.clock.now();
  const window = { readyAt: null, deadlineAt: now + 90 * MINUTE };
  const items = [{ name: 'Salt', quantity: 1 }];
  const after = await update(delivery, { stops: [{ stop: 1, window, items, orderValue: 900 }] });
  expect(after.dropOffs).toMatchObject([{ window, items, orderValue: 900 }]);
  expect(await reasonOf(delivery, { stops: [{ stop: 0, window }] })).toEqual([
    'update_not_allowed',
    'courier_assigned',
  ]);
  const { delivery: carried } = await storeHeld(world, 'picked_up');
  for (const late of [{ items }, { window }, { orderValue: 1 }]) {
    expect(await reasonOf(carried, { stops: [{ stop: 1, ...late }] })).toEqual([
      'update_not_allowed',
      'already_collected',
    ]);
  }
});

test('[D164] a search moves with the pickup window, in both directions, and windows must fit', async () => {
  const now = world.clock.now();
  const span = (minutes: number) => ({ readyAt: now + minutes * MINUTE, deadlineAt: now + (minutes + 30) * MINUTE });
  const planned = aDelivery({
    state: 'scheduled',
    priority: 'scheduled',
    pickup: aStop(0, { window: span(120) }),
    searchFromAt: now + 100 * MINUTE,
  });
  const delivery = await storeDelivery(world, planned);
  const sooner = await update(delivery, { stops: [{ stop: 0, window: span(60) }] });
  expect(sooner.searchFromAt).toBe(now + 40 * MINUTE);
  const later = await update(sooner, { stops: [{ stop: 0, window: span(180) }] });
  expect(later.searchFromAt).toBe(now + 160 * MINUTE);
  expect(later.searchUntilAt).toBeGreaterThanOrEqual(now + 210 * MINUTE);
  const small = { readyAt: now + 60 * MINUTE, deadlineAt: now + 61 * MINUTE };
  expect(await codeOf(update(later, { stops: [{ stop: 0, window: small }] }))).toBe('pickup_window_too_small');
  const early = { readyAt: null, deadlineAt: now + 181 * MINUTE };
  const refusal = await refusalOf(update(later, { stops: [{ stop: 1, window: early }] }));
  expect(refusal.told.errors).toMatchObject([{ pointer: '/drop_off/0/window/deadline_at' }]);
  expect((await world.deliveries.get(delivery.id)).version).toBe(later.version);
});

test('[D164] the window of a drop-off changes also if the pickup window has passed', async () => {
  const now = world.clock.now();
  const window = { readyAt: now - 20 * MINUTE, deadlineAt: now - 5 * MINUTE };
  const times = { createdAt: now - 60 * MINUTE };
  const { delivery } = await storeHeld(world, 'assigned', {
    priority: 'scheduled',
    pickup: aStop(0, { window }),
    times,
  });
  const later = { readyAt: null, deadlineAt: now + 90 * MINUTE };
  expect((await update(delivery, { stops: [{ stop: 1, window: later }] })).dropOffs[0]?.window).toEqual(later);
});

test('[D164] each drop-off that a delay has overtaken gets a later window by itself', async () => {
  const now = world.clock.now();
  const until = (minutes: number) => ({ readyAt: null, deadlineAt: now + minutes * MINUTE });
  const overtaken = { window: until(90) };
  const delivery = await storeDelivery(world, {
    state: 'scheduled',
    priority: 'scheduled',
    pickup: aStop(0, { window: { readyAt: now + 100 * MINUTE, deadlineAt: now + 120 * MINUTE } }),
    dropOffs: [aStop(1, overtaken), aStop(2, overtaken)],
  });
  const refusal = await refusalOf(update(delivery, { stops: [{ stop: 2, window: until(110) }] }));
  expect([refusal.code, refusal.told.errors?.[0]?.pointer]).toEqual([
    'drop_off_deadline_before_pickup_deadline',
    '/drop_off/0/window/deadline_at',
  ]);
  const first = await update(delivery, { stops: [{ stop: 1, window: until(150) }] });
  expect(first.dropOffs.map(({ window }) => window)).toEqual([until(150), until(90)]);
  await update(first, { stops: [{ stop: 2, window: until(160) }] });
});

test('[L19] a window cannot move further than 30 days after the creation', async () => {
  const now = world.clock.now();
  const days = (count: number) => now + count * 24 * 60 * MINUTE;
  const span = (at: number) => ({ readyAt: at, deadlineAt: at + 30 * MINUTE });
  const delivery = await storeDelivery(world, {
    state: 'scheduled',
    priority: 'scheduled',
    pickup: aStop(0, { window: span(days(5)) }),
    searchFromAt: days(4),
    times: { createdAt: days(-20) },
  });
  expect(await codeOf(update(delivery, { stops: [{ stop: 0, window: span(days(11)) }] }))).toBe(
    'pickup_ready_too_late',
  );
  expect((await update(delivery, { stops: [{ stop: 0, window: span(days(9)) }] })).pickup.window).toEqual(
    span(days(9)),
  );
  const delayed = await storeDelivery(world, {
    state: 'scheduled',
    priority: 'scheduled',
    pickup: aStop(0, { window: span(days(10)) }),
    dropOffs: [aStop(1, { window: span(days(9)) })],
    times: { createdAt: days(-20) },
  });
  expect((await update(delayed, { stops: [{ stop: 1, window: null }] })).dropOffs[0]?.window).toBeNull();
});

test('[D165] a drop-off moves at most 500 m from its first place, until the courier arrives', async () => {
  const { delivery } = await storeHeld(world, 'in_transit');
  const first = aStop(1).place;
  const moved = await update(delivery, { stops: [{ stop: 1, place: offsetBy(first, 400, 0) }] });
  expect(moved).toMatchObject({ fee: delivery.fee, dropOffs: [{ place: offsetBy(first, 400, 0), firstPlace: first }] });
  expect(await reasonOf(moved, { stops: [{ stop: 1, place: offsetBy(first, 700, 0) }] })).toEqual([
    'update_not_allowed',
    'moved_too_far',
  ]);
  const back = await update(moved, { stops: [{ stop: 1, place: first, address: '2 Short Street' }] });
  expect(back.dropOffs).toMatchObject([{ place: first, address: '2 Short Street' }]);
  const there = aStop(1, { state: 'arrived', arrivedAt: world.clock.now() });
  const { delivery: arrived } = await storeHeld(world, 'in_transit', { dropOffs: [there] });
  for (const edit of [{ place: offsetBy(first, 10, 0) }, { address: 'x' }]) {
    expect(await reasonOf(arrived, { stops: [{ stop: 1, ...edit }] })).toEqual([
      'update_not_allowed',
      'courier_arrived',
    ]);
  }
});

test('[D166] a tip only rises, and own data is replaced', async () => {
  const { delivery } = await storeHeld(world, 'in_transit', {
    custom: { a: 1 },
    ...(await tipped(100)),
  });
  expect(await update(delivery, { tip: 250, custom: { b: 2 } })).toMatchObject({ tip: 250, custom: { b: 2 } });
  expect(await reasonOf(delivery, { tip: 249 })).toEqual(['update_not_allowed', 'tip_lowered']);
});

test('[D210] a tip on a delivery that is not charged, such as a return, is refused', async () => {
  const delivery = await storeDelivery(world);
  expect(await reasonOf(delivery, { tip: 100, custom: { a: 1 } })).toEqual(['update_not_allowed', 'not_charged']);
  expect(await world.deliveries.get(delivery.id)).toEqual(delivery);
  expect(await update(delivery, { tip: 0, custom: { a: 1 } })).toMatchObject({ custom: { a: 1 } });
});

test('[D211] the fields of a delivery with 5,000 events no longer change, and a repeat still succeeds', async () => {
  const { delivery } = await storeHeld(world, 'in_transit', { custom: { a: 1 } });
  const withEvents = async (sequence: number): Promise<Delivery> => {
    await deliveriesIn(world.mongo).updateOne({ _id: delivery.id }, { $set: { sequence } });
    return world.deliveries.get(delivery.id);
  };
  const old = await withEvents(5000);
  expect(await reasonOf(old, { custom: { a: 2 } })).toEqual(['update_not_allowed', 'edited_too_often']);
  expect(await update(old, { custom: { a: 1 } })).toEqual(old);
  expect(await update(await withEvents(4999), { custom: { a: 2 } })).toMatchObject({ custom: { a: 2 } });
});

test('[D209] a drop-off may not leave the zones of its location, but one that stays may be outside', async () => {
  const first = aStop(1).place;
  const corner = (east: number, north: number): [number, number] => {
    const { lat, lng } = offsetBy(first, east, north);
    return [lng, lat];
  };
  const area = {
    type: 'Polygon' as const,
    coordinates: [[corner(-900, -900), corner(200, -900), corner(200, 900), corner(-900, 900), corner(-900, -900)]],
  };
  const zone = { id: newId('zon'), name: 'West of the river', area, ...cellsOf(area) };
  const location = await world.vendors.addLocation(aLocation({ zones: [zone] }));
  const elsewhere = aStop(2, { place: offsetBy(first, 5000, 0) });
  const delivery = await storeDelivery(world, { locationId: location.id, dropOffs: [aStop(1), elsewhere] });
  const inside = offsetBy(first, 100, 0);
  const moved = await update(delivery, { stops: [{ stop: 1, place: inside }] });
  expect(moved.dropOffs[0]?.place).toEqual(inside);
  const { code, told } = await refusalOf(update(moved, { stops: [{ stop: 1, place: offsetBy(first, 300, 0) }] }));
  expect([code, told.reason, told.errors?.[0]?.pointer]).toEqual([
    'invalid_delivery_parameters',
    'drop_off_not_in_coverage',
    '/drop_off/0/coordinates',
  ]);
  const named = await update(moved, { stops: [{ stop: 2, place: elsewhere.place, instructions: 'Ring twice' }] });
  expect(named.dropOffs[1]).toMatchObject({ place: elsewhere.place, instructions: 'Ring twice' });
  const far = offsetBy(first, 300, 0);
  for (const free of [{ locationId: newId('loc') }, { locationId: location.id, kind: 'return' as const }]) {
    const delivered = await storeDelivery(world, { ...free, dropOffs: [aStop(1)] });
    expect((await update(delivered, { stops: [{ stop: 1, place: far }] })).dropOffs[0]?.place).toEqual(far);
  }
});

test('[D167] a refused field keeps the whole request from being stored', async () => {
  const { delivery } = await storeHeld(world, 'picked_up');
  const edit = { tip: 500, stops: [{ stop: 1, instructions: 'x', items: [{ name: 'Rye', quantity: 1 }] }] };
  const refusal = await refusalOf(update(delivery, edit));
  expect(refusal.told.errors).toMatchObject([{ pointer: '/drop_off/0/items', code: 'already_collected' }]);
  expect(await world.deliveries.get(delivery.id)).toEqual(delivery);
});
