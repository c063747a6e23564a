import { latLngToCell } from 'h3-js';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { assignCourier } from '../../../../src/dispatch/offers/assign-courier.ts';
import { STOP_SERVICE_S, travelS } from '../../../../src/domain/deliveries/way.ts';
import { distanceM, offsetBy, type Coordinates } from '../../../../src/domain/geo/geo.ts';
import type { DeliveryId } from '../../../../src/domain/ids.ts';
import { hourOfWeek, CELL_RESOLUTION } from '../../../../src/domain/learning/travel.ts';
import { createTravelTimes } from '../../../../src/models/learning/travel-times.ts';
import { openRouting } from '../../../../src/models/streets/routing.ts';
import { isTable, osrmRoute, osrmStreets, routingServer } from '../../../models/streets/routing-house.ts';
import { VADUZ } from '../../../embedded/streets/streets-house.ts';
import { atEnd } from '../../../at-end.ts';
import { asStaff } from '../../../callers.ts';
import { until } from '../../../until.ts';
import { addCourier, addServer, addStaff, addVendor, call, openHouse, type Body } from '../../house.ts';

/** Seconds for each metre of the straight line: a route and a table give the same. */
const PACE = 0.3;
const answer = osrmStreets((from, to) => PACE * distanceM(from, to));

const router = await routingServer(answer, afterAll);
const house = await openHouse('arrivals', (settings) => ({
  ...settings,
  travel: {
    ...settings.travel,
    routerUrl: router.url,
    routerKind: 'osrm',
    routeBudgetRealMs: 30_000,
    tableBudgetRealMs: 30_000,
  },
}));
const { clock, log, metrics, settings } = house.ctx;
/** The parts of a process that know ways. */
function openWays() {
  const { paces, routes: streets } = openRouting({ streetsUrl: undefined, clock, settings, metrics, log });
  const travel = createTravelTimes({ mongo: house.mongo, router: paces, clock, log });
  atEnd(async () => {
    travel.close();
    streets.close();
  });
  return { travel, streets };
}
const ways = openWays();
const server = await addServer(house, ways);
const ctx = { ...house.ctx, ...ways };
const [vendor, staff] = [await addVendor(house), await addStaff(house, 'dispatcher')];
const token = vendor.key;
const contact = { name: 'Ada', phone: '+4915112345678' };

beforeEach(() => {
  router.state.answer = answer;
});

async function quote(from: Coordinates, to: Coordinates): Promise<Body> {
  const body = { pickup: { coordinates: from }, drop_off: [{ coordinates: to }] };
  const { status, body: made } = await call(server, 'POST /express/quotes', { token, body });
  expect(status).toBe(201);
  return made;
}

async function create(
  from: Coordinates,
  to: Coordinates,
  over: Body = {},
  by: Pick<typeof house, 'url'> = server,
): Promise<Body> {
  const body = {
    pickup: { coordinates: from, contact, address: 'Street 1' },
    drop_off: [{ coordinates: to, contact, address: 'Street 2' }],
    ...over,
  };
  const { status, body: made } = await call(by, 'POST /express/deliveries', { token, body });
  expect(status).toBe(201);
  return made;
}

const read = async (made: Body, by: Pick<typeof house, 'url'> = server): Promise<Body> =>
  (await call(by, `GET /deliveries/${String(made['id'])}`, { token })).body;

type Eta = { at: string } | null;
const etaOf = ({ eta }: Body): { pickup: Eta; drop_off: Eta } => eta as { pickup: Eta; drop_off: Eta };
const secondsFrom = (at: number, eta: Eta): number => (Date.parse(eta?.at ?? '') - at) / 1000;
/** Seconds from the arrival at the pickup to that at the drop-off, without the handover between them. */
const wayOf = (made: Body): number => {
  const { pickup, drop_off: dropOff } = etaOf(made);
  return secondsFrom(Date.parse(pickup?.at ?? ''), dropOff) - STOP_SERVICE_S;
};

test('[H469] the answer to a create with a quote has an arrival along the way of the quote', async () => {
  const to = offsetBy(VADUZ, 0, 2500);
  const routedS = PACE * distanceM(VADUZ, to);
  expect(Math.abs(routedS - travelS(VADUZ, to, 'scooter'))).toBeGreaterThan(150);
  const made = await create(VADUZ, to, { quote_id: (await quote(VADUZ, to))['id'] });
  expect(wayOf(made)).toBeCloseTo(routedS, -1);
  expect(wayOf(await read(made))).toBeCloseTo(routedS, -1);
  const { body: history } = await call(server, `GET /deliveries/${String(made['id'])}/history`, { token });
  const born = (history.data?.[0]?.['data'] as Body | undefined)?.['delivery'] as Body;
  expect(wayOf(born)).toBeCloseTo(routedS, -1);
});

test('[H469] without a route the first answer has an estimate, and a later one the way along streets', async () => {
  const to = offsetBy(VADUZ, 0, -2600);
  // However late the answer to the create is, the routing server is later.
  const held: (() => void)[] = [];
  router.state.answer = (asked, response) => void held.push(() => answer(asked, response));
  const made = await create(VADUZ, to);
  expect(made['distance_source']).toBe('estimate');
  expect(wayOf(made)).toBeCloseTo(travelS(VADUZ, to, 'scooter'), -1);
  router.state.answer = answer;
  for (const go of held) go();
  const routedS = PACE * distanceM(VADUZ, to);
  await until(async () => Math.abs(wayOf(await read(made)) - routedS) < 5);
});

test('[H469] no answer waits for a routing server that does not answer', async () => {
  router.state.answer = (asked, response) => (isTable(asked) ? undefined : osrmRoute(asked, response));
  const to = offsetBy(VADUZ, 1500, -2600);
  const made = await create(VADUZ, to);
  await until(() => router.state.open > 0);
  for (const one of [made, await read(made)]) {
    expect(wayOf(one)).toBeCloseTo(travelS(VADUZ, to, 'scooter'), -1);
  }
  expect(router.state.open).toBeGreaterThan(0);
});

test('[H470] candidates, the expected pickup of a quote and a courier on the way go along streets', async () => {
  const pickup = offsetBy(VADUZ, 0, 6000);
  const place = offsetBy(pickup, 0, 2000);
  const routedS = PACE * distanceM(place, pickup);
  const courier = await addCourier(house);
  const online = { token: courier.token, body: { status: 'online' } };
  expect((await call(server, `PATCH /couriers/${courier.id}/status`, online)).status).toBe(200);
  const stand = async ({ lat, lng }: Coordinates, seq: number, at: number): Promise<void> => {
    const body = { lat, lng, seq, recorded_at: new Date(at).toISOString() };
    const { body: answer } = await call(server, `PUT /couriers/${courier.id}/location`, { token: courier.token, body });
    expect(answer).toMatchObject({ accepted: 1 });
  };
  await stand(place, 1, clock.now() - 40_000);
  const made = await create(pickup, offsetBy(pickup, 1500, 0));
  const id = made['id'] as DeliveryId;
  await until(async () => {
    const { body } = await call(server, `GET /dispatch/candidates?delivery_id=${id}`, { token: staff });
    const [candidate] = body.data ?? [];
    return Math.abs(Number(candidate?.['travel_s']) - routedS) < 2;
  });
  await until(async () => {
    const { pickup_eta: eta } = await quote(pickup, offsetBy(pickup, 1500, 0));
    return Math.abs(secondsFrom(clock.now(), eta as Eta) - 30 - routedS) < 5;
  });
  await assignCourier(ctx, { deliveryId: id, courierId: courier.id, offerId: null, overrideReason: null }, asStaff());
  await until(async () => Math.abs(secondsFrom(clock.now(), etaOf(await read(made)).pickup) - routedS) < 5);
  // A few streets on, the remaining way is in proportion at once.
  await stand(offsetBy(pickup, 0, 1700), 2, clock.now());
  await until(async () => Math.abs(secondsFrom(clock.now(), etaOf(await read(made)).pickup) - PACE * 1700) < 5);
});

test('[H471] a fleet that needs longer than the routing server says has later arrivals', async () => {
  const from = offsetBy(VADUZ, 0, -9000);
  const to = offsetBy(from, 0, -2500);
  const routedS = PACE * distanceM(from, to);
  const made = await create(from, to, { quote_id: (await quote(from, to))['id'] });
  expect(wayOf(made)).toBeCloseTo(routedS, -1);
  const hour = hourOfWeek(clock.now());
  const sample = {
    cell: latLngToCell(from.lat, from.lng, CELL_RESOLUTION),
    hour,
    vehicle: 'scooter',
    liveMode: false,
    metres: 2000,
    seconds: 780,
    routedS: 600,
  } as const;
  // The next hour may begin meanwhile.
  await ways.travel.record(Array.from({ length: 200 }, (_, at) => ({ ...sample, hour: (hour + (at % 2)) % 168 })));
  // A process that knew the cell reads it again after a minute, and one that did not, at once.
  const other = await addServer(house, openWays());
  await until(async () => wayOf(await read(made, other)) > 1.25 * routedS);
  expect(wayOf(await read(made, other))).toBeLessThan(1.31 * routedS);
  const next = await create(from, to, { quote_id: (await quote(from, to))['id'] }, other);
  expect(wayOf(next)).toBeGreaterThan(1.25 * routedS);
});
