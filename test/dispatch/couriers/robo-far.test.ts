import { expect, test } from 'vitest';
import { startRegions } from '../../../src/dispatch/regions/run-region.ts';
import { startRobos } from '../../../src/dispatch/couriers/robo/robo-courier.ts';
import { offsetBy, distanceM, between } from '../../../src/domain/geo/geo.ts';
import { aStop } from '../../builders.ts';
import { leaseDesk, passUntil, phones, running, sharedBell } from '../region-world.ts';
import { openWorld, storeDelivery } from '../world.ts';

const world = await openWorld('robo-far');

const PLACES = [
  ['east of the date line', { lat: -17, lng: -179.9995 }, { lat: -17, lng: 179.99 }],
  ['west of the date line', { lat: -17, lng: 179.9995 }, { lat: -17, lng: -179.99 }],
  ['at the north pole', { lat: 90, lng: 0 }, { lat: 89.99, lng: 90 }],
  ['at the south pole', { lat: -90, lng: 0 }, { lat: -89.99, lng: 90 }],
] as const;

test.each(PLACES)('[D97] a robo-courier carries a delivery %s', async (_where, from, to) => {
  const now = world.clock.now();
  const delivery = await storeDelivery(world, {
    robo: { timeScale: 10 },
    pickup: aStop(0, { place: from }),
    dropOffs: [aStop(1, { place: to })],
    searchFromAt: now,
    searchUntilAt: now + 900_000,
    times: { createdAt: now, updatedAt: now, searchingAt: now },
  });
  const bell = sharedBell();
  const leases = leaseDesk(world.clock).of('one');
  running(startRegions({ ...world, bell, leases, notices: phones({ isThere: false }) }));
  running(await startRobos({ ...world, bell, leases }));
  const stateNow = async () => (await world.deliveries.get(delivery.id)).state;
  await passUntil(world, async () => ['delivered', 'canceled'].includes(await stateNow()), { stepMs: 500 });
  expect(await stateNow()).toBe('delivered');
  const { courierId } = await world.deliveries.get(delivery.id);
  const path = world.positions.puts.filter((put) => put.courierId === courierId);
  expect(path.length).toBeGreaterThan(5);
  for (const { lat, lng } of path) {
    expect([Math.abs(lat) <= 90, Math.abs(lng) <= 180]).toEqual([true, true]);
    // The way is one or two kilometres long, and not around the earth.
    expect(distanceM(from, { lat, lng })).toBeLessThan(5000);
  }
});

test.each(PLACES)('[D97] places %s are moved and joined by the short way', (_where, from, to) => {
  for (const [east, north] of [
    [300, 0],
    [-300, 0],
    [0, 300],
    [0, -300],
    [-200, 200],
  ] as const) {
    const moved = offsetBy(from, east, north);
    expect([Math.abs(moved.lat) <= 90, Math.abs(moved.lng) <= 180]).toEqual([true, true]);
    expect(distanceM(from, moved)).toBeLessThan(301);
  }
  const wayM = distanceM(from, to);
  for (const part of [0.25, 0.5, 0.75]) {
    const point = between(from, to, part);
    expect(Math.abs(point.lng)).toBeLessThanOrEqual(180);
    expect(distanceM(from, point)).toBeCloseTo(part * wayM, -1);
  }
});
