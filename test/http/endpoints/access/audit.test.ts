import { beforeAll, expect, test } from 'vitest';
import { AUDIT } from '../../../../src/models/audit-shapes.ts';
import { aCreate, addCourier, addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';

const house = await openHouse('audit-http');
let admin: string;
let dispatcher: string;
let vendor: Awaited<ReturnType<typeof addVendor>>;

beforeAll(async () => {
  admin = await addStaff(house, 'admin');
  dispatcher = await addStaff(house, 'dispatcher');
  vendor = await addVendor(house);
});

const listed = async (token: string, query: string) => {
  const { status, body, text } = await call(house, `GET /audit?${query}`, { token });
  expect([status, text]).toEqual([200, text]);
  return body.data ?? [];
};

test('[A90] what staff do with a delivery is audited in its transaction; what its vendor does is not', async () => {
  const id = await addDelivery(house, vendor.key);
  const courier = await addCourier(house);
  const headers = { 'x-request-id': 'assign-1' };
  const body = { delivery_id: id, courier_id: courier.id, override_reason: 'the nearest' };
  await call(house, `PATCH /couriers/${courier.id}/status`, { token: dispatcher, body: { status: 'online' } });
  const assigned = await call(house, 'POST /dispatch/assign', { token: dispatcher, body, headers });
  expect([assigned.status, assigned.text]).toEqual([200, assigned.text]);
  const [entry, ...more] = await listed(admin, `object=${id}`);
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    object: 'audit_entry',
    action: 'delivery.change',
    actor: { type: 'staff', id: expect.stringMatching(/^stf_/) as string },
    vendor_id: vendor.id,
    live_mode: false,
    request_id: 'assign-1',
    network: '127.0.0.1',
    changes: {
      state: { from: 'searching', to: 'assigned' },
      courier_id: { from: null, to: courier.id },
      events: { from: null, to: ['courier.assigned'] },
      reason: { from: null, to: 'the nearest' },
    },
  });
  const [online] = await listed(admin, `object=${courier.id}`);
  expect(online).toMatchObject({ action: 'courier.availability', changes: { availability: { to: 'online' } } });
  // A change that is not written leaves no entry.
  const count = await house.mongo.collection(AUDIT).countDocuments();
  expect((await call(house, 'POST /dispatch/assign', { token: dispatcher, body })).status).toBe(200);
  expect(await house.mongo.collection(AUDIT).countDocuments()).toBe(count);
});

test('[A117] the entry of an edit by staff names each field, shows the tip before and after, and no contact', async () => {
  const id = await addDelivery(house, vendor.key);
  const contact = { name: 'Mallory', phone: '+4237912388' };
  const body = { tip: 500, drop_off: [{ stop: 1, contact, instructions: 'to the back door' }] };
  const edited = await call(house, `PATCH /deliveries/${id}`, { token: dispatcher, body });
  expect([edited.status, edited.text]).toEqual([200, edited.text]);
  const [entry] = await listed(admin, `object=${id}`);
  expect(entry?.['changes']).toEqual({
    version: { from: 1, to: 2 },
    tip: { from: 0, to: 500 },
    events: { from: null, to: ['delivery.updated'] },
    changed: { from: null, to: expect.arrayContaining(['/tip', '/drop_off/0/contact', '/drop_off/0/instructions']) },
  });
  const [others] = await listed(vendor.key, `object=${id}`);
  expect(others?.['changes']).toEqual(entry?.['changes']);
});

test('[A117] the entry of a delivery that staff create shows its fee', async () => {
  const body = aCreate({ vendor_id: vendor.id, live_mode: false });
  const { status, body: made, text } = await call(house, 'POST /deliveries', { token: dispatcher, body });
  expect([status, text]).toEqual([201, text]);
  const [entry] = await listed(admin, `object=${String(made['id'])}`);
  expect(entry?.['changes']).toMatchObject({ fee: { from: null, to: made['fee'] }, tip: { from: null, to: 0 } });
});

test('[A93] a vendor reads the entries of its own account and mode, without the ids and networks of staff', async () => {
  const id = await addDelivery(house, vendor.key);
  await call(house, `POST /deliveries/${id}/cancel`, { token: dispatcher, body: {} });
  const [entry] = await listed(vendor.key, `object=${id}`);
  expect(entry).toMatchObject({ actor: { type: 'staff' }, request_id: null, network: null });
  expect(entry?.['actor']).not.toHaveProperty('id');
  const { key } = await house.ctx.credentials.addVendorKey(vendor.id, true);
  const stranger = (await addVendor(house)).key;
  for (const other of [key, stranger]) expect(await listed(other, `object=${id}`)).toEqual([]);
  expect((await call(house, 'GET /audit', { token: dispatcher })).status).toBe(403);
});

test('[A93] the log is filtered by actor, action and time, and its pages are stable', async () => {
  const other = await addStaff(house, 'support');
  const ids: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    const id = await addDelivery(house, vendor.key);
    await call(house, `POST /deliveries/${id}/cancel`, { token: other, body: {} });
    ids.unshift(id);
  }
  const [newest = {}] = await listed(admin, 'limit=1');
  const { id: actor } = newest['actor'] as { readonly id: string };
  const first = await call(house, `GET /audit?actor=${actor}&action=delivery.change&limit=2`, { token: admin });
  expect(first.body).toMatchObject({ has_more: true });
  const link = /<(.+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await call(house, `GET ${link}`, { token: admin });
  const found = [...(first.body.data ?? []), ...(second.body.data ?? [])];
  expect(found.map((entry) => entry['object_id'])).toEqual(ids);
  expect(await listed(admin, 'date_range=2020-01-01/2020-02-01')).toEqual([]);
  expect((await call(house, 'GET /audit?action=nothing', { token: admin })).status).toBe(400);
});

test('[A124] an edit that names no field makes no entry and keeps the version, and one with the same values makes one', async () => {
  const make = async (route: string, token: string, body: object) => (await call(house, route, { token, body })).body;
  const contact = { name: 'Ada', phone: '+4930123456' };
  const place = { coordinates: { lat: 52.5, lng: 13.4 }, address: '1 Market Square', contact };
  const location = await make('POST /vendor/locations', admin, { vendor_id: vendor.id, name: 'North', ...place });
  // oxfmt-ignore
  const area = { type: 'Polygon', coordinates: [[[13.4, 52.5], [13.5, 52.5], [13.5, 52.6], [13.4, 52.5]]] };
  const zones = `/vendor/locations/${String(location['id'])}/zones`;
  const zone = await make(`POST ${zones}`, admin, { name: 'Centre', geojson: area });
  const terms = { type: 'tier_flag', tiers: ['none'] };
  const rule = await make('POST /vendor/pricing-rules', admin, { terms });
  const webhook = await make('POST /webhooks', vendor.key, { url: `${house.url}/hook`, events: ['delivered'] });
  const courier = await house.ctx.couriers.get((await addCourier(house)).id);
  const cases: readonly [path: string, token: string, same: object][] = [
    [`/vendors/${vendor.id}`, admin, { reason: 'none' }],
    ['/vendor/profile', vendor.key, { legal_name: null }],
    [`/vendor/locations/${String(location['id'])}`, admin, { name: 'North' }],
    [`${zones}/${String(zone['id'])}`, admin, { name: 'Centre' }],
    [`/vendor/pricing-rules/${String(rule['id'])}`, admin, { terms }],
    [`/webhooks/${String(webhook['id'])}`, vendor.key, { events: ['delivered'] }],
    [`/couriers/${courier.id}`, admin, { name: courier.name, phone: courier.phone }],
  ];
  const count = () => house.mongo.collection(AUDIT).countDocuments();
  for (const [path, token, same] of cases) {
    const before = await count();
    const [first, again] = [
      await call(house, `PATCH ${path}`, { token, body: {} }),
      await call(house, `PATCH ${path}`, { token, body: {} }),
    ];
    expect([path, first.status, first.text, await count()]).toEqual([path, 200, again.text, before]);
    await call(house, `PATCH ${path}`, { token, body: same });
    expect([path, await count()]).toEqual([path, before + 1]);
  }
});
