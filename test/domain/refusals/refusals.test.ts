import { expect, test } from 'vitest';
import { z } from 'zod';
import { presentRefusal } from '../../../src/domain/refusals/present-refusal.ts';
import { Refusal, REFUSALS, type RefusalCode } from '../../../src/domain/refusals/refusals.ts';
import { refuseSchema } from '../../../src/domain/refusals/schema-errors.ts';

/** The refusal of a value that does not fit. */
function refusedBy(schema: z.ZodType, value: unknown): Refusal {
  const parsed = schema.safeParse(value);
  if (parsed.success) throw new Error('the value fits');
  return refuseSchema(schema, value, parsed.error.issues);
}

const sentence = (schema: z.ZodType, value: unknown): string => refusedBy(schema, value).message;

test('[H60] no refusal says only its title', () => {
  const rows: [string, { title: string; detail?: string }][] = Object.entries(REFUSALS);
  for (const [code, { title, detail }] of rows) expect([code, detail]).not.toEqual([code, title]);
  // @ts-expect-error A code whose row has no sentence is thrown with one.
  const bare = (): Refusal => new Refusal('invalid_params');
  expect(bare).not.toThrow();
});

test('[H60] a code about one field points at it', () => {
  const codes = Object.keys(REFUSALS) as RefusalCode[];
  const pointers = codes.flatMap((code) => {
    const problem = presentRefusal(new Refusal(code, { detail: 'The reason.' }), 'req_1');
    return (problem.errors ?? []).map(({ pointer, message }) => [code, pointer, message]);
  });
  expect(pointers).toContainEqual(['duplicate_delivery', '/external_id', 'The reason.']);
  expect(pointers).toContainEqual(['webhook_url_not_allowed', '/url', 'The reason.']);
});

const Place = z.strictObject({ lat: z.number().min(-90).max(90), name: z.string().min(1).max(20) });

test.each<[string, z.ZodType, unknown, string]>([
  ['a number', Place, { lat: 91, name: 'x' }, '`/lat` must be a number from -90 to 90; it is 91.'],
  ['a missing field', Place, { lat: 1 }, '`/name` must be a string of 1 to 20 characters; it is missing.'],
  [
    'a long text',
    Place,
    { lat: 1, name: 'x'.repeat(21) },
    '`/name` must be a string of 1 to 20 characters; it is a string of 21 characters.',
  ],
  ['an empty text', Place, { lat: 1, name: '' }, '`/name` must be a string of 1 to 20 characters; it is empty.'],
  [
    'an unknown field',
    Place,
    { lat: 1, name: 'x', lng: 2 },
    '`/lng` must be left out: the allowed fields are `lat`, `name`.',
  ],
  ['no object', Place, null, 'The body must be an object with `lat`, `name`; it is null.'],
  [
    'two fields',
    Place,
    {},
    '`/lat` must be a number from -90 to 90; it is missing. 1 more field is invalid; see `errors`.',
  ],
  [
    'a word',
    z.object({ a: z.enum(['car', 'bicycle']) }),
    { a: 'cat' },
    '`/a` must be one of `car`, `bicycle`; it is "cat".',
  ],
  [
    'a time',
    z.object({ at: z.iso.datetime() }),
    { at: 'noon' },
    '`/at` must be an RFC 3339 time with a zone, such as `2026-01-05T12:00:00Z`; it is "noon".',
  ],
  [
    'a date',
    z.object({ on: z.iso.date() }),
    { on: '2026-02-30' },
    '`/on` must be a date, such as `2026-01-05`; it is "2026-02-30".',
  ],
  ['a whole number', z.object({ n: z.number().int() }), { n: 1.5 }, '`/n` must be a whole number; it is 1.5.'],
  [
    'an open range',
    z.object({ n: z.number().positive().max(9) }),
    { n: 0 },
    '`/n` must be a number above 0 and at most 9; it is 0.',
  ],
  [
    'an array',
    z.object({ list: z.array(z.number()).min(1).max(3) }),
    { list: [] },
    '`/list` must be an array of 1 to 3 items; it is an array of 0 items.',
  ],
  [
    'a tuple',
    z.object({ fix: z.tuple([z.number(), z.number().max(360)]) }),
    { fix: [1, 361] },
    '`/fix/1` must be a number of at most 360; it is 361.',
  ],
  [
    'a union',
    z.object({ a: z.union([z.boolean(), z.enum(['low'])]) }),
    { a: 'odd' },
    '`/a` must be `low`, or `true` or `false`; it is "odd".',
  ],
  [
    'own words',
    z.object({ code: z.string().regex(/^\d{6}$/, 'must be six digits') }),
    { code: 'x' },
    '`/code` must be six digits; it is a string of 1 character.',
  ],
  [
    'a nested field',
    z.object({ 'a/b': z.array(Place) }),
    { 'a/b': [{ lat: true, name: 'x' }] },
    '`/a~1b/0/lat` must be a number from -90 to 90; it is true.',
  ],
])('[H61] the refusal of %s names the field, the allowed values and the given one', (_what, schema, value, message) => {
  expect(sentence(schema, value)).toBe(message);
});

test('[H61] input is repeated only where words are listed, so that no secret comes back', () => {
  const { message, told } = refusedBy(z.object({ password: z.string().max(5) }), { password: 'correct horse' });
  expect(message).not.toContain('correct horse');
  expect(JSON.stringify(told)).not.toContain('correct horse');
});

test.each([
  ['markup', '<img src=x onerror=alert(1)>', '/?img src=x onerror=alert(1)?'],
  ['a quote of its own', 'a` must be "b"\\', '/a? must be ?b??'],
  ['control characters', 'a\r\nb\u0000\u001b[31m', '/a??b??[31m'],
  ['characters that turn the text around or look alike', 'l\u202egt\u0430', '/l?gt?'],
  ['half a character', `${'x'.repeat(39)}😀`, `/${'x'.repeat(39)}?…`],
  ['a long text', 'y'.repeat(5000), `/${'y'.repeat(40)}…`],
  ['what pointers escape', 'a/b~c', '/a~1b~0c'],
])('[H61] the name of an unknown field with %s is repeated in 40 plain characters', (_what, name, pointer) => {
  const { message, told } = refusedBy(z.strictObject({}), { [name]: 1 });
  expect(told.errors).toEqual([{ pointer, code: 'unknown_field', message }]);
  expect(message).toBe(`\`${pointer}\` must be left out: no fields are allowed here.`);
});

test('[H61] a word and a time are repeated in 40 plain characters', () => {
  const given = `<b>${'x'.repeat(50)}`;
  const shown = `it is "?b?${'x'.repeat(37)}…".`;
  expect(sentence(z.object({ a: z.enum(['car']) }), { a: given })).toContain(shown);
  expect(sentence(z.object({ at: z.iso.datetime() }), { at: given })).toContain(shown);
});

test('[H94] the path that a problem answers is repeated in 128 plain characters', () => {
  const instance = (path: string) => presentRefusal(new Refusal('delivery_not_found'), 'req_1', path).instance;
  expect(instance('/deliveries/del_1/tracking-link')).toBe('/deliveries/del_1/tracking-link');
  expect(instance('/a"<b>\u202e%20')).toBe('/a??b??%20');
  expect(instance(`/${'x'.repeat(9000)}`)).toBe(`/${'x'.repeat(127)}…`);
});

test('[H61] an answer names 20 wrong fields at most', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]));
  expect(refusedBy(z.strictObject({}), many).told.errors).toHaveLength(20);
  expect(refusedBy(z.array(z.string()), Array(5000).fill(1)).told.errors).toHaveLength(20);
});
