import { expect, test } from 'vitest';
import { listCandidates, trackState, viewDelivery, viewMany } from '../../src/dispatch/view-delivery.ts';
import { DeliveryView } from '../../src/domain/delivery-view.ts';
import { offsetBy } from '../../src/domain/geo.ts';
import { aFix, aStop, CENTER } from '../builders.ts';
import { openWorld, storeCourier, storeDelivery, storeHeld, storeOffer, storeVendor } from './world.ts';

const world = await openWorld('view');

function place(courierId: Parameters<typeof world.positions.last>[0], eastM: number): void {
  world.positions.put({ ...aFix(1, offsetBy(CENTER, eastM, 0)), courierId, receivedAt: world.clock.now() });
}

test('[D38] an open offer shows as the stage, and only while it is open', async () => {
  const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
  expect((await viewDelivery(world, delivery)).stage).toBeNull();
  const offer = await storeOffer(world, delivery, courier);
  const other = await storeDelivery(world);
  expect((await viewDelivery(world, delivery)).stage).toBe('offering');
  expect((await viewMany(world, [delivery, other])).map(({ stage }) => stage)).toEqual(['offering', null]);
  await world.offers.close(offer.id, 'declined', null, world.clock.now());
  expect((await viewDelivery(world, delivery)).stage).toBeNull();
  expect(DeliveryView.safeParse(await viewDelivery(world, delivery)).error).toBeUndefined();
});

test('[D39] the arrival is told from where the courier is now', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit');
  place(courier.id, 0);
  const far = await viewDelivery(world, delivery);
  place(courier.id, 900);
  const near = await viewDelivery(world, delivery);
  expect(Date.parse(near.eta.drop_off?.at ?? '')).toBeLessThan(Date.parse(far.eta.drop_off?.at ?? ''));
  const [many] = await viewMany(world, [delivery]);
  expect(many).toEqual(near);
  expect(near.eta.pickup).toBeNull();
});

test('[D40] a recipient sees the vendor’s name, the courier’s first name, the steps and the last drop-off', async () => {
  const vendor = await storeVendor(world);
  const dropOffs = [aStop(1), aStop(2), aStop(3, { instructions: 'third floor' })];
  const { delivery, courier } = await storeHeld(world, 'in_transit', { vendorId: vendor.id, dropOffs });
  place(courier.id, 0);
  const shown = await trackState(world, delivery);
  expect(shown).toMatchObject({
    status: 'in_transit',
    vendor: { name: vendor.name, accent: vendor.accent },
    courier: { first_name: 'Grace', vehicle_type: 'scooter' },
    drop_off: { ...offsetBy(CENTER, 3000, 0), instructions: 'third floor' },
    stops_before: 2,
    clock: { now: world.clock.now(), scale: 1 },
  });
  expect(JSON.stringify(shown)).not.toMatch(/cou_|ven_|Hopper|\+49/);
  const next = (await viewDelivery(world, delivery)).eta.drop_off;
  expect(Date.parse(shown.eta?.at ?? '')).toBeGreaterThan(Date.parse(next?.at ?? ''));
  const ended = { ...delivery, state: 'canceled', stage: null, ending: { by: 'vendor', reason: 'price' } } as const;
  const over = await trackState(world, { ...ended, times: { ...delivery.times, canceledAt: world.clock.now() } });
  expect(over).toMatchObject({
    status: 'canceled',
    eta: null,
    reason: 'price',
    steps: { ended_at: new Date(world.clock.now()).toISOString() },
  });
});

test('[D41] candidates are the couriers around, nearest first, each with a sentence; others are not listed', async () => {
  const far = offsetBy(CENTER, 0, 300_000);
  const at = (courierId: Parameters<typeof place>[0], eastM: number) =>
    world.positions.put({ ...aFix(1, offsetBy(far, eastM, 0)), courierId, receivedAt: world.clock.now() });
  const searching = await storeDelivery(world, { pickup: aStop(0, { place: far }) });
  const [near, next, refused, busy] = [
    await storeCourier(world),
    await storeCourier(world),
    await storeCourier(world),
    (await storeHeld(world, 'assigned')).courier,
  ];
  const offer = await storeOffer(world, searching, refused);
  await world.offers.close(offer.id, 'declined', null, world.clock.now());
  at(near.id, 300);
  at(next.id, 600);
  at(refused.id, 900);
  at(busy.id, 1200);
  for (const over of [
    { availability: 'offline' },
    { state: 'suspended' },
    { liveMode: true },
    { kind: 'robo' },
  ] as const) {
    at((await storeCourier(world, over)).id, 10);
  }
  const listed = await listCandidates(world, searching.id);
  expect(listed.map(({ courier, load, reason }) => [courier.id, load, reason])).toEqual([
    [near.id, 0, 'Free, 1 min away.'],
    [next.id, 0, 'Free, 2 min away.'],
    [refused.id, 0, 'Declined this delivery.'],
    [busy.id, 1, 'Carries 1 and has no room for another.'],
  ]);
  expect(listed.map(({ cost }) => cost)).toEqual(listed.map(({ cost }) => cost).toSorted((a, b) => a - b));
  expect(listed[0]).toMatchObject({ distanceM: 300 });
});
