import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { until } from '../../../until.ts';
import { addCourier, addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('couriers');
let staff: string;

beforeAll(async () => {
  staff = await addStaff(house, 'dispatcher');
});

test('[H29] a courier is onboarded as pending, activated, goes online, and is suspended offline', async () => {
  const body = { name: 'Ben Roth', phone: '+49 151 1234-5678', vehicle_type: 'bicycle' };
  const born = await call(house, 'POST /couriers/onboard', { token: staff, body });
  expect([born.status, born.headers.get('location')]).toEqual([201, `/couriers/${String(born.body['id'])}`]);
  expect(replyOf('POST /couriers/onboard')?.safeParse(born.body).error).toBeUndefined();
  expect(born.body).toMatchObject({ state: 'pending', status: 'offline', phone: '+4915112345678' });
  const path = `/couriers/${String(born.body['id'])}`;
  const online = () => call(house, `PATCH ${path}/status`, { token: staff, body: { status: 'online' } });
  expect((await online()).body['code']).toBe('courier_not_verified');
  expect((await call(house, `POST ${path}/activate`, { token: staff })).body['state']).toBe('active');
  expect((await online()).body['status']).toBe('online');
  const suspended = await call(house, `POST ${path}/suspend`, { token: staff });
  expect(suspended.body).toMatchObject({ state: 'suspended', status: 'offline' });
  const twin = await call(house, 'POST /couriers/onboard', { token: staff, body });
  expect([twin.status, twin.body['code']]).toEqual([409, 'duplicate_courier']);
});

test('[H30] a location is one fix with named fields or tuples, and the answer says how many were accepted', async () => {
  const courier = await addCourier(house);
  const put = (body: unknown, token = courier.token, id: string = courier.id) =>
    call(house, `PUT /couriers/${id}/location`, { token, body });
  const now = house.ctx.clock.now();
  const named = { lat: 52.52, lng: 13.4, seq: 1, recorded_at: new Date(now - 1000).toISOString() };
  expect(await put(named)).toMatchObject({ status: 202, body: { accepted: 1, dropped: 0 } });
  const odd = { ...named, seq: 2, accuracy_m: null, speed: null, heading: -1 };
  const later = new Date(now - 900).toISOString();
  expect(await put({ ...odd, recorded_at: later })).toMatchObject({ status: 202, body: { accepted: 1, dropped: 0 } });
  const one = [3, now - 500, 52.5203, 13.4003, 8, 4, 90];
  expect(await put({ fixes: [one] })).toMatchObject({ status: 202, body: { accepted: 1, dropped: 0 } });
  const fixes = [
    [4, now, 52.5205, 13.4005, 8, 4, 90],
    [1, now, 52.5205, 13.4005, 8, 4, 90],
  ];
  expect(await put({ fixes })).toMatchObject({
    status: 202,
    body: { accepted: 1, dropped: 1, reason: 'out_of_order' },
  });
  expect(await put({ fixes: [[4, Math.round(now / 1000), 52.52, 13.4, 8, 4, 90]] })).toMatchObject({
    status: 202,
    body: { accepted: 0, dropped: 1, reason: 'too_old' },
  });
  expect(await put({ fixes: [[5, now, 139.69, 35.68, 8, 4, 90]] })).toMatchObject({ body: { reason: 'out_of_range' } });
  const unknown = await put({ ...named, colour: 'red' });
  expect(unknown.body).toMatchObject({ code: 'unknown_field', errors: [{ pointer: '/colour' }] });
  expect((await put({ fixes: [[1]] })).body).toMatchObject({
    status: 400,
    errors: [{ pointer: expect.stringMatching(/^\/fixes\/0/) }],
  });
  expect((await put({ ...named, lat: 91 })).status).toBe(400);
  const service = await house.ctx.credentials.issueInternal('ingest', 600);
  expect((await put({ ...named, seq: 6 }, service)).status).toBe(202);
  expect((await put(named, service, newId('cou'))).body['code']).toBe('courier_not_found');
});

test('[A47] positions of a suspended courier are refused, regardless of the caller', async () => {
  const courier = await addCourier(house);
  const service = await house.ctx.credentials.issueInternal('ingest', 600);
  const put = (token: string) => {
    const recordedAt = new Date(house.ctx.clock.now()).toISOString();
    const body = { lat: 52.52, lng: 13.4, seq: 1, recorded_at: recordedAt };
    return call(house, `PUT /couriers/${courier.id}/location`, { token, body });
  };
  expect((await put(courier.token)).status).toBe(202);
  expect((await call(house, `POST /couriers/${courier.id}/suspend`, { token: staff })).status).toBe(200);
  expect((await put(courier.token)).status).toBe(401);
  const reported = await put(service);
  expect(reported).toMatchObject({ status: 409, body: { code: 'courier_not_verified', reason: 'suspended' } });
  const body = { grant_type: 'otp', phone: courier.phone, code: '000000' };
  const login = await call(house, 'POST /auth/token', { body });
  expect(login).toMatchObject({ status: 409, body: { code: 'courier_not_verified', reason: 'suspended' } });
});

test('[H31] candidates for a delivery are listed nearest first with the figures of the matcher', async () => {
  const vendor = await addVendor(house);
  const id = await addDelivery(house, vendor.key);
  const courier = await addCourier(house);
  await call(house, `PATCH /couriers/${courier.id}/status`, { token: courier.token, body: { status: 'online' } });
  const body = { lat: 52.521, lng: 13.405, seq: 1, recorded_at: new Date(house.ctx.clock.now()).toISOString() };
  await call(house, `PUT /couriers/${courier.id}/location`, { token: courier.token, body });
  const candidates = () => call(house, `GET /dispatch/candidates?delivery_id=${id}`, { token: staff });
  await until(async () => (await candidates()).body.data?.length === 1);
  const { body: found } = await candidates();
  expect(replyOf('GET /dispatch/candidates')?.safeParse(found).error).toBeUndefined();
  expect(found.data?.[0]).toMatchObject({ courier: { id: courier.id }, load: 0 });
});

test('[H32] codes, passwords and refresh tokens become tokens; a logout ends them', async () => {
  const { phone, id } = await addCourier(house);
  expect(await call(house, 'POST /auth/otp', { body: { phone } })).toMatchObject({ status: 202 });
  const wrong = await call(house, 'POST /auth/token', { body: { grant_type: 'otp', phone, code: '111111' } });
  expect([wrong.status, wrong.body['code']]).toEqual([401, 'otp_invalid']);
  const given = await call(house, 'POST /auth/token', { body: { grant_type: 'otp', phone, code: '000000' } });
  expect(replyOf('POST /auth/token')?.safeParse(given.body).error).toBeUndefined();
  expect(given.body['courier_id']).toBe(id);
  const renewed = await call(house, 'POST /auth/token', {
    body: { grant_type: 'refresh_token', refresh_token: given.body['refresh_token'] },
  });
  const token = String(renewed.body['access_token']);
  expect((await call(house, `GET /couriers/${id}`, { token })).status).toBe(200);
  const out = await call(house, 'POST /auth/logout', { token });
  expect([out.status, out.text]).toEqual([204, '']);
  expect((await call(house, `GET /couriers/${id}`, { token })).status).toBe(401);
  const odd = await call(house, 'POST /auth/token', { body: { grant_type: 'magic' } });
  expect(odd.body).toMatchObject({ code: 'invalid_params', errors: [{ pointer: '/grant_type' }] });
});

test('[H33] a webhook is registered with a secret that no list shows again', async () => {
  const { key } = await addVendor(house);
  const body = { url: 'http://127.0.0.1:9/hook', events: ['delivered', 'delivered', '*'], description: 'mine' };
  const made = await call(house, 'POST /webhooks', { token: key, body });
  expect(made.status).toBe(201);
  expect(replyOf('POST /webhooks')?.safeParse(made.body).error).toBeUndefined();
  expect(made.body).toMatchObject({ events: ['delivered', '*'], secret: expect.stringMatching(/^whsec_/) });
  const { secret: _secret, ...shown } = made.body;
  const listed = await call(house, 'GET /webhooks', { token: key });
  expect(listed.body.data).toEqual([shown]);
  for (const url of ['ftp://example.com/', 'example.com', 'javascript:alert(1)']) {
    const refused = await call(house, 'POST /webhooks', { token: key, body: { ...body, url } });
    expect({ url, ...refused.body }).toMatchObject({ url, status: 400, errors: [{ pointer: '/url' }] });
  }
});
