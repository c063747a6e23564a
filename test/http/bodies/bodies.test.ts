import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import { POLICY } from '../../../src/http/policy.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import {
  DROP_OFF,
  PICKUP,
  aCreate,
  addCourier,
  addDelivery,
  addStaff,
  addVendor,
  call,
  openHouse,
  type Answer,
} from '../house.ts';
import { pathWith, wrongProblem } from '../routes.ts';

const house = await openHouse('bodies');
// A test makes hundreds of requests, most of which write: a busy disk may take a second for each.
vi.setConfig({ testTimeout: 300_000 });
const ids = {
  delivery: '',
  courier: '',
  key: newId('key'),
  session: newId('ses'),
  staff: newId('stf'),
  webhook: newId('whk'),
  event: newId('evt'),
  link: 'x',
  order: 'order-1',
  offer: newId('off'),
  stop: 1,
  device: newId('dev'),
};
const tokens: Record<string, string> = {};

beforeAll(async () => {
  const vendor = await addVendor(house);
  const courier = await addCourier(house);
  tokens['vendor'] = vendor.key;
  tokens['courier'] = courier.token;
  tokens['staff'] = await addStaff(house, 'admin');
  ids.delivery = await addDelivery(house, vendor.key);
  ids.courier = courier.id;
});

const writing = ROUTES.filter(
  (row): row is Endpoint => row.kind === 'endpoint' && row.body !== null && row.upload === null,
);

/** Names that bodies know, so that random objects get past the first check; and some that objects have of themselves. */
// oxfmt-ignore
const KEYS = [
  'pickup', 'drop_off', 'coordinates', 'lat', 'lng', 'contact', 'name', 'phone', 'window', 'ready_at', 'metadata',
  'weight', 'custom', 'quote_id', 'external_id', 'fixes', 'seq', 'status', 'url', 'events', 'grant_type', 'code',
  'delivery_id', 'courier_id', 'stop', 'instructions', 'reason', 'address', 'vehicle_types', 'search_until',
  '__proto__', 'constructor', 'toString', '$where', '',
];

const leaf = fc.oneof(
  fc.constantFrom(
    '+4930123456',
    'otp',
    '*',
    'delivered',
    'online',
    '2026-01-05T12:00:00Z',
    { $gt: '' },
    0,
    -1,
    1e308,
    2 ** 53,
  ),
  fc.jsonValue({ maxDepth: 1 }),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
);

const { body: anyBody } = fc.letrec((tie) => ({
  body: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), fc.array(tie('body'), { maxLength: 12 })),
  object: fc.array(fc.tuple(fc.constantFrom(...KEYS), tie('body')), { maxLength: 8 }).map((entries) => {
    // Built as text, since an assignment to __proto__ would not make a key.
    const text = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value ?? null)}`).join(',');
    return { toJSON: () => JSON.parse(`{${text}}`) as unknown };
  }),
}));

const WHOLE = {
  ...aCreate({ external_id: 'order', priority: 'scheduled', vehicle_types: ['car'], custom: { note: 'x' } }),
  pickup: { ...PICKUP, address: '1 Market Square', instructions: 'Ring', window: { ready_at: '2026-01-05T12:00:00Z' } },
  metadata: { weight: 1, category: 'Food', fragility: 'low' },
  search_until: '2026-01-05T12:00:00Z',
  test_specifications: { robo_courier_specification: { mode: 'auto', time_scale: 10 } },
};

/** A body that each route takes. */
const SOUND: Record<string, () => object> = {
  'POST /express/deliveries': () => WHOLE,
  'POST /express/quotes': () => WHOLE,
  'POST /deliveries': () => WHOLE,
  'PATCH /deliveries/{id}': () => ({
    drop_off: [{ stop: 1, contact: DROP_OFF.contact }],
    pickup: { instructions: 'x' },
  }),
  'POST /express/deliveries/{id}/cancel': () => ({ reason: 'other' }),
  'POST /deliveries/{id}/cancel': () => ({ reason: 'other' }),
  'POST /couriers/onboard': () => ({ name: 'Ada', phone: '+4930123456', vehicle_type: 'car', live_mode: false }),
  'PATCH /couriers/{id}/status': () => ({ status: 'online' }),
  'PUT /couriers/{id}/location': () => ({ fixes: [[1, 1, 1, 1, 1, 1, 1]] }),
  'POST /couriers/{id}/offers/{offer_id}/decline': () => ({ reason: 'x' }),
  'POST /couriers/{id}/devices': () => ({
    token: 'a-token-of-a-phone',
    platform: 'ios',
    app_version: '1.2.3',
    provider: 'fcm',
  }),
  'POST /deliveries/{id}/stops/{stop}/arrive': () => ({ override_reason: 'x' }),
  'POST /deliveries/{id}/pick-up': () => ({ override_reason: 'x' }),
  'POST /deliveries/{id}/depart': () => ({ override_reason: 'x' }),
  'POST /deliveries/{id}/stops/{stop}/deliver': () => ({ override_reason: 'x' }),
  'POST /deliveries/{id}/stops/{stop}/fail': () => ({
    reason: 'customer_unavailable',
    override_reason: 'x',
    contact_tries: [{ at: '2026-01-05T12:00:00Z', channel: 'call' }],
  }),
  'POST /deliveries/{id}/release': () => ({ reason: 'x', courier_id: ids.courier }),
  'POST /deliveries/{id}/rating': () => ({ rating: 5, comment: 'x' }),
  'POST /t/{token}/rating': () => ({ rating: 5, comment: 'x' }),
  'POST /dispatch/assign': () => ({ delivery_id: ids.delivery, courier_id: ids.courier, override_reason: 'x' }),
  'POST /vendor/orders/{order_id}/dispatch': () => ({
    location_id: newId('loc'),
    pickup: { instructions: 'Ring', window: { ready_at: '2026-01-05T12:00:00Z' } },
    drop_off: [DROP_OFF],
    custom: { note: 'x' },
  }),
  'PATCH /vendor/deliveries/{id}/ready': () => ({ ready_at: '2026-01-05T12:00:00Z' }),
  'POST /vendor/deliveries/{id}/delay': () => ({ minutes: 5, reason: 'x' }),
  'POST /webhooks': () => ({ url: 'http://127.0.0.1:9/', events: ['*'], description: 'x' }),
  'PATCH /webhooks/{id}': () => ({
    url: 'http://127.0.0.1:9/',
    events: ['*'],
    description: 'x',
    status: 'enabled',
  }),
  'POST /webhooks/{id}/rotate-secret': () => ({ overlap_hours: 1 }),
  'POST /webhooks/{id}/replay': () => ({ event_id: ids.event }),
  'POST /vendor/api-keys': () => ({ name: 'x', scopes: ['keys:read'], expires_at: '2190-01-05T12:00:00Z' }),
  'POST /vendor/api-keys/{id}/rotate': () => ({ overlap_hours: 1 }),
  'POST /staff': () => ({ email: 'bob@example.org', roles: ['support'], password: 'a long password' }),
  'PATCH /staff/{id}': () => ({ roles: ['support'] }),
  'POST /staff/{id}/reset': () => ({ password: 'a long password' }),
  'POST /staff/me/password': () => ({ current_password: 'a guess', new_password: 'a long password' }),
  'POST /auth/otp': () => ({ phone: '+4930123456' }),
  'POST /auth/token': () => ({ grant_type: 'otp', phone: '+4930123456', code: '000000' }),
};

/** Every place in a value, as the keys that lead there. */
function placesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, part]) => placesOf(part).map((rest) => [key, ...rest]))];
}

/** The value with the part at one place put instead. */
function replaced(value: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key === undefined) return part;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, part) : item));
  const object = value as Record<string, unknown>;
  return { ...object, [key]: replaced(object[key], rest, part) };
}

/** Random bodies, and sound ones with one part of them replaced: deeper than pure chance reaches. */
function bodiesFor(route: string) {
  const sound = SOUND[route]?.() ?? {};
  const nearly = fc
    .tuple(fc.constantFrom(...placesOf(sound)), anyBody)
    .map(([place, part]) => replaced(sound, place, part));
  return fc.oneof(
    { weight: 4, arbitrary: anyBody.map((body) => JSON.stringify(body) ?? 'null') },
    { weight: 8, arbitrary: nearly.map((body) => JSON.stringify(body) ?? 'null') },
    { weight: 1, arbitrary: fc.string() },
  );
}

test('[H34] the bodies that the property starts from are valid', async () => {
  expect(writing.map(({ route }) => route).toSorted()).toEqual(Object.keys(SOUND).toSorted());
  for (const { route, body } of writing) {
    expect([route, body?.safeParse(SOUND[route]?.()).error]).toEqual([route, undefined]);
  }
});

/** Values that break careless code wherever they stand. */
const NASTY = [null, true, '', '*', '\u0000', '\ud800', 'x'.repeat(600), -1, 1e308, [], [null], {}, { $gt: '' }];

/** Why this answer is not as promised; null when it is. */
function wrongAnswer(answer: Answer): string | null {
  if (answer.status >= 500) return `${answer.status} ${answer.text}`;
  return answer.status >= 400 ? wrongProblem(answer) : null;
}

const askedBy = (row: Endpoint) => {
  const { route } = row;
  const path = pathWith(row, ids);
  const token = tokens[Object.keys(POLICY[route]).find((kind) => tokens[kind] !== undefined) ?? ''];
  return async (raw: string) => ({ raw, wrong: wrongAnswer(await call(house, path, { token, raw })) });
};

describe.each(writing.map((row) => [row.route, row] as const))('%s', (route, row) => {
  test('[H34] no change to a part of a body leads to an internal error or an invalid problem', async () => {
    const ask = askedBy(row);
    for (const place of placesOf(SOUND[route]?.())) {
      const bodies = NASTY.map((part) => JSON.stringify(replaced(SOUND[route]?.(), place, part)));
      const answers = await Promise.all(bodies.map(ask));
      expect(answers.filter(({ wrong }) => wrong !== null)).toEqual([]);
    }
  });

  test('[H48] no random body makes a fault or an unsound problem', async () => {
    const ask = askedBy(row);
    const property = fc.asyncProperty(bodiesFor(route), async (raw) => {
      expect(await ask(raw)).toEqual({ raw, wrong: null });
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
