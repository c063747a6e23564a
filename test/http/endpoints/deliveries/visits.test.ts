import { expect, test } from 'vitest';
import { offsetBy } from '../../../../src/domain/geo/geo.ts';
import { addVendor, aCreate, call, DROP_OFF, openHouse, PICKUP } from '../../house.ts';

const house = await openHouse('visits');
const { key: token } = await addVendor(house);

const doorAt = (km: number) => ({ ...DROP_OFF, coordinates: offsetBy(PICKUP.coordinates, km * 1000, 0) });
const DOORS = [doorAt(3), doorAt(1), doorAt(2)];
const LATE = { deadline_at: new Date(house.ctx.clock.now() + 86_400_000).toISOString() };
const WINDOWED = DOORS.map((door) => ({ ...door, window: LATE }));

async function quoteFor(doors: readonly object[]): Promise<Record<string, unknown>> {
  const { body } = await call(house, 'POST /express/quotes', { token, body: { ...aCreate(), drop_off: doors } });
  return body;
}

function create(doors: readonly object[], quoteId?: unknown) {
  const quoted = quoteId === undefined ? {} : { quote_id: quoteId };
  return call(house, 'POST /express/deliveries', { token, body: aCreate({ drop_off: doors, ...quoted }) });
}

const visitsOf = (body: object): unknown[] =>
  (body as { drop_off: { visit: number }[] }).drop_off.map(({ visit }) => visit);

test('[D80] a delivery with several drop-offs costs its quoted price, and both use the short route', async () => {
  const quote = await quoteFor(DOORS);
  const made = await create(DOORS, quote['id']);
  expect(made.status).toBe(201);
  expect(visitsOf(made.body)).toEqual([3, 1, 2]);
  const unquoted = await create(DOORS);
  for (const field of ['fee', 'distance_m', 'duration_s'] as const) {
    expect([made.body[field], unquoted.body[field]]).toEqual([quote[field], quote[field]]);
  }
});

test('[D80] a quote without windows does not match drop-offs in the listed order, and vice versa', async () => {
  const [plain, windowed] = [await quoteFor(DOORS), await quoteFor(WINDOWED)];
  expect(windowed['distance_m']).toBeGreaterThan(Number(plain['distance_m']));
  const refusal = { code: 'mismatched_price_quote', reason: 'windows' };
  expect((await create(WINDOWED, plain['id'])).body).toMatchObject(refusal);
  expect((await create(DOORS, windowed['id'])).body).toMatchObject(refusal);
  const made = await create(WINDOWED, windowed['id']);
  expect(visitsOf(made.body)).toEqual([1, 2, 3]);
  expect(made.body['distance_m']).toBe(windowed['distance_m']);
});

test('[D80] one drop-off has one route, and a window without times does not count', async () => {
  const single = await quoteFor([doorAt(1)]);
  expect((await create([{ ...doorAt(1), window: LATE }], single['id'])).status).toBe(201);
  for (const window of [{}, { ready_at: null, deadline_at: null }]) {
    const made = await create(DOORS.map((door) => ({ ...door, window })));
    expect(visitsOf(made.body)).toEqual([3, 1, 2]);
    expect((made.body as { drop_off: { window: unknown }[] }).drop_off[0]?.window).toBeNull();
  }
});

test('[H80] each drop-off has its own tracking link, and the last one stands for the delivery', async () => {
  const made = await create(DOORS);
  const doors = made.body['drop_off'] as { stop: number; tracking_url: string }[];
  const urls = doors.map(({ tracking_url: url }) => url);
  expect(new Set(urls).size).toBe(3);
  // The first in the list is the one that is visited last.
  expect(made.body['tracking_url']).toBe(urls[0]);
  const id = String(made.body['id']);
  for (const route of [`GET /express/deliveries/${id}/tracking-link`, `GET /deliveries/${id}/tracking-url`]) {
    const { body } = await call(house, route, { token });
    expect(body).toMatchObject({
      url: urls[0],
      token_id: expect.stringMatching(/^trk_/),
      links: urls.map((url, index) => ({ stop: index + 1, url })),
    });
  }
  const { body: listed } = await call(house, 'GET /express/deliveries?limit=1', { token });
  expect(listed).toMatchObject({ data: [{ drop_off: urls.map((url) => ({ tracking_url: url })) }] });
  const states = await Promise.all(urls.map((url) => call(house, `GET ${new URL(url).pathname}/state`)));
  expect(states.map(({ body }) => body['stops_before'])).toEqual([2, 0, 1]);
  for (const [index, { body }] of states.entries()) {
    const { lat, lng } = DOORS[index]!.coordinates;
    expect(body['drop_off']).toMatchObject({ lat, lng });
  }
  const page = await call(house, `GET ${new URL(urls[2] ?? '').pathname}`);
  expect(page.text).toContain(`"lng":${DOORS[2]!.coordinates.lng}`);
  expect(page.text).not.toContain(`"lng":${DOORS[0]!.coordinates.lng}`);
});

test.each(['0000-01-01T00:00:00Z', '+012025-11-22T08:00:00Z', '1970-01-21T17:00:00Z', '2200-01-01T00:00:00Z'])(
  '[H81] the invalid ready time %s is refused with its field',
  async (readyAt) => {
    const pickup = { ...PICKUP, window: { ready_at: readyAt } };
    const { status, body } = await call(house, 'POST /express/deliveries', { token, body: aCreate({ pickup }) });
    const isTime = /^\d{4}-/.test(readyAt);
    expect([status, body['code']]).toEqual(isTime ? [422, 'impossible_value'] : [400, 'invalid_params']);
    expect((body['errors'] as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual([
      '/pickup/window/ready_at',
    ]);
  },
);
