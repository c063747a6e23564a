import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { openBodies, placesOf, replaced, writing } from './open-bodies.ts';
import { SOUND } from './sound-bodies.ts';

const askedBy = await openBodies('random_bodies');
// A test makes a hundred requests, most of which write: a busy disk may take a second for each.
vi.setConfig({ testTimeout: 300_000 });

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

test.each(writing.map((row) => [row.route, row] as const))(
  '[H48] no random body makes a fault or an unsound problem: %s',
  async (route, row) => {
    const ask = askedBy(row);
    const property = fc.asyncProperty(bodiesFor(route), async (raw) => {
      expect(await ask(raw)).toEqual({ raw, wrong: null });
    });
    await fc.assert(property, { numRuns: 100 });
  },
);
