import { expect, test } from 'vitest';
import { API_VERSION } from '../../../src/domain/deliveries/events.ts';
import { VENDOR_KEYS } from '../../../src/models/access/credential-shapes.ts';
import { addServer, addStaff, addVendor, call, openHouse } from '../house.ts';

const house = await openHouse('versions');
const VALID = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** The log lines of one request. */
const linesOf = (id: string) => house.lines.filter(({ fields }) => fields['request_id'] === id);

test('[H130] a valid traceparent is in the log line and in the answer', async () => {
  const valid = [VALID, VALID.replace(/^00/, 'cc'), `${VALID.replace(/^00/, 'cc')}-more`];
  for (const traceparent of valid) {
    const headers = { traceparent, 'x-request-id': `valid-${valid.indexOf(traceparent)}` };
    const answer = await call(house, 'GET /healthz', { headers });
    expect(answer.headers.get('traceparent')).toBe(traceparent);
    const [line] = linesOf(headers['x-request-id']);
    expect(line?.fields).toMatchObject({
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      span_id: '00f067aa0ba902b7',
    });
  }
});

test('[H130] an invalid traceparent is ignored', async () => {
  const zeros = '0'.repeat(32);
  const invalid = [
    'x',
    VALID.toUpperCase(),
    VALID.replace(/^00/, 'ff'),
    `${VALID}-more`,
    `00-${zeros}-00f067aa0ba902b7-01`,
    `00-${VALID.slice(3, 35)}-${zeros.slice(16)}-01`,
  ];
  for (const traceparent of invalid) {
    const headers = { traceparent, 'x-request-id': `invalid-${invalid.indexOf(traceparent)}` };
    const { status, headers: given } = await call(house, 'GET /healthz', { headers });
    expect([traceparent, status, given.get('traceparent')]).toEqual([traceparent, 200, null]);
    expect(linesOf(headers['x-request-id'])[0]?.fields).not.toHaveProperty('trace_id');
  }
});

test('[H131] the answer names its version, and an unknown one is refused with the known ones', async () => {
  const plain = await call(house, 'GET /healthz');
  const named = await call(house, 'GET /healthz', { headers: { 'service-version': API_VERSION } });
  for (const { status, headers } of [plain, named]) {
    expect([status, headers.get('service-version')]).toEqual([200, API_VERSION]);
  }
  const { status, body } = await call(house, 'GET /healthz', { headers: { 'service-version': '2020-01-01' } });
  expect([status, body]).toMatchObject([
    400,
    { code: 'invalid_params', reason: 'unknown_service_version', metadata: { known: [API_VERSION] } },
  ]);
  expect(body['detail']).toBe(`\`Service-Version\` must be \`${API_VERSION}\`, or be left out.`);
});

test('[H132] a key keeps the version that it was made with, also when it is rotated', async () => {
  const { key } = await addVendor(house);
  const made = await call(house, 'POST /vendor/api-keys', { token: key, body: { name: 'till' } });
  expect(made.body).toMatchObject({ api_version: API_VERSION });
  const rows = house.mongo.collection(VENDOR_KEYS);
  const keyId = made.body['id'] as `key_${string}`;
  await rows.updateOne({ keyId }, { $set: { apiVersion: '2025-01-01' } });
  const old = await call(house, 'GET /deliveries', { token: String(made.body['key']) });
  expect(old.headers.get('service-version')).toBe('2025-01-01');
  const chosen = { token: String(made.body['key']), headers: { 'service-version': API_VERSION } };
  expect((await call(house, 'GET /deliveries', chosen)).headers.get('service-version')).toBe(API_VERSION);
  const rotated = await call(house, `POST /vendor/api-keys/${keyId}/rotate`, { token: key, body: {} });
  expect(rotated.body).toMatchObject({ api_version: '2025-01-01' });
  const next = rotated.body['id'] as `key_${string}`;
  await rows.updateOne({ keyId: next }, { $unset: { apiVersion: 1 } });
  const first = await call(house, 'GET /deliveries', { token: String(rotated.body['key']) });
  expect(first.headers.get('service-version')).toBe('2026-11-22');
});

test('[H133] every log line and problem of a request has its id', async () => {
  const failing = await addServer(house, {
    couriers: { ...house.ctx.couriers, get: () => Promise.reject(new Error('a fault')) },
  });
  const token = await addStaff(house, 'support');
  const headers = { 'x-request-id': 'every-line', traceparent: VALID };
  const route = 'GET /couriers/cou_01m826kykff25sb65pvbdbgghm';
  const { status, body } = await call(failing, route, { token, headers });
  expect([status, body['request_id']]).toEqual([500, 'every-line']);
  const lines = linesOf('every-line');
  expect(lines.map(({ level }) => level).toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['error', 'info']);
  for (const { fields } of lines) expect(fields).toMatchObject({ trace_id: VALID.slice(3, 35) });
});
