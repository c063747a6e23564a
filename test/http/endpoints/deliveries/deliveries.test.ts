import { beforeAll, expect, test } from 'vitest';
import { aLocation } from '../../../builders.ts';
import { aBirth } from '../../../engines/mongo-house.ts';
import {
  addCourier,
  addDelivery,
  addStaff,
  addVendor,
  aCreate,
  call,
  DROP_OFF,
  openHouse,
  PICKUP,
} from '../../house.ts';
import { replyOf, wrongProblem } from '../../routes.ts';

const house = await openHouse('deliveries');
let vendor: { id: `ven_${string}`; key: string };
let staff: string;

beforeAll(async () => {
  vendor = await addVendor(house);
  staff = await addStaff(house, 'dispatcher');
});

const asVendor = (route: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(house, route, { token: vendor.key, headers, ...(body === undefined ? {} : { body }) });

test('[H15] a create answers 201 with the URL of the delivery and its version as ETag', async () => {
  for (const path of ['/deliveries', '/express/deliveries']) {
    const answer = await asVendor(`POST ${path}`, aCreate({ metadata: { category: 'food', fragility: true } }));
    expect(answer.status).toBe(201);
    expect(replyOf(`POST ${path}`)?.safeParse(answer.body).error).toBeUndefined();
    expect(answer.headers.get('location')).toBe(`${path}/${String(answer.body['id'])}`);
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(answer.body).toMatchObject({ status: 'searching', metadata: { category: 'Food', fragility: 'high' } });
    const read = await asVendor(`GET ${path}/${String(answer.body['id'])}`);
    expect(read.body).toMatchObject({ id: answer.body['id'], tracking_url: answer.body['tracking_url'] });
  }
});

test('[H475] a read with the version that the caller has answers 200, because arrival times change without a version', async () => {
  const { body } = await asVendor('POST /deliveries', aCreate());
  const again = await asVendor(`GET /deliveries/${String(body['id'])}/cancel-preview`, undefined, {
    'if-none-match': '"1"',
    // Without it fetch asks past every cache.
    'cache-control': 'max-age=0',
  });
  expect([again.status, again.headers.get('etag')]).toEqual([200, '"1"']);
});

test('[H16] the same external_id and content answers 200 with the first delivery, other content 409', async () => {
  const body = aCreate({ external_id: 'order-1', custom: { a: 1, b: 2 } });
  const first = await asVendor('POST /express/deliveries', body);
  const again = await asVendor('POST /express/deliveries', { ...body, custom: { b: 2, a: 1 }, priority: 'express' });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body['id']).toBe(first.body['id']);
  const other = await asVendor('POST /express/deliveries', { ...body, custom: { a: 2 } });
  expect(other.body).toMatchObject({
    status: 409,
    code: 'duplicate_delivery',
    metadata: { delivery_id: first.body['id'] },
  });
  const odd = await asVendor('POST /express/deliveries', aCreate({ external_id: 'a b' }));
  expect(odd.body).toMatchObject({ code: 'invalid_params', errors: [{ pointer: '/external_id' }] });
});

test('[H283] the refusal of an unknown reason says which reason is for staff alone', async () => {
  const { body } = await asVendor('POST /deliveries', aCreate());
  const refused = await asVendor(`POST /deliveries/${String(body['id'])}/cancel`, { reason: 'weather' });
  expect(refused.body).toMatchObject({
    status: 400,
    detail: expect.stringMatching(/`price` or `other`; only staff may also name `store_closed`; it is "weather"\.$/),
  });
});

test('[H17] a place needs coordinates, which are not 0/0, unless a vendor location gives them', async () => {
  const nowhere = await asVendor(
    'POST /deliveries',
    aCreate({ drop_off: { ...DROP_OFF, coordinates: { lat: 0, lng: 0 } } }),
  );
  expect(nowhere.body).toMatchObject({ status: 422, errors: [{ pointer: '/drop_off/0/coordinates' }] });
  const { coordinates: _place, ...rest } = PICKUP;
  const addressed = await asVendor('POST /deliveries', aCreate({ pickup: { ...rest, address: '1 Market Square' } }));
  expect(addressed.body).toMatchObject({ code: 'impossible_value', errors: [{ pointer: '/pickup/coordinates' }] });
  expect(addressed.body['detail']).toContain('cannot look up an address');
  const location = aLocation({ vendorId: vendor.id });
  await house.ctx.vendors.addLocation(location);
  const pickup = { location_id: location.id, window: { ready_at: '2026-01-01T00:00:00Z' } };
  const located = await asVendor('POST /deliveries', aCreate({ pickup }));
  expect(located.body).toMatchObject({ pickup: { coordinates: location.place, window: { deadline_at: null } } });
});

test('[H18] a quote needs only places, and its id is valid for one create', async () => {
  const bare = { pickup: { coordinates: PICKUP.coordinates }, drop_off: { coordinates: DROP_OFF.coordinates } };
  const quote = await asVendor('POST /express/quotes', bare);
  expect(quote.status).toBe(201);
  expect(replyOf('POST /express/quotes')?.safeParse(quote.body).error).toBeUndefined();
  const used = await asVendor('POST /express/deliveries', aCreate({ quote_id: quote.body['id'] }));
  expect(used.body).toMatchObject({ fee: quote.body['fee'], quote_id: quote.body['id'] });
  const twice = await asVendor('POST /express/deliveries', aCreate({ quote_id: quote.body['id'] }));
  expect(twice.body['code']).toBe('used_quote');
});

test('[H19] a robo-courier is for test mode only', async () => {
  const test_specifications = { robo_courier_specification: { mode: 'auto', time_scale: 10 } };
  expect((await asVendor('POST /deliveries', aCreate({ test_specifications }))).status).toBe(201);
  const live = await addVendor(house, true);
  const refused = await call(house, 'POST /deliveries', { token: live.key, body: aCreate({ test_specifications }) });
  expect([refused.status, refused.body['code']]).toEqual([422, 'test_mode_only']);
});

test('[H20] a change is applied only to the version that the caller has read', async () => {
  const id = await addDelivery(house, vendor.key);
  const change = { drop_off: [{ instructions: 'Ring twice', contact: { name: 'Bo', phone: '+49 30 654 321' } }] };
  const changed = await asVendor(`PATCH /deliveries/${id}`, change, { 'if-match': '"1"' });
  expect(changed.body).toMatchObject({
    version: 2,
    drop_off: [{ instructions: 'Ring twice', contact: { phone: '+4930654321' } }],
  });
  expect(changed.headers.get('etag')).toBe('"2"');
  for (const stale of ['"1"', '"abc"']) {
    const refused = await asVendor(`PATCH /deliveries/${id}`, change, { 'if-match': stale });
    expect([stale, refused.status, refused.body['code']]).toEqual([stale, 412, 'stale_version']);
  }
  expect((await asVendor(`PATCH /deliveries/${id}`, change, { 'if-match': '*' })).status).toBe(200);
  const twice = await asVendor(`PATCH /deliveries/${id}`, { drop_off: [{ stop: 1 }, { stop: 1 }] });
  expect(twice.body).toMatchObject({ code: 'impossible_value', errors: [{ pointer: '/drop_off' }] });
});

test('[H21] an empty POST cancels, a repeat answers 200, another actor gets 409, and an ended delivery cannot change', async () => {
  const id = await addDelivery(house, vendor.key);
  for (const _time of [1, 2]) {
    const canceled = await asVendor(`POST /express/deliveries/${id}/cancel`);
    expect([canceled.status, canceled.body['status']]).toEqual([200, 'canceled']);
  }
  const late = await call(house, `POST /deliveries/${id}/cancel`, { token: staff });
  expect(late.body).toMatchObject({ status: 409, code: 'invalid_state_transition', metadata: { from: 'canceled' } });
  const change = await asVendor(`PATCH /deliveries/${id}`, { pickup: { instructions: 'x' } });
  expect(change.body['code']).toBe('update_not_allowed');
  expect((await asVendor(`GET /deliveries/${id}/live-location`)).body['code']).toBe('delivery_complete');
});

test('[H22] status, history and links describe the delivery; the location exists only while a courier is assigned', async () => {
  const id = await addDelivery(house, vendor.key);
  const early = await asVendor(`GET /deliveries/${id}/live-location`);
  expect([early.status, early.body['code']]).toEqual([409, 'courier_not_assigned']);
  const courier = await addCourier(house);
  await call(house, `PATCH /couriers/${courier.id}/status`, { token: courier.token, body: { status: 'online' } });
  const body = { delivery_id: id, courier_id: courier.id };
  const assigned = await call(house, 'POST /dispatch/assign', { token: staff, body });
  expect(assigned.body).toMatchObject({ status: 'assigned', courier: { id: courier.id } });
  const before = await asVendor(`GET /express/deliveries/${id}/tracking`);
  expect(before.body).toMatchObject({ location: null, stale: true, age_s: null });
  const fix = { lat: 52.52, lng: 13.4, recorded_at: new Date(house.ctx.clock.now()).toISOString(), seq: 1, speed: 4 };
  await call(house, `PUT /couriers/${courier.id}/location`, { token: courier.token, body: fix });
  const shown = await asVendor(`GET /deliveries/${id}/live-location`);
  expect(replyOf('GET /deliveries/{id}/live-location')?.safeParse(shown.body).error).toBeUndefined();
  expect(shown.body).toMatchObject({ location: { lat: 52.52, lng: 13.4 }, speed: 4, stale: false });
  const status = await asVendor(`GET /deliveries/${id}/status`);
  expect(status.body).toMatchObject({ id, status: 'assigned', stage: 'en_route_to_pickup', version: 2 });
  const history = await asVendor(`GET /deliveries/${id}/history`);
  expect(replyOf('GET /deliveries/{id}/history')?.safeParse(history.body).error).toBeUndefined();
  expect(history.body.data?.map(({ type }) => type)).toEqual(['delivery.created', 'courier.assigned']);
  const links = await Promise.all(
    [`GET /deliveries/${id}/tracking-url`, `GET /express/deliveries/${id}/tracking-link`].map((route) =>
      asVendor(route),
    ),
  );
  expect(links[0]?.body).toEqual(links[1]?.body);
  expect(links[0]?.body['url']).toMatch(/\/t\/[0-9A-Za-z]{22}$/);
});

test('[H23] assigning without a courier triggers the matcher, and is refused if the matcher could not act', async () => {
  const id = await addDelivery(house, vendor.key);
  const run = await call(house, 'POST /dispatch/assign', { token: staff, body: { delivery_id: id } });
  expect([run.status, run.body]).toEqual([202, { object: 'dispatch_run', delivery_id: id }]);
  expect(house.rung.at(-1)).toBe((await house.ctx.deliveries.get(id)).region);
  const readyAt = new Date(house.ctx.clock.now() + 3_600_000).toISOString();
  const early = await addDelivery(house, vendor.key, { pickup: { ...PICKUP, window: { ready_at: readyAt } } });
  const rings = house.rung.length;
  const refused = await call(house, 'POST /dispatch/assign', { token: staff, body: { delivery_id: early } });
  const searchFrom = new Date(Date.parse(readyAt) - 20 * 60_000).toISOString();
  expect(refused.body).toMatchObject({ code: 'invalid_state_transition', reason: 'search_not_on' });
  expect(refused.body).toMatchObject({ metadata: { search_from: searchFrom } });
  expect(house.rung).toHaveLength(rings);
  const now = house.ctx.clock.now();
  const over = aBirth({ vendorId: vendor.id, searchFromAt: now - 900_000, searchUntilAt: now });
  expect(await house.ctx.commit(over)).toMatchObject({ ok: true });
  const ended = await call(house, 'POST /dispatch/assign', { token: staff, body: { delivery_id: over.after.id } });
  expect(ended.body).toMatchObject({ code: 'invalid_state_transition', reason: 'search_not_on' });
  await asVendor(`POST /deliveries/${id}/cancel`);
  const late = await call(house, 'POST /dispatch/assign', { token: staff, body: { delivery_id: id } });
  expect(late.body).toMatchObject({ status: 409, code: 'invalid_state_transition' });
  expect(wrongProblem(late)).toBeNull();
});

test('[H284] both path families show the terms of a cancel, and a cancel carries a comment', async () => {
  const id = await addDelivery(house, vendor.key);
  for (const path of ['/deliveries', '/express/deliveries']) {
    const route = `GET ${path}/{id}/cancel-preview`;
    const { body, headers } = await asVendor(route.replace('{id}', id));
    expect(replyOf(route)?.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ allowed: true, reason: null, policy_rule: 'before_assignment', fee: 0 });
    expect(headers.get('etag')).toBe('"1"');
  }
  const words = { reason: 'duplicate', comment: 'Ordered twice', accept_fee: 0 };
  const canceled = await asVendor(`POST /express/deliveries/${id}/cancel`, words);
  expect(canceled.body).toMatchObject({
    cancellation: { by: 'vendor', reason: 'duplicate', comment: 'Ordered twice' },
  });
  const late = await asVendor(`GET /deliveries/${id}/cancel-preview`);
  expect(late.body).toMatchObject({ allowed: false, reason: 'delivery_canceled', policy_rule: null });
});
