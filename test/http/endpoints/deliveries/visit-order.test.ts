import { afterAll, expect, test } from 'vitest';
import { distanceM, offsetBy } from '../../../../src/domain/geo/geo.ts';
import { VADUZ } from '../../../embedded/streets/streets-house.ts';
import {
  isTable,
  json,
  osrmRoute,
  osrmStreets,
  placesOfUrl,
  routingServer,
} from '../../../models/streets/routing-house.ts';
import { addVendor, call, openHouse, type Body } from '../../house.ts';

/** Tables by which the straight order is the best one. */
const STREETS = osrmStreets((from, to) => distanceM(from, to) / 5);
const stub = await routingServer(STREETS, afterAll);

const house = await openHouse('visit-order', (settings) => {
  // The machine that runs the tests may be slow.
  const budgets = { routeBudgetRealMs: 30_000, tableBudgetRealMs: 30_000 };
  return { ...settings, travel: { ...settings.travel, routerUrl: stub.url, routerKind: 'osrm', ...budgets } };
});
const { key } = await addVendor(house);

const contact = { name: 'Ada', phone: '+4915112345678' };
const bodyOf = (to: readonly { lat: number; lng: number }[], over: Body = {}): Body => ({
  pickup: { coordinates: VADUZ },
  drop_off: to.map((coordinates) => ({ coordinates })),
  ...over,
});
async function post(route: `POST /${string}`, body: Body): Promise<Body> {
  const { status, body: answer } = await call(house, route, { token: key, body });
  expect(status).toBeLessThan(300);
  return answer;
}

/** Three places in a row. A river lies before the first, so the direct way to it takes long. */
const ROW = [600, 800, 2400].map((northM) => offsetBy(VADUZ, 0, northM));
const [FIRST] = ROW;
const isAt = (one: { lat: number; lng: number }, other = VADUZ): boolean => distanceM(one, other) < 20;
const beyondRiver = osrmStreets((from, to) => (isAt(to, FIRST) && isAt(from) ? 3000 : distanceM(from, to) / 5));
const severalTo = (places: readonly (typeof VADUZ)[], over: Body = {}): Body => ({
  pickup: { coordinates: VADUZ, contact, address: 'Street 1' },
  drop_off: places.map((coordinates) => ({ coordinates, contact, address: 'Street 2' })),
  ...over,
});
const visitsOf = (made: Body): number[] => (made['drop_off'] as { visit: number }[]).map(({ visit }) => visit);
const placesAsked = (): unknown[] => stub.asked.filter((asked) => !isTable(asked)).map(({ url }) => placesOfUrl(url));
const along = (places: readonly (typeof VADUZ)[]): number =>
  places.reduce((sum, place, at) => sum + distanceM(places[at - 1] ?? place, place), 0);
const rounded = (places: readonly (typeof VADUZ)[]) =>
  places.map(({ lat, lng }) => ({ lat: Number(lat.toFixed(4)), lng: Number(lng.toFixed(4)) }));

test('[E51] several drop-offs are visited in the order that takes the least time along streets', async () => {
  stub.state.answer = beyondRiver;
  stub.asked.length = 0;
  const [first, second, third] = ROW;
  const quote = await post('POST /express/quotes', bodyOf(ROW));
  // By straight lines it is 1, 2, 3.
  const way = rounded([VADUZ, second!, first!, third!]);
  expect(placesAsked()).toEqual([way]);
  expect(stub.asked.map(isTable)).toEqual([true, false]);
  expect(quote).toMatchObject({ distance_m: Math.round(1.5 * along(way)), distance_source: 'route' });
  const preCalc = await post('POST /vendor/quotes/pre-calc', bodyOf(ROW));
  for (const field of ['fee', 'distance_m', 'duration_s']) expect(preCalc[field]).toBe(quote[field]);
  expect(stub.asked).toHaveLength(2);
  const timed = ROW.map((coordinates, at) => ({
    coordinates,
    ...(at === 0 && { window: { deadline_at: new Date(Date.now() + 7_200_000).toISOString() } }),
  }));
  await post('POST /express/quotes', { ...bodyOf([]), drop_off: timed });
  expect(placesAsked().at(-1)).toEqual(rounded([VADUZ, ...ROW]));
  expect(stub.asked.filter(isTable)).toHaveLength(1);
  stub.state.answer = STREETS;
});

test('[E52] without a table or without a route of its order, drop-offs are visited in the order of straight lines', async () => {
  const noWay = (_asked: unknown, response: Parameters<typeof json>[0]) => json(response, { code: 'NoRoute' }, 400);
  const oops = (_asked: unknown, response: Parameters<typeof json>[0]) => json(response, {}, 500);
  const answers = [
    { table: oops, route: osrmRoute, distanceSource: 'route' },
    { table: osrmStreets((_from, to) => (isAt(to, ROW[1]) ? null : 9)), route: osrmRoute, distanceSource: 'route' },
    { table: beyondRiver, route: noWay, distanceSource: 'estimate' },
    { table: beyondRiver, route: oops, distanceSource: 'estimate' },
  ];
  for (const [at, { table, route, distanceSource }] of answers.entries()) {
    stub.state.answer = (asked, response) => (isTable(asked) ? table : route)(asked, response);
    stub.asked.length = 0;
    // Each with a last place of its own, because answers are remembered.
    const places = [...ROW.slice(0, 2), offsetBy(ROW[2]!, 0, 30 * (at + 1))];
    const quote = await post('POST /express/quotes', bodyOf(places));
    expect(quote['distance_source']).toBe(distanceSource);
    if (distanceSource === 'route') expect(placesAsked()).toEqual([rounded([VADUZ, ...places])]);
    else expect(quote['distance_m']).toBe(Math.round(1.35 * along([VADUZ, ...places])));
    const made = await post('POST /express/deliveries', severalTo(places, { quote_id: quote['id'] }));
    expect(visitsOf(made)).toEqual([1, 2, 3]);
  }
  stub.state.answer = STREETS;
});

test('[E53] a delivery is visited in the order of its quote, also if its places differ a little', async () => {
  stub.state.answer = beyondRiver;
  const quote = await post('POST /express/quotes', bodyOf(ROW));
  const nearby = ROW.map((place) => offsetBy(place, 60, -40));
  stub.state.answer = STREETS;
  stub.asked.length = 0;
  const made = await post('POST /express/deliveries', severalTo(nearby, { quote_id: quote['id'] }));
  expect([visitsOf(made), made['distance_m']]).toEqual([[2, 1, 3], quote['distance_m']]);
  const { body } = await call(house, `GET /express/deliveries/${String(made['id'])}`, { token: key });
  const legs = body['legs'] as { from: number; to: number }[];
  expect(legs.map(({ from, to }) => [from, to])).toEqual([
    [0, 2],
    [2, 1],
    [1, 3],
  ]);
  expect(stub.asked).toHaveLength(0);
});

test('[E53] a delivery without a quote is visited in the remembered order, or else in that of straight lines', async () => {
  const places = ROW.map((place) => offsetBy(place, 1000, 0));
  stub.state.answer = osrmStreets((from, to) => (isAt(to, places[0]) && isAt(from) ? 3000 : distanceM(from, to) / 5));
  stub.asked.length = 0;
  const straight = await post('POST /express/deliveries', severalTo(places));
  expect([visitsOf(straight), straight['distance_source'], stub.asked.length]).toEqual([[1, 2, 3], 'estimate', 0]);
  const quote = await post('POST /express/quotes', bodyOf(places));
  const asked = stub.asked.length;
  const remembered = await post('POST /express/deliveries', severalTo(places));
  expect([visitsOf(remembered), stub.asked.length]).toEqual([[2, 1, 3], asked]);
  for (const field of ['distance_m', 'fee', 'distance_source']) expect(remembered[field]).toBe(quote[field]);
  stub.state.answer = STREETS;
});

test('[E54] the order along streets makes no delivery too long', async () => {
  // The estimate is 35 km in the order of straight lines, and 58 km in the order along streets. The limit is 40 km.
  const places = [9000, 18_000, 26_000].map((northM) => offsetBy(VADUZ, 0, northM));
  stub.state.answer = osrmStreets((from, to) => (isAt(to, places[0]) && !isAt(from, places[2]) ? 9000 : 60));
  const quote = await post('POST /express/quotes', bodyOf(places));
  expect(quote['distance_source']).toBe('route');
  const made = await post('POST /express/deliveries', severalTo(places, { quote_id: quote['id'] }));
  expect(visitsOf(made)[0]).toBe(3);
  stub.state.answer = STREETS;
});
