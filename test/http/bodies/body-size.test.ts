import { beforeAll, expect, test } from 'vitest';
import { addCourier, addVendor, call, DROP_OFF, openHouse, PICKUP } from '../house.ts';
import { wrongProblem } from '../routes.ts';

const house = await openHouse('body_size');
let token = '';

beforeAll(async () => {
  ({ key: token } = await addVendor(house));
});

test.each(['POST /auth/otp', 'POST /auth/token', 'POST /auth/logout'])(
  '[H67] %s accepts 4 KB and reads no more of a larger body',
  async (route) => {
    const courier = await addCourier(house);
    const credentials = route.endsWith('logout') ? { token: courier.token } : {};
    const large = await call(house, route, { ...credentials, raw: `{"phone":"${'1'.repeat(4096)}"}` });
    expect([large.status, large.body['code']]).toEqual([413, 'payload_too_large']);
    expect(large.body['detail']).toBe('The body must have at most 4096 bytes.');
    expect(wrongProblem(large)).toBeNull();
    const fits = await call(house, route, { ...credentials, raw: `{"phone":"${'1'.repeat(4000)}"}` });
    expect(fits.status).toBe(400);
  },
);

const inDays = (days: number): string => new Date(house.ctx.clock.now() + days * 86_400_000).toISOString();
test('[H67] the refusal of a large body from an unauthenticated caller is delayed, and the connection ends', async () => {
  const raw = `{"phone":"${'1'.repeat(4096)}"}`;
  const startedAt = performance.now();
  const held = await call(house, 'POST /auth/otp', { raw });
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  expect([held.status, held.headers.get('connection')]).toEqual([413, 'close']);
  const known = await create(`{"custom":"${'1'.repeat(262_144)}"}`);
  expect([known.status, known.headers.get('connection')]).not.toContain('close');
});

const create = (raw: string): ReturnType<typeof call> => call(house, 'POST /deliveries', { token, raw });

test('[H67] unknown fields are refused before any other check of a body', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`k${index}`, index]));
  const answer = await create(JSON.stringify({ pickup: 1, ...unknown }));
  expect(answer.body).toMatchObject({ status: 400, code: 'unknown_field' });
  expect(answer.body['errors']).toHaveLength(20);
  expect(JSON.stringify(answer.body['errors'])).not.toContain('pickup":');
  expect(wrongProblem(answer)).toBeNull();
});

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each([
  [
    'wide',
    `{"custom":${JSON.stringify(Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`k${index}`, 1])))}}`,
  ],
  ['long', `{"drop_off":${JSON.stringify(Array(100_000).fill(1))}}`],
  ['deep', `{"drop_off":${nested(100_000)}}`],
])('[H67] a %s body is refused before it is parsed', async (_what, raw) => {
  const answer = await create(raw);
  expect(answer.body).toMatchObject({ status: 413, code: 'payload_too_large' });
  expect(answer.body['detail']).toMatch(
    /^The body must (have at most 5000 values|be nested at most 20 levels deep)\.$/,
  );
  expect(wrongProblem(answer)).toBeNull();
});

test('[H67] the largest useful body of a route is accepted', async () => {
  const text = (length: number): string => 'x'.repeat(length);
  const stop = {
    ...DROP_OFF,
    address: {
      street: text(120),
      street2: text(120),
      city: text(80),
      state: text(80),
      postal_code: text(16),
      country: 'DE',
    },
    instructions: text(280),
    window: { ready_at: inDays(1), deadline_at: inDays(2) },
    contact: { ...DROP_OFF.contact, email: 'ada@example.org' },
  };
  const custom = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${text(36)}${index + 100}`, text(500)]));
  const drops = Array.from({ length: 10 }, (_, index) => ({ ...stop, external_id: `stop-${index}` }));
  const answer = await create(JSON.stringify({ pickup: PICKUP, drop_off: drops, custom, metadata: { weight: 1 } }));
  expect([answer.status, answer.text]).toEqual([201, answer.text]);
});
