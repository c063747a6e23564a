import { expect, test } from 'vitest';
import { aCreate, addVendor, call, DROP_OFF, openHouse } from '../house.ts';
import { wrongProblem } from '../routes.ts';

const house = await openHouse('body-faults');
const vendor = await addVendor(house);
const create = (raw: string) => call(house, 'POST /deliveries', { token: vendor.key, raw });

test('[H545] a body that is not JSON says where it breaks off and why', async () => {
  for (const [raw, where] of [
    ['{"pickup":', 'Line 1, column 11: value expected.'],
    ['{"a":1,}', 'Line 1, column 8: property name expected.'],
    ['{\n  "a": .5\n}', 'Line 2, column 8: invalid symbol.'],
    ['{"a":1} // b', 'Line 1, column 9: invalid comment token.'],
    ['{"a":1 "a":2}', 'Line 1, column 8: comma expected.'],
  ] as const) {
    const { status, body } = await create(raw);
    expect([status, body['code'], body['detail']]).toEqual([
      400,
      'malformed_body',
      `The body must be valid JSON. ${where}`,
    ]);
  }
});

test('[H546] a name that an object of the body has twice is refused and pointed at', async () => {
  const sound = JSON.stringify(aCreate());
  for (const [raw, pointer] of [
    [`${sound.slice(0, -1)},"priority":"express","priority":"express"}`, '/priority'],
    [sound.replace('"lat":', '"lat":1,"l\\u0061t":'), '/pickup/coordinates/lat'],
    [`{"drop_off":[{},{"a/b":1,"a/b":1}]}`, '/drop_off/1/a~1b'],
    ['{"__proto__":1,"__proto__":1}', '/__proto__'],
  ] as const) {
    const answer = await create(raw);
    const message = `\`${pointer}\` must be given once; the body has it more than once.`;
    expect(answer.body).toMatchObject({ status: 400, code: 'invalid_params', detail: message });
    expect(answer.body['errors']).toEqual([{ pointer, code: 'repeated_field', message }]);
    expect(wrongProblem(answer)).toBeNull();
  }
  expect((await create(sound)).status).toBe(201);
});

test('[H549] a name is found twice in whatever the parser takes for JSON, also after a byte order mark', async () => {
  const repeated = `${JSON.stringify(aCreate()).slice(0, -1)},"priority":"express","priority":"express"}`;
  const { body } = await create(`\uFEFF${repeated}`);
  expect(body).toMatchObject({ code: 'invalid_params', errors: [{ pointer: '/priority', code: 'repeated_field' }] });
  expect((await create(`\uFEFF${JSON.stringify(aCreate())}`)).status).toBe(201);
});

test('[H547] a currency or country in the wrong letters is named beside the rule', async () => {
  const fund = await call(house, 'POST /wallets/fund', { token: vendor.key, body: { amount: 100, currency: 'eur' } });
  expect(fund.body['detail']).toBe(
    '`/currency` must be three upper-case letters of ISO 4217, such as EUR; it is "eur".',
  );
  const address = { street: 'A 1', city: 'B', country: 'de' };
  const body = aCreate({ drop_off: [{ ...DROP_OFF, address }] });
  expect((await call(house, 'POST /deliveries', { token: vendor.key, body })).body['detail']).toBe(
    '`/drop_off/0/address/country` must be two upper-case letters of ISO 3166-1, such as DE; it is "de".',
  );
});

test('[H548] places that fit only with lat and lng swapped are refused with that hint', async () => {
  const detailOf = async (coordinates: object) =>
    (
      await call(house, 'POST /deliveries', {
        token: vendor.key,
        body: aCreate({ drop_off: [{ ...DROP_OFF, coordinates }] }),
      })
    ).body['detail'];
  const lat = (rule: string) => `\`/drop_off/0/coordinates/lat\` must be ${rule}.`;
  for (const far of [103.8, -122.4]) {
    const hint = `a number from -90 to 90, and \`lat\` and \`lng\` may be swapped; it is ${far}`;
    expect(await detailOf({ lat: far, lng: 1.3 })).toBe(lat(hint));
    const none = `a number from -90 to 90; it is ${2 * far}`;
    expect(await detailOf({ lat: 2 * far, lng: 1.3 })).toBe(lat(none));
  }
  const { lat: lng, lng: swapped } = DROP_OFF.coordinates;
  expect(await detailOf({ lat: swapped, lng })).toMatch(
    / km\. It would fit if `lat` and `lng` of one place were swapped\.$/,
  );
  expect(await detailOf({ lat: -33.9, lng: 18.4 })).toMatch(/ is [\d.]+ km\.$/);
});
