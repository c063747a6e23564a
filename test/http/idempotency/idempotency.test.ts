import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { REQUESTS } from '../../../src/models/request-shape.ts';
import { aCreate, addDelivery, addServer, addStaff, addVendor, call, openHouse, type Answer } from '../house.ts';

const house = await openHouse('idempotency');
const other = await addServer(house);
const rows = house.mongo.collection(REQUESTS);
let vendor: Awaited<ReturnType<typeof addVendor>>;
let staff: string;

beforeAll(async () => {
  vendor = await addVendor(house);
  staff = await addStaff(house, 'support');
});

type Options = { key?: string; body?: unknown; token?: string; on?: { readonly url: string } };
const send = (route: string, { key = newId('req'), body, token = vendor.key, on = house }: Options) =>
  call(on, route, { token, body, headers: { 'idempotency-key': key } });

const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true';
const countDeliveries = async (token: string): Promise<number | undefined> =>
  (await call(house, 'GET /deliveries?limit=100', { token })).body.data?.length;

test('[H110] 100 equal requests to two servers have one effect and get identical answers', async () => {
  const fresh = await addVendor(house);
  const options = { key: newId('req'), body: aCreate(), token: fresh.key };
  const asks = Array.from({ length: 100 }, (_, index) =>
    send('POST /express/deliveries', { ...options, on: index % 2 === 0 ? house : other }),
  );
  const answers = await Promise.all(asks);
  const seen = new Set(answers.map(({ status, text, headers }) => `${status} ${headers.get('location')} ${text}`));
  expect(seen.size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
  expect(await countDeliveries(fresh.key)).toBe(1);
});

test('[H110] each kind of POST and PATCH is carried out once', async () => {
  const id = await addDelivery(house, vendor.key);
  const phone = '+4915199000001';
  const asks: [string, unknown, string][] = [
    ['POST /deliveries', aCreate(), vendor.key],
    ['POST /express/quotes', aCreate(), vendor.key],
    ['POST /couriers/onboard', { name: 'Ada Obi', phone, vehicle_type: 'scooter' }, staff],
    ['POST /webhooks', { url: 'https://93.184.216.34/hook', events: ['*'] }, vendor.key],
    [`PATCH /deliveries/${id}`, { pickup: { instructions: 'Ring twice' } }, vendor.key],
    [`POST /vendor/deliveries/${id}/delay`, { minutes: 5 }, vendor.key],
    [`POST /deliveries/${id}/cancel`, {}, vendor.key],
  ];
  for (const [route, body, token] of asks) {
    const options = { key: newId('req'), body, token };
    const first = await send(route, options);
    const second = await send(route, { ...options, on: other });
    expect([route, first.status < 300, first.text]).toEqual([route, true, first.text]);
    expect([route, isReplay(first), isReplay(second)]).toEqual([route, false, true]);
    expect([route, second.status, second.text]).toEqual([route, first.status, first.text]);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  }
});

test('[H111] a key that was used with another body is refused, and the order of names does not matter', async () => {
  const key = newId('req');
  const { pickup, drop_off } = aCreate();
  const first = await send('POST /deliveries', { key, body: { pickup, drop_off } });
  const turned = await send('POST /deliveries', { key, body: { drop_off, pickup } });
  expect([isReplay(turned), turned.text]).toEqual([true, first.text]);
  const reused = await send('POST /deliveries', { key, body: { pickup, drop_off, custom: { a: 1 } } });
  expect([reused.status, reused.body['code']]).toEqual([422, 'idempotency_key_reused']);
  const answers = await Promise.all(
    [1, 2].map((table) => send('POST /deliveries', { key: 'at once', body: { pickup, drop_off, custom: { table } } })),
  );
  // A key with a space is malformed, whatever the body says.
  expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  const both = await Promise.all(
    [1, 2].map((table) => send('POST /deliveries', { key: 'at-once', body: { pickup, drop_off, custom: { table } } })),
  );
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 422]));
});

test('[H112] a key has 1 to 255 visible ASCII characters, and quotes around it do not matter', async () => {
  for (const key of ['', '""', 'a b', '"a', 'x'.repeat(256), `"${'x'.repeat(256)}"`, 'ä']) {
    const { status, body } = await send('POST /express/quotes', { key, body: aCreate() });
    expect([key, status, body['code'], body['reason']]).toEqual([
      key,
      400,
      'invalid_params',
      'malformed_idempotency_key',
    ]);
    expect(body['detail']).toContain('`Idempotency-Key` must have 1 to 255 visible ASCII characters');
    expect(body['detail']).toMatch(key === 'ä' ? / has 1 character\.$/ : / has \d+ characters\.$/);
  }
  const long = 'x'.repeat(255);
  const bare = await send('POST /express/quotes', { key: long, body: aCreate() });
  const quoted = await send('POST /express/quotes', { key: `"${long}"`, body: aCreate() });
  expect([bare.status, isReplay(quoted), quoted.text]).toEqual([201, true, bare.text]);
});

test('[H113] refusals with 409 and 422 are stored, and other refusals leave the key unused', async () => {
  const id = await addDelivery(house, vendor.key);
  const key = newId('req');
  const route = `POST /vendor/deliveries/${id}/delay`;
  const wrong = await send(route, { key, body: { minutes: 'ten' } });
  const stale = await call(house, `PATCH /deliveries/${id}`, {
    token: vendor.key,
    body: { pickup: { instructions: 'Ring' } },
    headers: { 'idempotency-key': key, 'if-match': '"9"' },
  });
  expect([wrong.status, stale.status]).toEqual([400, 412]);
  expect((await send(route, { key, body: { minutes: 5 } })).status).toBe(200);
  expect((await send(`PATCH /deliveries/${id}`, { key, body: { pickup: { instructions: 'Ring' } } })).status).toBe(200);
  const past = { key: newId('req'), body: { ready_at: '2020-01-01T00:00:00Z' } };
  const [early, again] = [await send(route, past), await send(route, past)];
  expect([early.status, isReplay(early), again.status, isReplay(again)]).toEqual([422, false, 422, true]);
  const canceled = await send(`POST /deliveries/${id}/cancel`, {});
  expect(canceled.status).toBe(200);
  const late = newId('req');
  const [first, second] = [await send(route, { key: late }), await send(route, { key: late })];
  expect([first.status, isReplay(first), second.status, isReplay(second)]).toEqual([409, false, 409, true]);
  expect({ ...second.body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
  expect(second.body['request_id']).toBe(second.headers.get('x-request-id'));
});

test('[H117] a key belongs to one account, mode, method and path', async () => {
  const key = newId('req');
  const [a, b] = [await addVendor(house), await addVendor(house)];
  const ids = [await addDelivery(house, a.key), await addDelivery(house, a.key)];
  const live = (await house.ctx.credentials.addVendorKey(a.id, true)).key;
  const routes: [string, string][] = [
    ['POST /deliveries', a.key],
    ['POST /deliveries', b.key],
    ['POST /deliveries', live],
    ['POST /express/deliveries', a.key],
    [`POST /deliveries/${ids[0]}/cancel`, a.key],
    [`POST /deliveries/${ids[1]}/cancel`, a.key],
  ];
  for (const [route, token] of routes) {
    const answer = await send(route, { key, token, body: route.endsWith('cancel') ? {} : aCreate() });
    expect([route, answer.status < 300, isReplay(answer)]).toEqual([route, true, false]);
  }
  const sameAccount = (await house.ctx.credentials.addVendorKey(a.id, false)).key;
  expect(isReplay(await send('POST /deliveries', { key, token: sameAccount, body: aCreate() }))).toBe(true);
});

test('[H117] a key of fewer scopes gets no answer that was made for a key of more', async () => {
  const keyOf = (scopes: readonly string[]) =>
    send('POST /vendor/api-keys', { key: newId('req'), body: { scopes } }).then(({ body }) => String(body['key']));
  const fewer = await keyOf(['keys:write', 'deliveries:read']);
  const asked = { key: newId('req'), body: { name: 'Till' } };
  expect((await send('POST /vendor/api-keys', asked)).status).toBe(201);
  const answer = await send('POST /vendor/api-keys', { ...asked, token: fewer });
  expect([answer.status, answer.body['code'], answer.body['key']]).toEqual([422, 'idempotency_key_reused', undefined]);
});

test('[H118] stored answers are encrypted, and the database deletes them after 72 hours', async () => {
  const key = newId('req');
  const { body } = await send('POST /webhooks', { key, body: { url: 'https://93.184.216.34/a', events: ['*'] } });
  const all = await rows.find({}).toArray();
  expect(String(body['secret'])).toMatch(/^whsec_/);
  expect(JSON.stringify(all)).not.toContain(String(body['secret']).slice(6));
  expect(JSON.stringify(all)).not.toContain(String(body['id']));
  const hours = all.map(({ endsOn }) => (endsOn.getTime() - Date.now()) / 3_600_000);
  expect([Math.max(...hours) <= 72, Math.min(...hours) > 71.9]).toEqual([true, true]);
});

test('[H118] the hash of a body is made with a key of the server, so it does not tell a password', async () => {
  const admin = await addStaff(house, 'admin');
  const body = { email: 'guess@demo.example', password: 'summer and winter 2026', roles: ['support'] };
  const { status } = await send('POST /staff', { token: admin, body });
  const guess = createHash('sha256')
    .update(JSON.stringify(['', Object.entries(body), []]))
    .digest('base64url');
  expect([status, await rows.countDocuments({ fingerprint: guess })]).toEqual([201, 0]);
});

test('[H119] logins and requests without a key are not stored', async () => {
  const before = await rows.countDocuments({});
  await call(house, 'POST /auth/otp', { body: { phone: '+4915100000009' }, headers: { 'idempotency-key': 'a b' } });
  await addDelivery(house, vendor.key);
  await call(house, 'GET /deliveries', { token: vendor.key, headers: { 'idempotency-key': 'k' } });
  expect(await rows.countDocuments({})).toBe(before);
});
