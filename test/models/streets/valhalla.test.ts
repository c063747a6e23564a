import { expect, test } from 'vitest';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import { distanceM, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { decodePolyline } from '../../../src/domain/geo/polyline.ts';
import type { Route } from '../../../src/domain/geo/route.ts';
import { createRouter, findRouterBy } from '../../../src/models/streets/router.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { SCHAAN, VADUZ, valhallaForFile } from '../../embedded/streets/streets-house.ts';

/** On a real Valhalla with the streets of Liechtenstein. */
const url = await valhallaForFile();
// The machine that runs the tests may be slow.
const travel = { ...defaultSettings().travel, tableBudgetRealMs: 30_000, routeBudgetRealMs: 30_000 };
const router = createRouter(
  findRouterBy(travel, () => url),
  travel,
);
const halt = new AbortController().signal;
const ask = (places: readonly Coordinates[], vehicle: (typeof VEHICLE_TYPES)[number] = 'scooter') =>
  router.route({ places, vehicle }, halt);
async function routeOf(...asked: Parameters<typeof ask>): Promise<Route> {
  const found = await ask(...asked);
  if (typeof found === 'string') throw new Error(`there is no route: ${found}`);
  return found;
}

test('[K15] a route follows the streets through all places in their order', async () => {
  const bendern = { lat: 47.2126, lng: 9.5066 };
  const places = [VADUZ, SCHAAN, bendern];
  const route = await routeOf(places);
  expect(route.legs).toHaveLength(2);
  for (const [index, leg] of route.legs.entries()) {
    const [from, to] = [places[index]!, places[index + 1]!];
    expect(leg.distanceM / distanceM(from, to)).toBeGreaterThan(1);
    expect(leg.distanceM / distanceM(from, to)).toBeLessThan(2);
    const line = decodePolyline(leg.polyline);
    expect(line.length).toBeGreaterThan(10);
    const alongM = line.slice(1).reduce((sum, point, at) => sum + distanceM(line[at]!, point), 0);
    expect(alongM / leg.distanceM).toBeCloseTo(1, 1);
  }
  const back = await routeOf(places.toReversed());
  expect(back.distanceM).not.toBe(route.distanceM);
});

test('[K15] every vehicle has a route, and a car does not take a way that only bicycles may take', async () => {
  const routes = await Promise.all(VEHICLE_TYPES.map((vehicle) => routeOf([VADUZ, SCHAAN], vehicle)));
  expect(routes.every((route) => route.distanceM > 3000)).toBe(true);
  const [slow, fast] = [routes[VEHICLE_TYPES.indexOf('bicycle')], routes[VEHICLE_TYPES.indexOf('car')]];
  expect(slow?.durationS).toBeGreaterThan(fast?.durationS ?? Infinity);
  // A path above Schaan joins these two streets.
  const hill = [
    { lat: 47.1551, lng: 9.5234 },
    { lat: 47.1614, lng: 9.5289 },
  ];
  const [bicycle, car] = [await routeOf(hill, 'bicycle'), await routeOf(hill, 'car')];
  expect(bicycle.distanceM).toBeLessThan(2000);
  expect(car.distanceM).toBeGreaterThan(4000);
});

test('[K16] there is no route to a place beyond the extract, or far from any street', async () => {
  const zurich = { lat: 47.3769, lng: 8.5417 };
  const naafkopf = { lat: 47.0594, lng: 9.6092 };
  const besideTheMap = { lat: 47.1392, lng: 9.7 };
  for (const place of [zurich, naafkopf, besideTheMap]) {
    expect([await ask([VADUZ, place]), await ask([place, VADUZ])]).toEqual(['no_way', 'no_way']);
  }
});

test('[K9] a table has the times of the same ways', async () => {
  const table = await router.table({ sources: [VADUZ], targets: [SCHAAN, VADUZ], vehicle: 'car' }, halt);
  const route = await routeOf([VADUZ, SCHAAN], 'car');
  const [there = NaN, here] = table?.[0] ?? [];
  expect(Math.abs((there ?? NaN) - route.durationS)).toBeLessThan(20);
  expect(here).toBe(0);
});

test('[K19] a table has no time for a place that is far from any street, and there is none if it is farther still', async () => {
  const besideTheMap = { lat: 47.1392, lng: 9.7 };
  const zurich = { lat: 47.3769, lng: 8.5417 };
  const tableOf = (sources: Coordinates[], targets: Coordinates[]) =>
    router.table({ sources, targets, vehicle: 'car' }, halt);
  const there = await tableOf([VADUZ], [SCHAAN, besideTheMap]);
  const back = await tableOf([besideTheMap, SCHAAN], [VADUZ]);
  expect(there).toEqual([[expect.any(Number), null]]);
  expect(back).toEqual([[null], [expect.any(Number)]]);
  expect(await tableOf([VADUZ], [SCHAAN, zurich])).toBeNull();
});
