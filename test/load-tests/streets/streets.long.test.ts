import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routesOf } from '../../../load-tests/clients/routes.ts';
import { readDay } from '../../../load-tests/day/day.ts';
import { layOnGlobe } from '../../../load-tests/day/globe.ts';
import { parseOptions } from '../../../load-tests/streets/options.ts';
import { runBoth } from '../../../load-tests/streets/run.ts';
import { withStreets } from '../../../load-tests/servers/streets.ts';
import { distanceM } from '../../../src/domain/geo/geo.ts';
import { EXTRACT } from '../../embedded/streets/streets-house.ts';
import { testEngines } from '../../engines.ts';

const DAY = join(import.meta.dirname, '../../../examples/day-vaduz');
/** Points of a day are whole metres, so at a crossing another street may be the nearest. */
const NEAR_M = 10;
/** A busy machine may block for as long as a fast search lasts, or as the contact to a courier may be lost. */
const PATIENT = [
  'SEARCH_LIMIT_MS=3600000',
  'PRESENCE_LOST_AFTER_MS=3600000',
  'TRAVEL_ROUTE_BUDGET_REAL_MS=5000',
].flatMap((pair) => ['--set', pair]);

test('[Y49] every place of the example day lies on a street of the extract, with ways from each order to its door', async () => {
  const day = await readDay(DAY);
  const place = layOnGlobe(day, { lat: 0, lng: 0 });
  await withStreets(
    EXTRACT,
    () => {},
    async (url) => {
      const findRoute = routesOf(url);
      for (const { at, restaurant } of day.orders) {
        const [from, to] = [place(restaurant.at), place(at)];
        const line = (await findRoute(from, to))?.line ?? [];
        expect(distanceM(line[0] ?? to, from)).toBeLessThan(NEAR_M);
        expect(distanceM(line.at(-1) ?? from, to)).toBeLessThan(NEAR_M);
      }
      const [first] = day.restaurants;
      for (const { at } of day.couriers) {
        expect(await findRoute(place(at), place(first?.at ?? at))).not.toBeNull();
      }
    },
  );
});

test('[Y53] a piece of a day on streets is delivered along them, and fees have the distance that couriers drive', async () => {
  const [routes, estimates] = ['streets-routes', 'streets-estimates'].map((name) => {
    const { mongoUrl, redisUrl, keyPrefix } = testEngines(name);
    const engines = { mongoUrl, redisUrl, stop: () => Promise.resolve() };
    return { engines, environment: { REDIS_PREFIX: keyPrefix } };
  });
  const around = { routes: routes ?? {}, estimates: estimates ?? {} };
  const options = parseOptions([
    DAY,
    '--streets',
    EXTRACT,
    '--from',
    '720',
    '--to',
    '765',
    '--speed',
    '60',
    ...PATIENT,
  ]);
  const report = await runBoth(options, around, () => {});
  for (const side of [report.routes, report.estimates]) {
    expect(side.problems).toEqual([]);
    expect(side.outcome).toMatchObject({ delivered: side.orders, failed: 0, canceled: 0, open: 0 });
    expect(side.money).toMatchObject({ charged: side.orders, faults: [] });
    // On a slow machine a server may be busy, or a client gives up. The order is then offered again.
    expect(Object.keys(side.surprises).filter((what) => !/: (?:busy|no answer)$/.test(what))).toEqual([]);
    for (const { count } of Object.values(side.arrivals.day).filter((figure) => typeof figure === 'object'))
      expect(count).toBe(side.orders);
  }
  const { orders, arrivals } = report.routes;
  expect(orders).toBeGreaterThan(12);
  expect(arrivals.day.routes).toBe(orders);
  expect(arrivals.day.distance.p50).toBeLessThanOrEqual(0.02);
  expect(report.estimates.arrivals.day.routes).toBe(0);
  expect(report.estimates.arrivals.day.distance.p50).toBeGreaterThan(0.02);
}, 600_000);
