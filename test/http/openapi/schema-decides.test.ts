import { fc, test as property } from '@fast-check/vitest';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { proseOf, textOf } from '../../../src/domain/text.ts';
import { aCreate, addVendor, call, DROP_OFF, openHouse, PICKUP } from '../house.ts';

const house = await openHouse('schema-decides');
let token = '';

beforeAll(async () => {
  ({ key: token } = await addVendor(house));
});

const { coordinates: _coordinates, ...placeless } = PICKUP;
type Over = Record<string, unknown>;
const at = (place: object): Over => ({ drop_off: { ...DROP_OFF, coordinates: place } });
const phone = (number: string): Over => ({ drop_off: { ...DROP_OFF, contact: { name: 'Robin', phone: number } } });
const pin = (given: object): Over => ({ drop_off: { ...DROP_OFF, verification: { pin: given } } });
const window = (given: object): Over => ({ pickup: { ...PICKUP, window: given } });

test.each<[string, number, Over]>([
  ['a place outside its range', 400, at({ lat: 91, lng: 0 })],
  ['the place 0/0', 422, at({ lat: 0, lng: 0 })],
  ['a phone number of letters', 400, phone('call me')],
  ['a phone number that no country has', 422, phone('+999123')],
  ['a pickup without a place', 422, { pickup: placeless }],
  ['a PIN of the vendor without its value', 422, pin({ type: 'merchant_provided' })],
  ['a time that is not one', 400, window({ ready_at: 'soon' })],
  ['a time in the year 1970', 422, window({ ready_at: '1970-01-21T17:00:00Z' })],
  [
    'a deadline before its start',
    422,
    window({ ready_at: '2026-01-02T00:00:00Z', deadline_at: '2026-01-01T00:00:00Z' }),
  ],
  ['both', 400, { ...at({ lat: 0, lng: 0 }), priority: 'soon' }],
])('[H320] %s is answered %i', async (_what, status, over) => {
  const answer = await call(house, 'POST /express/deliveries', { token, body: aCreate(over) });
  const code = status === 400 ? 'invalid_params' : 'impossible_value';
  expect([answer.status, answer.body['code']]).toEqual([status, code]);
});

const Text = textOf(4);
const Prose = proseOf(4);

/** Whether a schema of the document allows this text. */
function fits(text: string, schema: z.ZodType): boolean {
  const { minLength = 0, maxLength = Infinity, pattern = '' } = z.toJSONSchema(schema, { io: 'input' });
  const { length } = Array.from(text);
  return length >= minLength && length <= maxLength && new RegExp(pattern, 'u').test(text);
}

const texts = fc.string({
  unit: fc.constantFrom('a', ' ', '\u00a0', '\n', '\t', '😀', '\u0085', '\0', '\ufeff', 'é'),
  maxLength: 7,
});

property.prop({ text: texts })(
  '[H321] a text is accepted if and only if its schema in the document allows it',
  ({ text }) => {
    expect(Text.safeParse(text).success).toBe(fits(text, Text));
    expect(Prose.safeParse(text).success).toBe(fits(text, Prose));
  },
);

test('[H322] a path without parameters is not read as one with a parameter', async () => {
  for (const route of ['GET /couriers/onboard', 'DELETE /couriers/onboard'] as const) {
    const answer = await call(house, route, { token });
    expect([route, answer.status, answer.headers.get('allow')]).toEqual([route, 405, 'POST']);
  }
});
