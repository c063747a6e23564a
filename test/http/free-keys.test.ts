import { beforeAll, expect, test } from 'vitest';
import { addVendor, call, DROP_OFF, openHouse, PICKUP, type Answer } from './house.ts';
import { wrongProblem } from './routes.ts';

const house = await openHouse('free_keys');
let token = '';

beforeAll(async () => {
  ({ key: token } = await addVendor(house));
});

/** Names that mean something to the language, to JSON, to promises or to the database. */
const NAMES = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'toJSON',
  'toBSON',
  '_bsontype',
  'then',
  'length',
  'name',
  '_id',
  'a.b',
  '.',
  '..',
  '-',
  '0',
  '$set',
];

/** Written as text, since an assignment to `__proto__` makes no key. */
function create(name: string, value: string): Promise<Answer> {
  const raw = `{"pickup":${JSON.stringify(PICKUP)},"drop_off":${JSON.stringify(DROP_OFF)},"custom":{${JSON.stringify(name)}:${JSON.stringify(value)}}}`;
  return call(house, 'POST /deliveries', { token, raw });
}

test.each(NAMES)('[H64] the custom key %s is returned everywhere, or refused with its pointer', async (name) => {
  // Some names mean something only with a value that some library looks for.
  for (const value of ['x', 'ObjectId']) {
    const made = await create(name, value);
    if (made.status !== 201) {
      expect([name, made.status]).toEqual([name, name === '$set' ? 400 : 422]);
      expect(made.body).toMatchObject({ errors: [{ pointer: `/custom/${name}` }] });
      expect(wrongProblem(made)).toBeNull();
      continue;
    }
    expect([name, made.status, made.text]).toEqual([name, 201, made.text]);
    const path = `/deliveries/${String(made.body['id'])}`;
    const read = await call(house, `GET ${path}`, { token });
    const history = await call(house, `GET ${path}/history`, { token });
    for (const { text } of [made, read, history])
      expect(text).toContain(`"custom":{${JSON.stringify(name)}:"${value}"}`);
  }
});

test('[H64] names with a meaning in JavaScript or in the database are refused, and all others are accepted', async () => {
  const refused = await Promise.all(NAMES.map(async (name) => ((await create(name, 'y')).status >= 400 ? [name] : [])));
  expect(refused.flat().toSorted()).toEqual(['$set', '__proto__', '_bsontype']);
});

test('[H497] a refusal of too many custom keys says how many there are', async () => {
  const custom = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`key_${at}`, at]));
  const { status, body } = await call(house, 'POST /deliveries', {
    token,
    body: { pickup: PICKUP, drop_off: DROP_OFF, custom },
  });
  expect([status, body['errors']]).toMatchObject([
    400,
    [{ pointer: '/custom', message: expect.stringContaining('must have at most 50 keys; it has 51') }],
  ]);
});

test('[H515] the refusal of a custom key is about its name and does not repeat its value', async () => {
  const messageOf = async (name: string) => {
    const { body } = await create(name, 'secret');
    return (body['errors'] as { message: string }[]).map(({ message }) => message);
  };
  const rule = 'must have a name of 1 to 40 characters, only letters, digits and _ . -; it has';
  expect(await messageOf('bad key')).toEqual([`\`/custom/bad key\` ${rule} 7 characters.`]);
  expect(await messageOf('k'.repeat(41))).toEqual([`\`/custom/${'k'.repeat(40)}…\` ${rule} 41 characters.`]);
  const reserved = '`/custom/_bsontype` must have another name than this one; it is reserved.';
  expect(await messageOf('_bsontype')).toEqual([reserved]);
});

test('[H516] a number of custom that JavaScript cannot hold is refused, and the largest comes back as it was sent', async () => {
  const send = (number: string) => {
    const raw = `{"pickup":${JSON.stringify(PICKUP)},"drop_off":${JSON.stringify(DROP_OFF)},"custom":{"n":${number}}}`;
    return call(house, 'POST /deliveries', { token, raw });
  };
  for (const number of ['9007199254740991', '-9007199254740991', '0.1', '-1.5e3'])
    expect((await send(number)).body['custom']).toEqual({ n: Number(number) });
  for (const number of ['9007199254740993', '-12345678901234567890', '1e999']) {
    const { status, body } = await send(number);
    expect([number, status, body['errors']]).toMatchObject([number, 400, [{ pointer: '/custom/n' }]]);
  }
  expect((await send('9007199254740993')).body['detail']).toContain('send a string instead');
});
