import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Endpoint } from '../../../src/http/endpoint.ts';
import { POLICY } from '../../../src/http/policy.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import { addCourier, addDelivery, addStaff, addVendor, call, openHouse, type Answer } from '../house.ts';
import { pathWith, wrongProblem } from '../routes.ts';
import { ids, SOUND } from './sound-bodies.ts';

const house = await openHouse('bodies');
// A test makes hundreds of requests, most of which write: a busy disk may take a second for each.
vi.setConfig({ testTimeout: 300_000 });
const tokens: Record<string, string> = {};

beforeAll(async () => {
  const vendor = await addVendor(house);
  const courier = await addCourier(house);
  tokens['vendor'] = vendor.key;
  tokens['courier'] = courier.token;
  tokens['staff'] = await addStaff(house, 'admin');
  ids.delivery = await addDelivery(house, vendor.key);
  ids.courier = courier.id;
  ids.vendor = vendor.id;
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
    await fc.assert(property, { numRuns: 30 });
  });
});
