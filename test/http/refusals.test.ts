import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { aCreate, addDelivery, addVendor, call, DROP_OFF, openHouse, PICKUP, type Answer } from './house.ts';
import { wrongProblem } from './routes.ts';

const house = await openHouse('refusals');
let token = '';

beforeAll(async () => {
  ({ key: token } = await addVendor(house));
});

const create = (over: Record<string, unknown>): Promise<Answer> =>
  call(house, 'POST /deliveries', { token, body: aCreate(over) });

const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const pickup = (window: object): object => ({ ...PICKUP, window });
const dropOff = (window: object): object => ({ ...DROP_OFF, window });
const SOUND = { ready_at: at(60), deadline_at: at(80) };

test.each<[string, Record<string, unknown>, string, string]>([
  ['no window', {}, 'impossible_value', '/pickup/window'],
  [
    'a window without its begin',
    { pickup: pickup({ deadline_at: at(90) }) },
    'impossible_value',
    '/pickup/window/ready_at',
  ],
  [
    'a narrow window',
    { pickup: pickup({ ...SOUND, deadline_at: at(65) }) },
    'pickup_window_too_small',
    '/pickup/window/deadline_at',
  ],
  [
    'a window that has passed',
    { pickup: pickup({ ready_at: at(-60), deadline_at: at(-30) }) },
    'pickup_deadline_too_early',
    '/pickup/window/deadline_at',
  ],
  [
    'a window far ahead',
    { pickup: pickup({ ready_at: at(31 * 1440) }) },
    'pickup_ready_too_late',
    '/pickup/window/ready_at',
  ],
  [
    'a second drop-off that ends early',
    { pickup: pickup(SOUND), drop_off: [DROP_OFF, dropOff({ deadline_at: at(70) })] },
    'drop_off_deadline_before_pickup_deadline',
    '/drop_off/1/window/deadline_at',
  ],
  [
    'a drop-off that begins late',
    { pickup: pickup(SOUND), drop_off: [dropOff({ ready_at: at(90) })] },
    'drop_off_ready_after_pickup_deadline',
    '/drop_off/0/window/ready_at',
  ],
  [
    'a narrow drop-off',
    { pickup: pickup(SOUND), drop_off: [dropOff({ ready_at: at(79), deadline_at: at(90) })] },
    'drop_off_window_too_small',
    '/drop_off/0/window/deadline_at',
  ],
])(
  '[H62] a scheduled delivery with %s is refused at the field, with the limit and the time',
  async (_what, over, code, pointer) => {
    const answer = await create({ priority: 'scheduled', ...over });
    expect(answer.body).toMatchObject({ code, errors: [{ pointer, message: answer.body['detail'] }] });
    expect(answer.body['detail']).toMatch(
      code === 'impossible_value' ? /`priority` is `scheduled`/ : /\d{4}-\d\d-\d\dT/,
    );
    expect(wrongProblem(answer)).toBeNull();
  },
);

test('[H62] a way that is too long is refused with its length and the limit', async () => {
  const far = { ...DROP_OFF, coordinates: { lat: 53.5, lng: 10 } };
  for (const route of ['POST /deliveries', 'POST /express/quotes']) {
    const { body } = await call(house, route, { token, body: aCreate({ drop_off: [far] }) });
    expect(body).toMatchObject({ code: 'invalid_delivery_parameters', reason: 'distance_too_long' });
    expect(body).toMatchObject({ errors: [{ pointer: '/drop_off' }], metadata: { max_distance_m: 40_000 } });
    expect(body['detail']).toMatch(/ is about \d{3}\.\d km long, and the limit is 40\.0 km\.$/);
  }
});

test('[H60] a refusal that concerns one field of the body points at it', async () => {
  const first = await create({ external_id: 'order-1' });
  expect(first.status).toBe(201);
  const cases: readonly (readonly [Record<string, unknown>, string, string])[] = [
    [{ external_id: 'order-1', metadata: { weight: 2 } }, 'duplicate_delivery', '/external_id'],
    [{ quote_id: newId('qte') }, 'quote_not_found', '/quote_id'],
    [{ vendor_id: newId('ven') }, 'vendor_not_found', '/vendor_id'],
    [{ pickup: { location_id: newId('loc') } }, 'location_not_found', '/pickup/location_id'],
    [{ channel: 'chat' }, 'forbidden', '/channel'],
    [{ live_mode: true }, 'forbidden', '/live_mode'],
    [{ order_value_collected_by: 'service' }, 'forbidden', '/order_value_collected_by'],
    [{ search_until: at(-1) }, 'impossible_value', '/search_until'],
  ];
  for (const [over, code, pointer] of cases) {
    const answer = await create(over);
    expect(answer.body).toMatchObject({ code, errors: [{ pointer }] });
    expect(wrongProblem(answer)).toBeNull();
  }
});

test('[H60] the refusal of a change names the state, the version or the stop', async () => {
  const id = await addDelivery(house, token);
  const change = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    call(house, `PATCH /deliveries/${id}`, { token, body, headers });
  const stop = await change({ drop_off: [{ instructions: 'Ring' }, { stop: 7, instructions: 'Ring' }] });
  expect(stop.body).toMatchObject({ code: 'impossible_value', errors: [{ pointer: '/drop_off/1/stop' }] });
  expect(stop.body['detail']).toContain('1 to 1; it is 7');
  const stale = await change({ pickup: { instructions: 'Ring' } }, { 'if-match': '"9"' });
  expect(stale.body['detail']).toBe('`If-Match` names version 9, and the object is at version 1. Read it again.');
  await call(house, `POST /deliveries/${id}/cancel`, { token });
  const ended = await change({ pickup: { instructions: 'Ring' } });
  expect(ended.body['detail']).toContain('`canceled`');
  const refused = await call(house, 'POST /dispatch/assign', { token, body: {} });
  expect(refused.body['detail']).toContain('`staff` or `internal` may do this. This caller is of the kind `vendor`');
  for (const answer of [stop, stale, ended, refused]) expect(wrongProblem(answer)).toBeNull();
});
