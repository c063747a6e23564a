import { expect, test } from 'vitest';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { missingProof } from '../../../src/domain/proof/verification.ts';
import { distanceM, offsetBy } from '../../../src/domain/geo/geo.ts';
import { encodePolyline } from '../../../src/domain/geo/polyline.ts';
import type { Streets } from '../../../src/ports/dispatch/streets.ts';
import { aStop } from '../../builders.ts';
import { asVendor } from '../../callers.ts';
import { NO_STREETS } from '../../kept-ports.ts';
import { until } from '../../until.ts';
import { at } from '../match/fixtures.ts';
import { courierAt, leaseDesk, pass, passUntil } from '../region-world.ts';
import { eventsOf, historyOf, storeDelivery } from '../world.ts';
import { COURIERS } from '../../../src/models/couriers/courier-rows.ts';
import { openRoboWorld } from './robo-world.ts';

const { world, process, order, isIn } = await openRoboWorld('robo-courier');
const robosMade = () => world.mongo.collection(COURIERS).countDocuments({ kind: 'robo' });

const LIFE = [
  'delivery.created',
  'courier.assigned',
  'courier.arrived_pickup',
  'picked_up',
  'in_transit',
  'courier.arrived_drop_off',
  'delivered',
];

test('[B1] a robo-courier is made near the pickup and carries a delivery through every state by itself', async () => {
  const delivery = await order(10);
  await process();
  await passUntil(world, isIn(delivery, 'delivered'));
  await until(async () => (await historyOf(world, delivery.id)).length === LIFE.length);
  const events = await eventsOf(world, delivery.id);
  expect(events.map(({ type }) => type)).toEqual(LIFE);
  expect(new Set(events.slice(1).map(({ data }) => data.actor.type))).toEqual(new Set(['courier']));
  const courier = await world.couriers.get((await world.deliveries.get(delivery.id)).courierId!);
  expect(courier).toMatchObject({ kind: 'robo', state: 'active', active: [] });
  expect(courier.phone).toMatch(/^\+9990\d{6}$/);
});

test('[B2] a step takes 30 s of service time divided by time_scale', async () => {
  const delivery = await order(10);
  await process();
  await passUntil(world, isIn(delivery, 'delivered'));
  const { times } = await world.deliveries.get(delivery.id);
  const steps = [times.assignedAt, times.arrivedPickupAt, times.pickedUpAt, times.inTransitAt, times.arrivedDropOffAt];
  for (const [i, time] of [...steps, times.deliveredAt].entries()) {
    if (i === 0) continue;
    expect(time! - steps[i - 1]!).toBeGreaterThanOrEqual(3000);
    expect(time! - steps[i - 1]!).toBeLessThan(20_000);
  }
});

test('[B3] its position moves along the line between the stops, whatever the speed', async () => {
  const far = aStop(1, { place: at(9000) });
  const delivery = await order(5, { dropOffs: [far] });
  await process();
  await passUntil(world, isIn(delivery, 'in_transit'));
  const { courierId } = await world.deliveries.get(delivery.id);
  await passUntil(world, isIn(delivery, 'delivered'));
  const fixes = world.positions.puts.filter((position) => position.courierId === courierId);
  const under = fixes.filter((fix) => distanceM(fix, at(0)) > 500 && distanceM(fix, far.place) > 500);
  expect(under.length).toBeGreaterThanOrEqual(1);
  for (const fix of under) {
    expect(distanceM(fix, at(0)) + distanceM(fix, far.place)).toBeCloseTo(distanceM(at(0), far.place), -1);
  }
  expect(distanceM(world.positions.last(courierId!)!, far.place)).toBeLessThan(1);
});

test('[B3] its position moves along the streets that the server knows', async () => {
  const far = aStop(1, { place: at(9000) });
  const corner = offsetBy(at(4500), 3000, 0);
  const asked: unknown[] = [];
  const route: Streets['route'] = async (places) => {
    asked.push(places);
    const polyline = encodePolyline([places[0] ?? corner, corner, places[1] ?? corner]);
    return { distanceM: 1, durationS: 1, legs: [{ distanceM: 1, durationS: 1, polyline }] };
  };
  const delivery = await order(5, { dropOffs: [far] });
  await process({ streets: { ...NO_STREETS, route } });
  await passUntil(world, isIn(delivery, 'delivered'));
  const { courierId } = await world.deliveries.get(delivery.id);
  const fixes = world.positions.puts.filter((position) => position.courierId === courierId);
  expect(Math.min(...fixes.map((fix) => distanceM(fix, corner)))).toBeLessThan(1500);
  expect(distanceM(world.positions.last(courierId!)!, far.place)).toBeLessThan(1);
  // Once to the pickup, and once to the drop-off.
  expect(asked).toHaveLength(2);
});

test('[B4] another process continues in the middle, from the stored state', async () => {
  const delivery = await order(10);
  const first = await process();
  await passUntil(world, isIn(delivery, 'picked_up'));
  await first.stop();
  await process({ leases: leaseDesk(world.clock).of('two') });
  await passUntil(world, isIn(delivery, 'delivered'));
  await until(async () => (await historyOf(world, delivery.id)).join() === LIFE.join());
  expect(await robosMade()).toBe(1);
});

test('[B4] a process that leads again continues the deliveries of robo-couriers whom another made meanwhile', async () => {
  const desk = leaseDesk(world.clock);
  const own = desk.of('one');
  let isAway = false;
  await process({
    leases: { ...own, tryHold: (...asked) => (isAway ? Promise.resolve(null) : own.tryHold(...asked)) },
  });
  const known = await order(10);
  await passUntil(world, isIn(known, 'delivered'));
  isAway = true;
  const other = await process({ leases: desk.of('two') });
  // The first one leads until its lease ends.
  await pass(world, 60_000);
  const both = [await order(10), await order(10)];
  for (const delivery of both) await passUntil(world, isIn(delivery, 'assigned'));
  expect(await robosMade()).toBe(2);
  await other.stop();
  isAway = false;
  for (const delivery of both) await passUntil(world, isIn(delivery, 'delivered'));
});

test('[B4] two processes that both believe they lead carry it once', async () => {
  const deliveries = await Promise.all([order(10), order(10)]);
  await process();
  await process({ leases: leaseDesk(world.clock).of('two') });
  for (const delivery of deliveries) await passUntil(world, isIn(delivery, 'delivered'));
  for (const { id } of deliveries) await until(async () => (await historyOf(world, id)).join() === LIFE.join());
  expect(await robosMade()).toBeLessThanOrEqual(4);
});

test('[B5] an idle robo-courier near the pickup is used before another is made, and only for deliveries that ask for one', async () => {
  const [first, person] = [
    await order(10),
    await storeDelivery(world, { searchFromAt: world.clock.now(), searchUntilAt: world.clock.now() + 900_000 }),
  ];
  await process();
  await passUntil(world, isIn(first, 'delivered'));
  const again = await order(10, { pickup: aStop(0, { place: at(1100) }) });
  await passUntil(world, isIn(again, 'delivered'));
  expect(await robosMade()).toBe(1);
  expect((await world.deliveries.get(person.id)).state).toBe('searching');
});

test('[B5] a person never receives an offer of a delivery for a robo-courier', async () => {
  await courierAt(world, at(1));
  const delivery = await order(10);
  await process();
  await passUntil(world, isIn(delivery, 'assigned'));
  const { courierId } = await world.deliveries.get(delivery.id);
  expect((await world.couriers.get(courierId!)).kind).toBe('robo');
});

test('[B6] every drop-off is served in the order of the visits, with the requested vehicle', async () => {
  const delivery = await order(30, {
    dropOffs: [1, 2, 3].map((stop) => aStop(stop, { visit: 4 - stop })),
    vehicleTypes: ['van'],
  });
  await process();
  await passUntil(world, isIn(delivery, 'delivered'));
  const ended = await world.deliveries.get(delivery.id);
  expect(ended.outcome).toBe('complete');
  expect(ended.courier?.vehicle_type).toBe('van');
  const ends = ended.dropOffs.map(({ doneAt }) => doneAt ?? 0);
  expect(ends).toEqual(ends.toSorted((a, b) => b - a));
});

test('[B7] goods of a delivery canceled after the pickup are brought back', async () => {
  const delivery = await order(10);
  await process();
  await passUntil(world, isIn(delivery, 'in_transit'));
  const canceled = await cancelDelivery(world, { deliveryId: delivery.id, reason: 'other' }, asVendor(delivery));
  const [back] = await world.deliveries.findMany(canceled.related);
  expect(back).toMatchObject({ kind: 'return', state: 'in_transit' });
  await passUntil(world, isIn(back!, 'delivered'));
});

test('[D128] a robo-courier gives every proof that the stops require', async () => {
  const none = { picture: false, signature: null, pin: null, barcodes: [], minAge: null };
  const verification = {
    picture: true,
    signature: { collectName: true, collectRelationship: true },
    pin: { type: 'random' as const, sealed: world.vault.seal('0420') },
    barcodes: [{ value: 'BOX-1', type: 'QR' as const }],
    minAge: 18,
  };
  const delivery = await order(10, {
    pickup: aStop(0, { verification: { ...none, picture: true } }),
    dropOffs: [aStop(1, { verification })],
  });
  await process();
  await passUntil(world, isIn(delivery, 'delivered'));
  const { pickup, dropOffs } = await world.deliveries.get(delivery.id);
  expect([missingProof(pickup), ...dropOffs.map(missingProof)]).toEqual([[], []]);
  expect(pickup.proof?.photos).toHaveLength(1);
});
