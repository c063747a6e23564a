import { afterAll, expect, test } from 'vitest';
import { distanceM, offsetBy, type Coordinates } from '../../../../src/domain/geo/geo.ts';
import { decodePolyline } from '../../../../src/domain/geo/polyline.ts';
import { deliverStop, depart, pickUp } from '../../../../src/dispatch/deliveries/advance-delivery.ts';
import { assignCourier } from '../../../../src/dispatch/offers/assign-courier.ts';
import type { DeliveryId } from '../../../../src/domain/ids.ts';
import { POLYLINES } from '../../../../src/models/deliveries/polyline-shape.ts';
import { osrmStreets, routingServer } from '../../../models/streets/routing-house.ts';
import { VADUZ } from '../../../embedded/streets/streets-house.ts';
import { asCourier, asStaff } from '../../../callers.ts';
import { addCourier, addStaff, addVendor, call, openHouse, type Body } from '../../house.ts';

const server = await routingServer(
  osrmStreets((from, to) => distanceM(from, to) / 5),
  afterAll,
);
const house = await openHouse('legs', (settings) => ({
  ...settings,
  travel: {
    ...settings.travel,
    routerUrl: server.url,
    routerKind: 'osrm',
    routeBudgetRealMs: 30_000,
    tableBudgetRealMs: 30_000,
  },
}));
const [vendor, stranger, staff] = [await addVendor(house), await addVendor(house), await addStaff(house, 'dispatcher')];
const token = vendor.key;
const contact = { name: 'Ada', phone: '+4915112345678' };
const [NEAR, FAR] = [offsetBy(VADUZ, 0, 1000), offsetBy(VADUZ, 0, 2500)];

const quoteOf = async (...to: Coordinates[]): Promise<unknown> => {
  const body = { pickup: { coordinates: VADUZ }, drop_off: to.map((coordinates) => ({ coordinates })) };
  const { body: quote } = await call(house, 'POST /express/quotes', { token, body });
  return quote['id'];
};
async function create(quoteId: unknown, ...to: Coordinates[]): Promise<Body> {
  const body = {
    pickup: { coordinates: VADUZ, contact, address: 'Street 1' },
    drop_off: to.map((coordinates, index) => ({ coordinates, contact, address: `Street ${index + 2}` })),
    ...(quoteId === null ? {} : { quote_id: quoteId }),
  };
  const { status, body: made } = await call(house, 'POST /express/deliveries', { token, body });
  expect(status).toBe(201);
  return made;
}
const read = (made: Body, by = token) => call(house, `GET /deliveries/${String(made['id'])}`, { token: by });
type Leg = { from: number; to: number; polyline: string };
const legsOf = async (made: Body) => (await read(made)).body['legs'] as Leg[] | undefined;
const endsOf = ({ polyline }: Leg): (Coordinates | undefined)[] => {
  const line = decodePolyline(polyline);
  return [line[0], line.at(-1)].map((at) => at && { lat: Number(at.lat.toFixed(4)), lng: Number(at.lng.toFixed(4)) });
};
const rounded = ({ lat, lng }: Coordinates) => ({ lat: Number(lat.toFixed(4)), lng: Number(lng.toFixed(4)) });
/** A courier who has the delivery. */
async function assignTo(deliveryId: DeliveryId): ReturnType<typeof addCourier> {
  const courier = await addCourier(house);
  const online = { token: courier.token, body: { status: 'online' } };
  expect((await call(house, `PATCH /couriers/${courier.id}/status`, online)).status).toBe(200);
  const command = { deliveryId, courierId: courier.id, offerId: null, overrideReason: null };
  await assignCourier(house.ctx, command, asStaff());
  return courier;
}
async function stateOf(made: Body, stop: number): Promise<Body> {
  const dropOffs = made['drop_off'] as { stop: number; tracking_url: string }[];
  const url = new URL(dropOffs.find((each) => each.stop === stop)?.tracking_url ?? '');
  return (await call(house, `GET ${url.pathname}/state`)).body;
}

test('[J331] the legs of a delivery keep the lines of the quote, in the order of visits', async () => {
  // Listed the other way round, so that the second is visited first.
  const made = await create(await quoteOf(FAR, NEAR), FAR, NEAR);
  const legs = (await legsOf(made)) ?? [];
  expect(legs.map(({ from, to }) => [from, to])).toEqual([
    [0, 2],
    [2, 1],
  ]);
  expect(legs.map(endsOf)).toEqual([
    [rounded(VADUZ), rounded(NEAR)],
    [rounded(NEAR), rounded(FAR)],
  ]);
});

test('[J331] a create without a quote keeps the remembered route, and one without a route stores nothing', async () => {
  const place = offsetBy(VADUZ, 0, 1700);
  const stored = () => house.mongo.collection(POLYLINES).countDocuments({});
  const before = await stored();
  const estimated = await create(null, place);
  expect(estimated['distance_source']).toBe('estimate');
  expect([await legsOf(estimated), await stored()]).toEqual([undefined, before]);
  await quoteOf(place);
  const routed = await create(null, place);
  expect((await legsOf(routed))?.map(endsOf)).toEqual([[rounded(VADUZ), rounded(place)]]);
  expect(await stored()).toBe(before + 1);
});

test('[E53] if the places of a create would be visited in another order than those of its quote, the order of the quote stays', async () => {
  const [one, other] = [offsetBy(VADUZ, 70, 1000), offsetBy(VADUZ, -70, 980)];
  const moved = offsetBy(one, 0, -60);
  const made = await create(await quoteOf(one, other), moved, other);
  const visits = (made['drop_off'] as { visit: number }[]).map(({ visit }) => visit);
  expect(visits).toEqual([2, 1]);
  expect((await legsOf(made))?.map(({ from, to }) => [from, to])).toEqual([
    [0, 2],
    [2, 1],
  ]);
});

test('[J333] the leg to a drop-off that was moved beyond its line is left out', async () => {
  const made = await create(await quoteOf(NEAR, FAR), NEAR, FAR);
  const body = { drop_off: [{ stop: 2, coordinates: offsetBy(FAR, 0, 400) }] };
  const { status } = await call(house, `PATCH /deliveries/${String(made['id'])}`, { token, body });
  expect(status).toBe(200);
  expect((await legsOf(made))?.map(({ from, to }) => [from, to])).toEqual([[0, 1]]);
});

test('[H466] vendor and staff read the legs of one delivery, the courier and others do not, and lists have none', async () => {
  const made = await create(await quoteOf(NEAR), NEAR);
  const id = made['id'] as DeliveryId;
  const courier = await assignTo(id);
  const express = await call(house, `GET /express/deliveries/${id}`, { token });
  for (const { body } of [await read(made), await read(made, staff), express]) expect(body['legs']).toHaveLength(1);
  const taken = await call(house, `POST /deliveries/${id}/pick-up`, {
    token: staff,
    body: { override_reason: 'test' },
  });
  expect([taken.status, taken.text.includes('polyline')]).toEqual([200, false]);
  const theirs = await read(made, courier.token);
  expect([theirs.status, theirs.body['legs']]).toEqual([200, undefined]);
  const foreign = await read(made, stranger.key);
  expect([foreign.status, foreign.text.includes('polyline')]).toEqual([404, false]);
  for (const by of [token, staff]) {
    const list = await call(house, 'GET /deliveries', { token: by });
    expect([list.status, list.text.includes('polyline')]).toEqual([200, false]);
  }
  const events = await call(house, `GET /deliveries/${id}/history`, { token });
  expect([events.status, events.text.includes('polyline')]).toEqual([200, false]);
});

test('[H467] a recipient has the way to their drop-off while it is next, and never sees another drop-off', async () => {
  const made = await create(await quoteOf(NEAR, FAR), NEAR, FAR);
  const id = made['id'] as DeliveryId;
  const [first, second] = (await legsOf(made)) ?? [];
  expect((await stateOf(made, 1))['polyline']).toBe(first?.polyline);
  expect(await stateOf(made, 2)).not.toHaveProperty('polyline');
  const courier = await assignTo(id);
  const [doer, overrideReason] = [asStaff(), 'test'];
  await pickUp(house.ctx, { deliveryId: id, overrideReason }, doer);
  await depart(house.ctx, { deliveryId: id, overrideReason }, asCourier({ id: courier.id, liveMode: false }));
  await deliverStop(house.ctx, { deliveryId: id, stop: 1, overrideReason }, doer);
  expect(await stateOf(made, 1)).not.toHaveProperty('polyline');
  const shown = decodePolyline(String((await stateOf(made, 2))['polyline']));
  const whole = decodePolyline(second?.polyline ?? '');
  expect(shown.length).toBeGreaterThan(1);
  expect(shown).toEqual(whole.slice(-shown.length));
  expect(shown).not.toContainEqual(whole[0]);
});
