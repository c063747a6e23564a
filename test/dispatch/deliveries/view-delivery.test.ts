import { expect, onTestFinished, test, vi } from 'vitest';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import { listCandidates, viewDelivery, viewMany } from '../../../src/dispatch/deliveries/view-delivery.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { DeliveryView } from '../../../src/domain/deliveries/delivery-view.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { newId } from '../../../src/domain/ids.ts';
import { asStaff, asVendor } from '../../callers.ts';
import { aFix, aStop, CENTER } from '../../builders.ts';
import { stand } from '../region-world.ts';
import { openWorld, storeCourier, storeDelivery, storeHeld, storeOffer } from '../world.ts';

const world = await openWorld('view');

function place(courierId: Parameters<typeof world.positions.last>[0], eastM: number): void {
  world.positions.put({ ...aFix(1, offsetBy(CENTER, eastM, 0)), courierId, receivedAt: world.clock.now() });
}

/** Until the end of the test, another process hears the courier, in the centre. */
function sendElsewhere({ id: courierId }: Courier): void {
  const now = world.clock.now();
  const at = { ...aFix(now, { ...CENTER, at: now }), courierId, receivedAt: now };
  const find = vi.spyOn(world.positions, 'find').mockResolvedValue(at);
  onTestFinished(() => find.mockRestore());
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

test('[D39] the arrival counts from where the courier is now', async () => {
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

test('[D217] a vendor has no arrival of a courier who is lost, and sees since when', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit');
  stand(world, courier.id, CENTER);
  const heardAt = new Date(world.clock.now()).toISOString();
  const { lostAfterMs } = world.settings.presence;
  await world.clock.advance(lostAfterMs);
  expect((await viewDelivery(world, delivery)).eta).toMatchObject({
    reason: 'old_position',
    drop_off: expect.anything(),
  });
  await world.clock.advance(1);
  const lost = await viewDelivery(world, delivery);
  expect(lost.drop_off.map((stop) => stop.eta_at)).toEqual([null]);
  const nothing = { pickup: null, drop_off: null, pickup_at: null, drop_off_at: null, lower_at: null, upper_at: null };
  expect(lost.eta).toEqual({ ...nothing, updated_at: heardAt, reason: 'old_position' });
  expect(await viewMany(world, [delivery])).toEqual([lost]);
  stand(world, courier.id, CENTER);
  expect((await viewDelivery(world, delivery)).eta.drop_off).not.toBeNull();
});

test('[D81] each stop shows its arrival', async () => {
  const dropOffs = [aStop(1, { visit: 2 }), aStop(2, { visit: 1 })];
  const { delivery, courier } = await storeHeld(world, 'assigned', { dropOffs });
  place(courier.id, 0);
  const { pickup, drop_off: doors, eta } = await viewDelivery(world, delivery);
  expect([pickup.eta_at, doors[1]?.eta_at]).toEqual([eta.pickup?.at, eta.drop_off?.at]);
  expect(Date.parse(doors[0]?.eta_at ?? '')).toBeGreaterThan(Date.parse(doors[1]?.eta_at ?? ''));
  const arrivedAt = world.clock.now();
  const there = { ...delivery, pickup: { ...delivery.pickup, arrivedAt } };
  expect((await viewDelivery(world, there)).pickup.eta_at).toBeNull();
  const atFirst = { ...delivery, dropOffs: [{ ...dropOffs[0]!, arrivedAt }, dropOffs[1]!] };
  expect((await viewDelivery(world, atFirst)).drop_off.map((stop) => stop.eta_at !== null)).toEqual([false, true]);
});

test('[D41] candidates are the couriers around, nearest first, each with a sentence; others are not listed', async () => {
  const far = offsetBy(CENTER, 0, 300_000);
  const at = (courierId: Parameters<typeof place>[0], eastM: number) =>
    world.positions.put({ ...aFix(1, offsetBy(far, eastM, 0)), courierId, receivedAt: world.clock.now() });
  const searching = await storeDelivery(world, { pickup: aStop(0, { place: far }) });
  const [near, next, refused, unseen, busy] = [
    await storeCourier(world),
    await storeCourier(world),
    await storeCourier(world),
    await storeCourier(world),
    (await storeHeld(world, 'assigned')).courier,
  ];
  const offer = await storeOffer(world, searching, refused);
  await world.offers.close(offer.id, 'declined', null, world.clock.now());
  const missed = await storeOffer(world, searching, unseen);
  await world.offers.close(missed.id, 'expired', null, world.clock.now());
  at(unseen.id, 1000);
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
    [unseen.id, 0, 'Just received an offer that no phone showed.'],
    [busy.id, 1, 'Carries 1 and has no room for another.'],
  ]);
  expect(listed.map(({ cost }) => cost)).toEqual(listed.map(({ cost }) => cost).toSorted((a, b) => a - b));
  expect(listed[0]).toMatchObject({ distanceM: 300 });
});

test('[O69] a candidate whose vehicle was not requested, or cannot carry the goods, is listed with that sentence', async () => {
  const away = offsetBy(CENTER, 0, 600_000);
  const heavy = { pickup: aStop(0, { place: away }), metadata: { weight: 40 } } as const;
  const delivery = await storeDelivery(world, heavy);
  const byVan = await storeDelivery(world, { ...heavy, vehicleTypes: ['van'] });
  for (const [index, vehicleType] of (['bicycle', 'car', 'van'] as const).entries()) {
    const { id } = await storeCourier(world, { vehicleType });
    world.positions.put({ ...aFix(1, offsetBy(away, 100 + index, 0)), courierId: id, receivedAt: world.clock.now() });
  }
  const reasons = async (asked: typeof delivery) => (await listCandidates(world, asked.id)).map(({ reason }) => reason);
  expect(await reasons(delivery)).toEqual([
    'Has a bicycle, which cannot carry 40 kg.',
    'Free, 1 min away.',
    'Free, 1 min away.',
  ]);
  expect(await reasons(byVan)).toEqual([
    'Has a bicycle, which was not requested.',
    'Has a car, which was not requested.',
    'Free, 1 min away.',
  ]);
});

test('[O70] in a crowd the candidates are the couriers near the pickup, and the server looks at no others', async () => {
  const away = offsetBy(CENTER, 0, 900_000);
  const searching = await storeDelivery(world, { pickup: aStop(0, { place: away }) });
  const put = (courierId: Parameters<typeof place>[0], eastM: number) =>
    world.positions.put({ ...aFix(1, offsetBy(away, eastM, 0)), courierId, receivedAt: world.clock.now() });
  for (let index = 0; index < 400; index += 1) put(newId('cou'), 2500 + index);
  const [near, next] = [await storeCourier(world), await storeCourier(world)];
  put(next.id, 1600);
  put(near.id, 300);
  const asked: number[] = [];
  const couriers = {
    ...world.couriers,
    listOnline: (ids: Parameters<typeof world.couriers.listOnline>[0]) => {
      asked.push(ids.length);
      return world.couriers.listOnline(ids);
    },
  };
  let rings = 0;
  const positions = {
    ...world.positions,
    listPresent: () => Promise.reject(new Error('all of them')),
    around: function* (...asked: Parameters<typeof world.positions.around>) {
      for (const ring of world.positions.around(...asked)) {
        rings += 1;
        yield ring;
      }
    },
  };
  const listed = await listCandidates({ ...world, couriers, positions }, searching.id);
  expect(listed.map(({ courier }) => courier.id)).toEqual([near.id, next.id]);
  expect(asked).toEqual([200]);
  expect(rings).toBe(3);
});

test('[D219] an event shows the arrivals that its vendor reads at that moment', async () => {
  const { delivery, courier } = await storeHeld(world, 'in_transit');
  const edit = async (note: string) => {
    const command = { deliveryId: delivery.id, ifVersion: null, stops: [], custom: { note } };
    const after = await updateDelivery(world, command, asVendor(delivery));
    const [event] = await world.eventLog.list(delivery.id, after.sequence - 1, 1);
    expect(event?.data.delivery?.eta).toEqual((await viewDelivery(world, after)).eta);
    return event?.data.delivery;
  };
  stand(world, courier.id, CENTER);
  expect((await edit('heard'))?.eta.drop_off).not.toBeNull();
  await world.clock.advance(world.settings.presence.lostAfterMs + 1);
  const lost = await edit('lost');
  expect([lost?.eta.drop_off, lost?.drop_off[0]?.eta_at]).toEqual([null, null]);
  sendElsewhere(courier);
  expect((await edit('heard elsewhere'))?.eta.drop_off).not.toBeNull();
});

test('[D219] the event of an assignment counts from the place of a courier who sends to another process', async () => {
  const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
  sendElsewhere(courier);
  const command = { deliveryId: delivery.id, courierId: courier.id, offerId: null, overrideReason: null };
  const after = await assignCourier(world, command, asStaff());
  const [event] = await world.eventLog.list(delivery.id, after.sequence - 1, 1);
  expect(event?.data.delivery?.eta.reason).toBe('position');
  expect(event?.data.delivery?.eta).toEqual((await viewDelivery(world, after)).eta);
});
