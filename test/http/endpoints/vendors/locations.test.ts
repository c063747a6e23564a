import { expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { call } from '../../house.ts';
import { openShop, pointersOf } from './shop.ts';

const { house, vendor, other, staff, locationId, asked, create, quote } = await openShop('vendor locations');
const auditedOf = async (id: string) =>
  (await house.mongo.db.collection('audit').find({ objectId: id }).sort({ _id: 1 }).toArray()).map(
    ({ action, actor }) => [action, actor.type] as unknown,
  );

test('[H193] staff add and change locations; a vendor changes only contact and instructions', async () => {
  const body = {
    vendor_id: vendor.id,
    name: 'Second shop',
    coordinates: { lat: 52.5, lng: 13.4 },
    address: '2 Market Square',
    contact: { name: 'Ben', phone: '+4930123456' },
  };
  const made = await asked('POST /vendor/locations', staff, body);
  const id = String(made.body['id']);
  expect(made.headers.get('location')).toBe(`/vendor/locations/${id}`);
  expect(made.body).toMatchObject({ kind: 'storefront', ready: true, readiness: null, max_distance_m: null });
  const path = `PATCH /vendor/locations/${id}`;
  const own = await asked(path, vendor.key, { instructions: 'Back entrance' }, {}, 'PATCH /vendor/locations/{id}');
  expect(own.body).toMatchObject({ instructions: 'Back entrance', version: 2 });
  const refused = await asked(path, vendor.key, { name: 'x', coordinates: body.coordinates });
  expect([refused.status, pointersOf(refused)]).toEqual([403, ['/name', '/coordinates']]);
  const stale = await asked(path, staff, { name: 'Shop' }, { 'if-match': '"1"' });
  expect(stale.body).toMatchObject({ status: 412, code: 'stale_version', metadata: { version: 2 } });
  expect((await asked(path, staff, { max_distance_m: 500 })).body).toMatchObject({ max_distance_m: 500, version: 3 });
  const near = { pickup: { location_id: id } };
  expect((await create(near)).body).toMatchObject({ reason: 'distance_too_long', metadata: { max_distance_m: 500 } });
  const list = await asked('GET /vendor/locations?limit=1', vendor.key, undefined, {}, 'GET /vendor/locations');
  expect(list.body).toMatchObject({ data: [{ id }], has_more: true });
  const next = `GET /vendor/locations?limit=1&cursor=${String(list.body['next_cursor'])}`;
  expect((await asked(next, vendor.key)).body).toMatchObject({ data: [{ id: locationId }], has_more: false });
  for (const route of [`GET /vendor/locations/${id}`, path]) {
    const foreign = await asked(route, other.key, route === path ? { instructions: null } : undefined);
    const absent = await asked(route.replace(id, newId('loc')), other.key, route === path ? { name: 'x' } : undefined);
    expect([foreign.status, foreign.body['detail']]).toEqual([404, absent.body['detail']]);
  }
  expect(await auditedOf(id)).toEqual([
    ['location.add', 'staff'],
    ['location.update', 'vendor'],
    ['location.update', 'staff'],
  ]);
  expect((await create({ pickup: { location_id: id, instructions: null, window: null } })).status).toBe(422);
});

test('[H193] a delivery gets the instructions of its location if it has none of its own', async () => {
  const path = `PATCH /vendor/locations/${locationId}`;
  await asked(path, vendor.key, { instructions: 'Ring twice' });
  expect((await create()).body).toMatchObject({ pickup: { instructions: 'Ring twice' } });
  const own = await create({ pickup: { location_id: locationId, instructions: 'Knock' } });
  expect(own.body).toMatchObject({ pickup: { instructions: 'Knock' } });
  await asked(path, vendor.key, { instructions: null });
});

test('[H194] a location that is not ready takes no immediate delivery, until it is ready again', async () => {
  const path = `PATCH /vendor/locations/${locationId}/readiness`;
  const ready = (body: object, token = vendor.key) =>
    asked(path, token, body, {}, 'PATCH /vendor/locations/{id}/readiness');
  const open = await create();
  expect((await ready({ ready: false })).body).toMatchObject({
    ready: false,
    readiness: { by: 'vendor', by_id: vendor.id, until: null },
  });
  for (const answer of [await create(), await quote()]) {
    expect(answer.body).toMatchObject({ reason: 'location_not_ready', metadata: { ready_at: null } });
  }
  const inTwoHours = new Date(house.ctx.clock.now() + 7_200_000).toISOString();
  const later = {
    priority: 'scheduled',
    pickup: { location_id: locationId, window: { ready_at: inTwoHours } },
  };
  expect([(await create(later)).status, (await quote(later)).status]).toEqual([201, 201]);
  expect((await call(house, `GET /deliveries/${String(open.body['id'])}`, { token: vendor.key })).body).toMatchObject({
    status: 'searching',
  });
  const until = new Date(house.ctx.clock.now() + 10_800_000).toISOString();
  expect((await ready({ ready: false, until }, staff)).body).toMatchObject({ readiness: { by: 'staff', until } });
  expect((await create(later)).body).toMatchObject({ reason: 'location_not_ready', metadata: { ready_at: until } });
  expect(pointersOf(await ready({ ready: true, until }))).toEqual(['/until']);
  expect(pointersOf(await ready({ ready: false, until: '2026-01-01T00:00:00Z' }))).toEqual(['/until']);
  const soon = new Date(house.ctx.clock.now() + 3000).toISOString();
  expect((await ready({ ready: false, until: soon })).status).toBe(200);
  await expect.poll(async () => (await create()).status).toBe(201);
  const { version } = (await ready({ ready: true })).body;
  expect((await ready({ ready: true })).body['version']).toBe(version);
});

test('[A90] the entries of edits have the fields before and after', async () => {
  const until = (minutes: number) => new Date(house.ctx.clock.now() + minutes * 60_000).toISOString();
  const [first, second] = [until(30), until(60)];
  const route = 'PATCH /vendor/locations/{id}/readiness';
  for (const one of [first, second]) {
    const body = { ready: false, until: one };
    await asked(`PATCH /vendor/locations/${locationId}/readiness`, vendor.key, body, {}, route);
  }
  for (const timezone of ['Europe/Berlin', 'Europe/Vaduz']) {
    await asked('PATCH /vendor/hours', vendor.key, { timezone, weekly: null, location_id: locationId });
  }
  const { items } = await house.ctx.audit.list({ objectId: locationId }, { limit: 3, after: null });
  expect(
    items.map(({ action, changes }) => [action, changes['timezone'] ?? changes['until'], changes['ready']]),
  ).toEqual([
    ['location.hours', { from: 'Europe/Berlin', to: 'Europe/Vaduz' }, undefined],
    ['location.hours', { from: null, to: 'Europe/Berlin' }, undefined],
    ['location.readiness', { from: first, to: second }, undefined],
  ]);
  await asked('PATCH /vendor/profile', vendor.key, { address: 'Karl-Marx-Allee 1, 10178 Berlin' });
  const { items: edits } = await house.ctx.audit.list({ objectId: vendor.id }, { limit: 1, after: null });
  expect(edits).toMatchObject([{ changes: { address: { from: null, to: 'Karl-Marx-Allee 1, 10178 Berlin' } } }]);
});
