import { afterAll, expect, test } from 'vitest';
import { distanceM, offsetBy } from '../../../../src/domain/geo/geo.ts';
import { SCHAAN, VADUZ, valhallaForFile } from '../../../embedded/streets/streets-house.ts';
import {
  isTable,
  json,
  osrmRoute,
  osrmStreets,
  placesOfUrl,
  routingServer,
} from '../../../models/streets/routing-house.ts';
import { addVendor, call, openHouse } from '../../house.ts';

const TRIESEN = { lat: 47.1078, lng: 9.5287 };
/** Tables by which the straight order is the best one. */
const STREETS = osrmStreets((from, to) => distanceM(from, to) / 5);
const stub = await routingServer(STREETS, afterAll);
const own = await valhallaForFile();

const withRouter = (name: string, routerUrl: string, routerKind: 'osrm' | 'valhalla', routeBudgetRealMs = 30_000) =>
  openHouse(name, (settings) => ({
    ...settings,
    travel: { ...settings.travel, routerUrl, routerKind, routeBudgetRealMs, tableBudgetRealMs: routeBudgetRealMs },
  }));
const real = await withRouter('quote-routes', own, 'valhalla');
const stubbed = await withRouter('quote-routes-stub', stub.url, 'osrm');
const hasty = await withRouter('quote-routes-late', stub.url, 'osrm', 300);
const houses = { real, stubbed, hasty };
const keys = new Map<keyof typeof houses, string>();
for (const name of ['real', 'stubbed', 'hasty'] as const) keys.set(name, (await addVendor(houses[name])).key);

type Body = Record<string, unknown>;
const bodyOf = (to: readonly { lat: number; lng: number }[], over: Body = {}, from = VADUZ): Body => ({
  pickup: { coordinates: from },
  drop_off: to.map((coordinates) => ({ coordinates })),
  ...over,
});
const contact = { name: 'Ada', phone: '+4915112345678' };
const newDelivery = (to: { lat: number; lng: number }): Body => ({
  pickup: { coordinates: VADUZ, contact, address: 'Street 1' },
  drop_off: [{ coordinates: to, contact, address: 'Street 2' }],
});
async function post(house: keyof typeof houses, route: `POST /${string}`, body: Body): Promise<Body> {
  const { status, body: answer } = await call(houses[house], route, { token: keys.get(house) ?? '', body });
  expect(status).toBeLessThan(300);
  return answer as Body;
}

test('[J329] a quote and a pre-calculation have the way along streets, with the handover at each stop', async () => {
  const quote = await post('real', 'POST /express/quotes', bodyOf([SCHAAN]));
  expect(quote['distance_source']).toBe('route');
  const ratio = Number(quote['distance_m']) / distanceM(VADUZ, SCHAAN);
  expect(ratio).toBeGreaterThan(1.05);
  expect(ratio).not.toBeCloseTo(1.35, 3);
  const preCalc = await post('real', 'POST /vendor/quotes/pre-calc', bodyOf([SCHAAN]));
  for (const field of ['fee', 'distance_m', 'duration_s', 'distance_source']) expect(preCalc[field]).toBe(quote[field]);
  const stored = await post('stubbed', 'POST /express/quotes', bodyOf([SCHAAN]));
  const straightM = distanceM(VADUZ, SCHAAN);
  expect(stored).toMatchObject({
    distance_m: Math.round(1.5 * straightM),
    duration_s: Math.round(0.3 * straightM) + 120,
    distance_source: 'route',
  });
});

test('[J329] the way goes through all drop-offs in the order of visits, for the first of the vehicles', async () => {
  stub.asked.length = 0;
  const quote = await post(
    'stubbed',
    'POST /express/quotes',
    bodyOf([SCHAAN, TRIESEN, VADUZ], { vehicle_types: ['bicycle', 'car'] }),
  );
  expect(quote['distance_source']).toBe('route');
  const { url = '' } = stub.asked.find((asked) => !isTable(asked)) ?? {};
  expect(url).toContain('/route/v1/bike/');
  // The shortest order begins with the drop-off at the pickup.
  expect(placesOfUrl(url)).toEqual([VADUZ, VADUZ, SCHAAN, TRIESEN]);
  await post('stubbed', 'POST /express/quotes', bodyOf([TRIESEN]));
  expect(stub.asked.at(-1)?.url).toContain('/route/v1/driving/');
});

test('[J329] a place beyond the map has an estimate', async () => {
  const beyond = { lat: 47.1392, lng: 9.7 };
  const quote = await post('real', 'POST /express/quotes', bodyOf([beyond]));
  expect(quote).toMatchObject({
    distance_m: Math.round(1.35 * distanceM(VADUZ, beyond)),
    distance_source: 'estimate',
  });
});

test('[J329] a routing server that is slow, broken or moves places gives estimates and no error', async () => {
  const failing = {
    slow: () => undefined,
    broken: (_asked: unknown, response: Parameters<typeof json>[0]) => json(response, { oops: true }, 500),
    far: (asked: { url: string; method: string; body: string }, response: Parameters<typeof json>[0]) =>
      osrmRoute({ ...asked, url: asked.url.replace(/;[\d.,]+\?/, ';9.9,47.5?') }, response),
  };
  for (const [index, answer] of Object.values(failing).entries()) {
    stub.state.answer = answer;
    const to = { lat: SCHAAN.lat + index / 1000, lng: SCHAAN.lng };
    const quote = await post('hasty', 'POST /express/quotes', bodyOf([to]));
    expect(quote).toMatchObject({ distance_m: Math.round(1.35 * distanceM(VADUZ, to)), distance_source: 'estimate' });
  }
  stub.state.answer = STREETS;
});

test('[L13] the estimate decides whether a way is too long, with or without a route', async () => {
  stub.asked.length = 0;
  const token = keys.get('stubbed') ?? '';
  const far = { lat: VADUZ.lat + 0.4, lng: VADUZ.lng };
  for (const [route, body] of [
    ['POST /express/quotes', bodyOf([far])],
    ['POST /express/deliveries', newDelivery(far)],
  ] as const) {
    const { status, body: answer } = await call(houses.stubbed, route, { token, body });
    expect({ status, reason: (answer as Body)['reason'] }).toEqual({ status: 422, reason: 'distance_too_long' });
  }
  expect(stub.asked).toHaveLength(0);
  // The estimate is below 40 km, and the route is above.
  const near = offsetBy(VADUZ, 0, 29_000);
  const quote = await post('stubbed', 'POST /express/quotes', bodyOf([near]));
  expect(quote).toMatchObject({ distance_m: Math.round(1.5 * distanceM(VADUZ, near)), distance_source: 'route' });
  const delivery = await post('stubbed', 'POST /express/deliveries', newDelivery(near));
  expect(delivery['distance_m']).toBe(quote['distance_m']);
});

test('[J330] a create without a quote has the remembered route or an estimate, and asks nobody', async () => {
  const create = (to: typeof VADUZ, over: Body = {}) =>
    post('stubbed', 'POST /express/deliveries', { ...newDelivery(to), ...over });
  const away = { lat: 47.12, lng: 9.525 };
  stub.asked.length = 0;
  const estimated = await create(away);
  expect(estimated).toMatchObject({
    distance_m: Math.round(1.35 * distanceM(VADUZ, away)),
    distance_source: 'estimate',
  });
  expect(stub.asked).toHaveLength(0);
  const quote = await post('stubbed', 'POST /express/quotes', bodyOf([away]));
  for (const routed of [await create(away), await create(away, { quote_id: quote['id'] })]) {
    for (const field of ['distance_m', 'fee']) expect(routed[field]).toBe(quote[field]);
    const { body } = await call(houses.stubbed, `GET /express/deliveries/${String(routed['id'])}`, {
      token: keys.get('stubbed') ?? '',
    });
    expect((body as Body)['distance_source']).toBe('route');
  }
  expect(stub.asked).toHaveLength(1);
});

test('[D2] a quote of one vehicle has the price of its way, so a delivery of another vehicle cannot use it', async () => {
  const create = async (quoteId: unknown, vehicles?: readonly string[]) => {
    const body = { ...newDelivery(SCHAAN), quote_id: quoteId, vehicle_types: vehicles };
    return call(houses.real, 'POST /express/deliveries', { token: keys.get('real') ?? '', body });
  };
  const cycled = await post('real', 'POST /express/quotes', bodyOf([SCHAAN], { vehicle_types: ['bicycle', 'van'] }));
  for (const vehicles of [['van', 'bicycle'], ['scooter'], []]) {
    const { status, body } = await create(cycled['id'], vehicles);
    expect({ status, reason: (body as Body)['reason'] }).toEqual({ status: 422, reason: 'vehicle' });
  }
  expect((await create(cycled['id'], ['bicycle'])).body).toMatchObject({ fee: cycled['fee'] });
  for (const vehicles of [['van'], undefined]) {
    const any = await post('real', 'POST /express/quotes', bodyOf([SCHAAN]));
    expect((await create(any['id'], vehicles)).status).toBe(201);
  }
});
