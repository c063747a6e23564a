import { beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { refusalOf } from '../../src/http/error-handler.ts';
import { aCreate, addStaff, addVendor, call, DROP_OFF, openHouse, PICKUP, type Answer } from './house.ts';
import { QUOTES } from '../../src/models/deliveries/quote-shape.ts';
import { wrongProblem } from './routes.ts';

const house = await openHouse('errors');
let vendor: { id: string; key: string };
let staff: string;

beforeAll(async () => {
  vendor = await addVendor(house);
  staff = await addStaff(house, 'dispatcher');
});

const create = (raw: string, headers: Record<string, string> = {}) =>
  call(house, 'POST /deliveries', { token: vendor.key, raw, headers });

test.each([
  ['malformed_body', 400, '{"pickup":', {}],
  ['malformed_body', 400, 'x', {}],
  ['malformed_body', 400, '{}', { 'content-encoding': 'gzip' }],
  ['unsupported_media_type', 415, '<a/>', { 'content-type': 'text/xml' }],
  ['unsupported_media_type', 415, '{}', { 'content-type': 'application/json; charset=latin-9' }],
  ['unsupported_media_type', 415, '{}', { 'content-encoding': 'zstd-9' }],
  ['payload_too_large', 413, `{"a":"${'x'.repeat(262_144)}"}`, {}],
  ['invalid_params', 400, 'null', {}],
  ['invalid_params', 400, '[]', {}],
  ['invalid_params', 400, '"text"', {}],
])('[H5] a body that cannot be read answers %s', async (code, status, raw, headers) => {
  const answer = await create(raw, headers);
  expect([answer.status, answer.body['code']]).toEqual([status, code]);
  expect(wrongProblem(answer)).toBeNull();
});

test('[H6] an unknown field is refused and pointed at', async () => {
  const body = aCreate({ pickup: { ...PICKUP, 'a/b': 1 }, drop_off: [{ ...DROP_OFF, note: 'x' }] });
  const answer = await call(house, 'POST /deliveries', { token: vendor.key, body });
  expect(answer.body).toMatchObject({ status: 400, code: 'unknown_field' });
  const pointers = (answer.body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer);
  expect(pointers.toSorted()).toEqual(['/drop_off/0/note', '/pickup/a~1b']);
  expect(wrongProblem(answer)).toBeNull();
  const query = await call(house, 'GET /deliveries?colour=red', { token: vendor.key });
  expect(query.body).toMatchObject({ code: 'unknown_field', errors: [{ pointer: '/colour' }] });
});

test('[H514] a refused body names each field once, and says what its value is', async () => {
  const sound = JSON.stringify(aCreate()).slice(0, -1);
  const one = JSON.stringify({ ...DROP_OFF, coordinates: { lat: '52', lng: 13 } });
  for (const [raw, pointer, found] of [
    [`${sound},"tip":1e400}`, '/tip', 'Infinity'],
    [`${sound},"tip":9007199254740993}`, '/tip', '9007199254740992'],
    [`{"pickup":${JSON.stringify(PICKUP)},"drop_off":${one}}`, '/drop_off/0/coordinates/lat', '"52"'],
  ] as const) {
    const { status, body } = await create(raw);
    const [error, ...more] = body['errors'] as { pointer: string; message: string }[];
    expect([status, error?.pointer, more]).toEqual([400, pointer, []]);
    expect(body['detail']).toBe(error?.message);
    expect(body['detail']).toMatch(new RegExp(`; it is ${found}\\.$`));
  }
});

test('[H7] a path that no row has answers 404, another method 405 with those that work', async () => {
  for (const path of ['/nothing', '/deliveries/a/b/c', '/%', '/t/%E0%A4%A']) {
    const answer = await call(house, `GET ${path}`);
    expect([path, answer.status, answer.body['code']]).toEqual([path, 404, 'route_not_found']);
    expect(wrongProblem(answer)).toBeNull();
  }
  const wrong = await call(house, 'DELETE /deliveries', { token: vendor.key });
  expect([wrong.status, wrong.body['code']]).toEqual([405, 'method_not_allowed']);
  expect(wrong.headers.get('allow')?.split(', ').toSorted()).toEqual(['GET', 'POST']);
  expect(wrongProblem(wrong)).toBeNull();
});

test('[H8] a missing, garbled or foreign credential answers 401 and how to prove oneself', async () => {
  for (const headers of [
    {},
    { authorization: 'Basic YTpi' },
    { authorization: 'Bearer ' },
    { authorization: 'Bearer dsk_test_x' },
    { authorization: 'Bearer a.b.c' },
  ]) {
    const answer = await call(house, 'GET /deliveries', { headers });
    expect([headers, answer.status, answer.body['code']]).toEqual([headers, 401, 'unauthorized']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(wrongProblem(answer)).toBeNull();
  }
});

test("[H9] the caller's request id comes back in header and problem, an unsound one is replaced", async () => {
  const sound = await call(house, 'GET /nothing', { headers: { 'x-request-id': 'abc-123' } });
  expect([sound.headers.get('x-request-id'), sound.body['request_id']]).toEqual(['abc-123', 'abc-123']);
  for (const given of ['a b', 'x'.repeat(129), 'é']) {
    const { headers } = await call(house, 'GET /nothing', { headers: { 'x-request-id': given } });
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  }
  const line = house.lines.find(({ fields }) => fields['request_id'] === 'abc-123');
  expect(line?.fields).toMatchObject({ method: 'GET', status: 404 });
});

test('[H49] writes of staff are audited with actor and path; reads and writes of others are not', async () => {
  const from = house.lines.length;
  await call(house, 'POST /dispatch/assign', { token: staff, body: {} });
  await call(house, 'GET /deliveries', { token: staff });
  const audited = house.lines.slice(from).filter(({ level }) => level === 'audit');
  expect(audited.map(({ fields }) => fields)).toMatchObject([
    { actor: { type: 'staff' }, route: 'POST /dispatch/assign', path: '/dispatch/assign', status: 400 },
  ]);
});

test('[H10] an internal error answers 500 with only the request id, and is logged', async () => {
  const { deliveries } = house.ctx;
  const given = { ...deliveries };
  deliveries.list = () => Promise.reject(new Error('secret detail'));
  const answer = await call(house, 'GET /deliveries', { token: staff });
  Object.assign(deliveries, given);
  expect([answer.status, answer.body['code']]).toEqual([500, 'internal_error']);
  expect(answer.text).not.toContain('secret detail');
  expect(wrongProblem(answer)).toBeNull();
  const line = house.lines.find(
    ({ level, fields }) => level === 'error' && fields['request_id'] === answer.body['request_id'],
  );
  expect(String(line?.fields['err'])).toContain('secret detail');
});

test('[H11] a refusal that allows a retry says when', async () => {
  house.state.isReady = false;
  const answer = await call(house, 'GET /readyz');
  house.state.isReady = true;
  expect([answer.status, answer.body['retryable'], answer.headers.get('retry-after')]).toEqual([503, true, '1']);
  expect((await call(house, 'GET /readyz')).body).toEqual({ status: 'ready' });
});

test('[H12] every error becomes a refusal of the table', () => {
  expect(refusalOf(new Refusal('busy')).code).toBe('busy');
  expect(refusalOf('thrown text').code).toBe('internal_error');
  expect(refusalOf(Object.assign(new Error('gone'), { type: 'request.aborted', status: 400 })).code).toBe(
    'malformed_body',
  );
  expect(refusalOf(Object.assign(new Error('odd'), { status: 400 })).code).toBe('internal_error');
});

test('[H13] every answer has the version and the security headers', async () => {
  const { headers } = await call(house, 'GET /healthz');
  expect(headers.get('service-version')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-powered-by')).toBeNull();
});

test('[H14] the id of another vendor counts as unknown, and staff must name a vendor', async () => {
  const body = aCreate({ vendor_id: newId('ven') });
  const foreign = await call(house, 'POST /deliveries', { token: vendor.key, body });
  expect(foreign.body['code']).toBe('vendor_not_found');
  const listed = await call(house, `GET /deliveries?vendor_id=${newId('ven')}`, { token: vendor.key });
  expect(listed.body['code']).toBe('vendor_not_found');
  const unnamed = await call(house, 'POST /deliveries', { token: staff, body: aCreate() });
  expect(unnamed.body).toMatchObject({ code: 'impossible_value', errors: [{ pointer: '/vendor_id' }] });
  const named = await call(house, 'POST /deliveries', { token: staff, body: aCreate({ vendor_id: vendor.id }) });
  expect([named.status, named.body['channel'], named.body['vendor_id']]).toEqual([201, 'dashboard', vendor.id]);
});

test('[A57] an unauthenticated caller who must wait gets a late refusal', async () => {
  const body = { grant_type: 'password', email: 'nobody@example.org', password: 'a guess' };
  const guess = () => call(house, 'POST /auth/token', { body });
  for (let tries = 0; tries < house.ctx.settings.auth.pairTries; tries += 1) expect((await guess()).status).toBe(401);
  // Each further try doubles the wait, so that it soon outlasts a slow request.
  let refused: Answer;
  let from: number;
  do {
    from = performance.now();
    refused = await guess();
  } while (refused.status === 401);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(performance.now() - from).toBeGreaterThan(900);
});

test('[A57] a probe is told at once that the process is not ready', async () => {
  const sleep = vi.spyOn(house.ctx.clock.real, 'sleep');
  house.state.isReady = false;
  expect((await call(house, 'GET /readyz')).status).toBe(503);
  house.state.isReady = true;
  expect(sleep).not.toHaveBeenCalled();
  sleep.mockRestore();
});

test('[S86] a document that MongoDB refuses is a 500, and the log says which path was wrong', async () => {
  const rules = { $jsonSchema: { required: ['seal'], properties: { currency: { enum: ['gold'] } } } };
  await house.mongo.db.command({ collMod: QUOTES.name, validator: rules });
  const { external_id: _id, ...body } = aCreate();
  const answer = await call(house, 'POST /express/quotes', { token: vendor.key, body });
  expect([answer.status, answer.body['code']]).toEqual([500, 'internal_error']);
  const told = house.lines.findLast(({ fields }) => fields['err'] instanceof Error)?.fields['err'];
  const text = `${String(told)} ${JSON.stringify(told)}`;
  for (const named of ['errInfo', 'seal', 'currency']) expect(text).toContain(named);
  expect(text).not.toContain('EUR');
});

test('[H518] a vendor who names another vendor or the other mode is refused alike everywhere', async () => {
  const other = await addVendor(house);
  const paths = ['/deliveries', '/wallets/balance', '/billing/transactions', '/vendor/api-keys'];
  for (const path of [...paths, '/vendor/analytics/timings', '/vendor/analytics/rider-performance/comments']) {
    const mode = await call(house, `GET ${path}?live_mode=true`, { token: vendor.key });
    expect([path, mode.status, mode.body['errors']]).toMatchObject([path, 403, [{ pointer: '/live_mode' }]]);
    const foreign = await call(house, `GET ${path}?vendor_id=${other.id}`, { token: vendor.key });
    expect([path, foreign.status, foreign.body['errors']]).toMatchObject([path, 404, [{ pointer: '/vendor_id' }]]);
  }
});

test('[H519] a refusal says the form of a missing text, and shows what stands in place of a number', async () => {
  const detailOf = async (route: string, body?: object) =>
    (await call(house, route, { token: vendor.key, ...(body && { body }) })).body['detail'];
  expect(await detailOf('GET /deliveries?limit=0')).toBe('`/limit` must be a whole number from 1 to 100; it is "0".');
  const hours = await detailOf('PATCH /vendor/hours', { weekly: [] });
  expect(hours).toBe('`/timezone` must be an IANA time zone, such as Europe/Berlin; it is missing.');
  const contact = { name: 'Robin', phone: 4930123456 };
  const phone = await detailOf('POST /deliveries', aCreate({ drop_off: { ...DROP_OFF, contact } }));
  expect(phone).toContain('must be a phone number in E.164, such as +4930123456; it is 4930123456');
  expect(await detailOf('POST /deliveries', aCreate({ external_id: null }))).toContain('must be 1 to 64 characters');
  const times = '2026-11-01T00:00:00Z/2026-11-30T00:00:00Z';
  expect(await detailOf(`GET /vendor/analytics/timings?date_range=${times}`)).toContain('two dates without times');
});
