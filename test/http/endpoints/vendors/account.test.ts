import { expect, test } from 'vitest';
import { newId, type VendorId } from '../../../../src/domain/ids.ts';
import { aLocation } from '../../../builders.ts';
import { fillWallets } from '../../../funds.ts';
import { aCreate, call } from '../../house.ts';
import { aTopUp } from '../../../money/top-ups/a-top-up.ts';
import { wrongProblem } from '../../routes.ts';
import { openShop, pointersOf } from './shop.ts';

const { house, vendor, other, staff, asked, create } = await openShop('vendor account');

test('[H191] a vendor reads and changes their profile; staff name the vendor', async () => {
  const first = await asked('GET /vendor/profile', vendor.key);
  expect(first.body).toMatchObject({ id: vendor.id, legal_name: null, branding: { accent: '#0b6e4f' }, version: 1 });
  const changes = {
    legal_name: 'Corner Bakery GmbH',
    contact: { name: 'Ada', phone: '+4930123456' },
    branding: { accent: '#7a1fa2' },
  };
  const tag = { 'if-match': String(first.headers.get('etag')) };
  const changed = await asked('PATCH /vendor/profile', vendor.key, changes, tag);
  expect(changed.body).toMatchObject({
    ...changes,
    branding: { name: 'Corner Bakery', accent: '#7a1fa2' },
    version: 2,
  });
  expect((await asked('PATCH /vendor/profile', vendor.key, changes, tag)).status).toBe(412);
  const byStaff = await asked('PATCH /vendor/profile', staff, {
    vendor_id: vendor.id,
    website: 'https://corner.example',
  });
  expect(byStaff.body).toMatchObject({ legal_name: 'Corner Bakery GmbH', website: 'https://corner.example' });
  expect(pointersOf(await asked('GET /vendor/profile', staff))).toEqual(['/vendor_id']);
  expect((await asked(`GET /vendor/profile?vendor_id=${other.id}`, vendor.key, undefined, {}, '')).status).toBe(404);
});

test('[H191] a colour on which white text is hard to read is refused with its contrast', async () => {
  const answer = await asked('PATCH /vendor/profile', vendor.key, { branding: { accent: '#ffee00' } });
  expect([answer.status, pointersOf(answer)]).toEqual([422, ['/branding/accent']]);
  expect(answer.body['detail']).toMatch('it has 1.2');
});

test('[H196] staff add, list, change and suspend vendors', async () => {
  const made = await asked('POST /vendors', staff, { name: 'Night Market', currency: 'GHS', search_limit_min: 30 });
  const id = String(made.body['id']) as `ven_${string}`;
  expect(made.headers.get('location')).toBe(`/vendors/${id}`);
  expect(made.body).toMatchObject({ currency: 'GHS', search_limit_min: 30, status: 'active', max_distance_m: 40_000 });
  expect((await asked('GET /vendors?limit=1', staff)).body).toMatchObject({ data: [{ id }], has_more: true });
  expect((await asked(`GET /vendors/${id}`, staff)).headers.get('etag')).toBe('"1"');
  for (const [body, pointer] of [
    [{ currency: 'XXQ' }, '/currency'],
    [{ search_limit_min: 2 }, '/search_limit_min'],
    [{ search_limit_min: 61 }, '/search_limit_min'],
    [{ max_distance_m: 1 }, '/max_distance_m'],
  ] as const) {
    expect(pointersOf(await asked(`PATCH /vendors/${id}`, staff, body))).toEqual([pointer]);
  }
  const { key } = await house.ctx.credentials.addVendorKey(id, false);
  await fillWallets(house.ctx, { id, currency: 'GHS' });
  const order = () => call(house, 'POST /deliveries', { token: key, body: aCreate({ external_id: 'one' }) });
  expect((await order()).body).toMatchObject({ currency: 'GHS' });
  await asked(`PATCH /vendors/${id}`, staff, { status: 'suspended' });
  const refused = await call(house, 'POST /deliveries', { token: key, body: aCreate() });
  expect([refused.status, refused.body['code'], wrongProblem(refused)]).toEqual([403, 'vendor_suspended', null]);
  const quoted = await call(house, 'POST /express/quotes', { token: key, body: aCreate() });
  expect(quoted.body['code']).toBe('vendor_suspended');
  // A retry of a create learns of its delivery, which goes on.
  expect((await order()).status).toBe(200);
  await asked(`PATCH /vendors/${id}`, staff, { status: 'active' });
  expect((await call(house, 'POST /deliveries', { token: key, body: aCreate() })).status).toBe(201);
  const absent = await asked(`GET /vendors/${newId('ven')}`, staff);
  expect([absent.status, absent.body['errors']]).toEqual([404, undefined]);
});

test('[A123] staff say why they suspend a vendor', async () => {
  const made = await asked('POST /vendors', staff, { name: 'Night Market' });
  const id = String(made.body['id']) as VendorId;
  const change = (body: object) => asked(`PATCH /vendors/${id}`, staff, body, {}, 'PATCH /vendors/{id}');
  const reason = 'three chargebacks in a week';
  const suspended = await change({ status: 'suspended', reason });
  expect([suspended.status, suspended.body['reason']]).toEqual([200, undefined]);
  await change({ status: 'active' });
  expect(pointersOf(await change({ status: 'suspended', reason: ' ' }))).toEqual(['/reason']);
  const { items } = await house.ctx.audit.list({ objectId: id }, { limit: 2, after: null });
  expect(items.map(({ changes }) => changes)).toEqual([
    { status: { from: 'suspended', to: 'active' } },
    { status: { from: 'active', to: 'suspended' }, reason: { from: null, to: reason } },
  ]);
  const { key } = await house.ctx.credentials.addVendorKey(id, false);
  const read = await asked('GET /audit?action=vendor.update', key, undefined, {}, 'GET /audit');
  expect(read.body['data']).toMatchObject([{}, { changes: { reason: { to: reason } } }]);
});

test('[J338] the currency of a vendor changes only before its first money', async () => {
  const made = await asked('POST /vendors', staff, { name: 'Night Market', currency: 'GHS' });
  const id = String(made.body['id']) as VendorId;
  const change = (currency: string) => asked(`PATCH /vendors/${id}`, staff, { currency }, {}, 'PATCH /vendors/{id}');
  for (const currency of ['USD', 'GHS']) {
    const changed = await change(currency);
    expect([changed.status, changed.body['currency']]).toEqual([200, currency]);
  }
  await house.ctx.topUps.add(aTopUp({ vendorId: id, currency: 'GHS' }), 1);
  const { status, body } = await change('USD');
  const [error] = (body['errors'] ?? []) as { pointer: string }[];
  const told = [status, body['code'], body['reason'], error?.pointer];
  expect(told).toEqual([409, 'update_not_allowed', 'wallet_in_use', '/currency']);
  expect((await asked(`GET /vendors/${id}`, staff)).body).toMatchObject({ currency: 'GHS' });
  // To name the present currency changes nothing.
  expect((await asked(`PATCH /vendors/${id}`, staff, { currency: 'GHS', name: 'Bakery' })).status).toBe(200);
});

test('[B40] vendors and locations that an earlier release stored can be read and changed', async () => {
  const old = aLocation({ vendorId: vendor.id });
  const { id, vendorId, name, place, address, contact, isReady } = old;
  const rows = house.mongo.db.collection<{ _id: string }>('locations');
  await rows.insertOne({ _id: id, id, vendorId, name, place, address, contact, isReady } as { _id: string });
  const read = await asked(`GET /vendor/locations/${id}`, vendor.key, undefined, {}, 'GET /vendor/locations/{id}');
  expect(read.body).toMatchObject({ ready: true, version: 1, kind: 'storefront' });
  expect((await create({ pickup: { location_id: id } })).status).toBe(201);
  const changed = await asked(
    `PATCH /vendor/locations/${id}`,
    vendor.key,
    { instructions: 'x' },
    { 'if-match': '"1"' },
  );
  expect(changed.body).toMatchObject({ instructions: 'x', version: 2 });
});
