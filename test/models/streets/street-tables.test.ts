import { expect, test } from 'vitest';
import { distanceM, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { until } from '../../until.ts';
import { json, osrmPlaces, osrmStreets, routesBy, routingServer } from './routing-house.ts';

const [A, B, C] = [
  { lat: 52.52, lng: 13.405 },
  { lat: 52.52, lng: 13.435 },
  { lat: 52.547, lng: 13.435 },
];
const WAY = [A, B, C];
const secondsOf = (from: Coordinates, to: Coordinates) => Math.round(distanceM(from, to) / 5);

test('[E51] a table has the times from each place to each but the first, in one request for the rounded places', async () => {
  const server = await routingServer(osrmStreets(secondsOf));
  const { routes, timed } = routesBy(server.url);
  const beside = WAY.map(({ lat, lng }) => ({ lat: lat + 0.00004, lng: lng - 0.00004 }));
  const table = await routes.table(beside, 'bicycle');
  expect(table).toEqual(WAY.map((from) => [B, C].map((to) => secondsOf(from, to))));
  const [asked] = server.asked;
  expect([server.asked.length, asked?.url.includes('/table/v1/bike/'), timed]).toEqual([1, true, ['ok']]);
  expect(osrmPlaces(asked?.url ?? '')).toMatchObject({ sources: WAY, targets: [B, C] });
});

test('[E53] a table is remembered for an hour, also if it is missing', async () => {
  const server = await routingServer(osrmStreets(secondsOf));
  const { routes, clock, timed } = routesBy(server.url);
  expect(routes.knownTable(WAY, 'car')).toBeNull();
  const table = await routes.table(WAY, 'car');
  expect([routes.knownTable(WAY, 'car'), await routes.table(WAY, 'car')]).toEqual([table, table]);
  expect([routes.knownTable(WAY, 'van'), routes.knownTable(WAY.toReversed(), 'car')]).toEqual([null, null]);
  expect(server.asked).toHaveLength(1);
  await clock.advance(3_600_000);
  expect(routes.knownTable(WAY, 'car')).toBeNull();
  // One way of a table is missing, or the server refuses it.
  server.state.answer = osrmStreets((from) => (from.lng === C.lng ? null : 60));
  expect([await routes.table(WAY, 'car'), await routes.table(WAY, 'car')]).toEqual([null, null]);
  server.state.answer = (_asked, response) => json(response, { code: 'NoSegment' }, 400);
  expect([await routes.table(WAY, 'van'), await routes.table(WAY, 'van')]).toEqual([null, null]);
  expect([server.asked.length, timed]).toEqual([3, ['ok', 'gap', 'refused']]);
});

test('[E52] a caller waits no longer than their time, and an answer after it is remembered', async () => {
  const streets = osrmStreets(secondsOf);
  const late: (() => void)[] = [];
  const server = await routingServer((asked, response) => void late.push(() => streets(asked, response)));
  const { routes, timed } = routesBy(server.url);
  const within = new AbortController();
  const other = routes.table(WAY, 'car');
  const waiting = routes.table(WAY, 'car', within.signal);
  await until(() => late.length > 0);
  within.abort();
  expect(await waiting).toBeNull();
  expect(await routes.route(WAY, 'car', within.signal)).toBeNull();
  for (const answer of late) answer();
  expect(await other).not.toBeNull();
  expect(routes.knownTable(WAY, 'car')).toEqual(await other);
  expect([server.asked.length, timed]).toEqual([1, ['ok']]);
});

test('[E52] a table that another caller has asked for is waited for no longer than the own budget', async () => {
  const server = await routingServer(() => undefined);
  const { routes } = routesBy(server.url);
  const own = new AbortController();
  let isOver = false;
  void routes.table(WAY, 'car').then(() => (isOver = true));
  const waiting = routes.table(WAY, 'car', own.signal);
  await until(() => server.asked.length > 0);
  own.abort();
  expect(await waiting).toBeNull();
  expect([isOver, server.asked.length]).toEqual([false, 1]);
});
