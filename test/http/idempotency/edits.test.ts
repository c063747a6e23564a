import { expect, test } from 'vitest';
import { newId, type RegistrationId } from '../../../src/domain/ids.ts';
import { aLocation } from '../../builders.ts';
import { addCourier, addStaff, addVendor, call, openHouse } from '../house.ts';
import { crashAfterEffect } from './crash-after-effect.ts';

const house = await openHouse('idempotency_edits');
const vendor = await addVendor(house);
const [dispatcher, admin] = [await addStaff(house, 'dispatcher'), await addStaff(house, 'admin')];

function tokenFor(route: string): string {
  if (route.includes('/staff/')) return admin;
  return /\/(couriers|vendor\/locations)\//.test(route) ? dispatcher : vendor.key;
}

/** Sends a request with a key, and for an edit with the version that the caller has seen. */
const edit = (route: string, body: object, key: string = newId('req'), version?: number) =>
  call(house, route, {
    token: tokenFor(route),
    body,
    headers: { 'idempotency-key': key, ...(version === undefined ? {} : { 'if-match': `"${version}"` }) },
  });
const read = async (route: string) => (await call(house, route, { token: vendor.key })).body;

test('[H114] a retry after a crash edits nothing again, although the version that it names is gone', async () => {
  const { id, version } = await house.ctx.vendors.addLocation(aLocation({ vendorId: vendor.id }));
  const profile = await read('GET /vendor/profile');
  const courier = await house.ctx.couriers.get((await addCourier(house)).id);
  for (const [route, field, seen] of [
    ['PATCH /vendor/profile', 'legal_name', Number(profile['version'])],
    [`PATCH /vendor/locations/${id}`, 'name', version],
    [`PATCH /couriers/${courier.id}`, 'name', courier.version],
  ] as const) {
    const key = newId('req');
    const first = await edit(route, { [field]: 'Bakery' }, key, seen);
    await edit(route, { [field]: 'Another' });
    await crashAfterEffect(house);
    const again = await edit(route, { [field]: 'Bakery' }, key, seen);
    expect([route, first.status, again.status, again.body[field]]).toEqual([route, 200, 200, 'Another']);
  }
});

test('[A124] a retry after a crash of an edit that named the stored values leaves what was changed since', async () => {
  const courier = await house.ctx.couriers.get((await addCourier(house)).id);
  const route = `PATCH /couriers/${courier.id}`;
  const key = newId('req');
  const same = { name: courier.name, phone: courier.phone };
  expect((await edit(route, same, key)).status).toBe(200);
  await edit(route, { name: 'Another' });
  await crashAfterEffect(house);
  const again = await edit(route, same, key);
  expect([again.status, again.body['name']]).toEqual([200, 'Another']);
});

test('[A130] a courier’s own edit has an entry that names them, and its retry after a crash leaves what was changed since', async () => {
  const { id, token } = await addCourier(house);
  const own = (body: object, key: string = newId('req')) =>
    call(house, `PATCH /couriers/${id}`, { token, body, headers: { 'idempotency-key': key } });
  const key = newId('req');
  expect((await own({ city: 'Aba', plate: 'B-A 1' }, key)).status).toBe(200);
  expect((await own({ city: 'Jos' })).status).toBe(200);
  await crashAfterEffect(house);
  const again = await own({ city: 'Aba', plate: 'B-A 1' }, key);
  expect([again.status, again.body['city'], again.body['plate']]).toEqual([200, 'Jos', 'B-A 1']);
  const { items } = await house.ctx.audit.list({ objectId: id, action: 'courier.update' }, { limit: 9, after: null });
  const actor = { type: 'courier', id };
  expect(items).toMatchObject([{ actor, changes: { city: { from: 'Aba', to: 'Jos' } } }, { actor }]);
});

test('[A131] a retry after a crash does not activate a courier whom staff have suspended since, or the other way round', async () => {
  const { id } = await addCourier(house);
  const stateNow = async () => (await house.ctx.couriers.get(id)).state;
  for (const [done, undone] of [
    ['suspend', 'activate'],
    ['activate', 'suspend'],
  ] as const) {
    await edit(`POST /couriers/${id}/${undone}`, {});
    const key = newId('req');
    expect((await edit(`POST /couriers/${id}/${done}`, {}, key)).status).toBe(200);
    await edit(`POST /couriers/${id}/${undone}`, {});
    const before = await stateNow();
    await crashAfterEffect(house);
    const again = await edit(`POST /couriers/${id}/${done}`, {}, key);
    expect([done, again.status, again.body['state'], await stateNow()]).toEqual([done, 200, before, before]);
  }
});

test('[A131] a retry after a crash leaves a courier online or offline as staff have set them since', async () => {
  const { id } = await addCourier(house);
  for (const [done, undone] of [
    ['online', 'offline'],
    ['offline', 'online'],
  ] as const) {
    await edit(`PATCH /couriers/${id}/status`, { status: undone });
    const key = newId('req');
    expect((await edit(`PATCH /couriers/${id}/status`, { status: done }, key)).status).toBe(200);
    await edit(`PATCH /couriers/${id}/status`, { status: undone });
    await crashAfterEffect(house);
    const again = await edit(`PATCH /couriers/${id}/status`, { status: done }, key);
    expect([done, again.status, again.body['availability'] ?? again.body['status']]).toEqual([done, 200, undone]);
  }
});

test('[H114] a retry after a crash leaves the hours that were set since', async () => {
  const { id } = await house.ctx.vendors.addLocation(aLocation({ vendorId: vendor.id }));
  const hours = { timezone: 'Europe/Vaduz', weekly: [] };
  const key = newId('req');
  expect((await edit('PATCH /vendor/hours', hours, key)).status).toBe(200);
  const own = { location_id: id, timezone: 'UTC', weekly: null };
  expect((await edit('PATCH /vendor/hours', own)).status).toBe(200);
  await crashAfterEffect(house);
  expect((await edit('PATCH /vendor/hours', hours, key)).status).toBe(200);
  const listed = (await read('GET /vendor/hours')).data?.find((one) => one['location_id'] === id);
  expect(listed).toMatchObject({ timezone: 'UTC' });
});

test('[H114] a retry after a crash does not give back roles that were taken away since', async () => {
  const made = await call(house, 'POST /staff', {
    token: admin,
    body: { email: 'bo@example.com', roles: ['support'] },
  });
  const route = `PATCH /staff/${String(made.body['id'])}`;
  const key = newId('req');
  expect((await edit(route, { roles: ['support', 'finance'] }, key)).status).toBe(200);
  await edit(route, { roles: ['support'] });
  await crashAfterEffect(house);
  const again = await edit(route, { roles: ['support', 'finance'] }, key);
  expect([again.status, again.body['roles']]).toEqual([200, ['support']]);
});

test('[H114] a retried rotation does not bring back a secret that a later one has replaced', async () => {
  const made = await edit('POST /webhooks', { url: 'https://93.184.216.34/hook', events: ['*'] });
  const route = `POST /webhooks/${String(made.body['id'])}/rotate-secret`;
  const key = newId('req');
  const first = await edit(route, {}, key);
  const later = await edit(route, { overlap_hours: 0 });
  await crashAfterEffect(house);
  const again = await edit(route, {}, key);
  expect([again.status, again.body['secret']]).toEqual([200, first.body['secret']]);
  const owner = { id: made.body['id'] as RegistrationId, vendorId: vendor.id, liveMode: false };
  expect((await house.ctx.webhooks.secretsOf(owner))?.[0]).toBe(later.body['secret']);
});

test('[H114] a retry after a crash leaves a webhook as it was changed since', async () => {
  const made = await edit('POST /webhooks', { url: 'https://93.184.216.34/hook', events: ['*'] });
  const route = `PATCH /webhooks/${String(made.body['id'])}`;
  const key = newId('req');
  await edit(route, { status: 'enabled', description: 'till' }, key);
  await edit(route, { status: 'disabled' });
  await crashAfterEffect(house);
  expect((await edit(route, { status: 'enabled', description: 'till' }, key)).body).toMatchObject({
    status: 'disabled',
  });
});
