import { beforeAll, expect, test } from 'vitest';
import { addDelivery, addStaff, addVendor, call, openHouse, PICKUP } from '../../house.ts';
import { replyOf, wrongProblem } from '../../routes.ts';

const house = await openHouse('readiness');
let vendor: Awaited<ReturnType<typeof addVendor>>;
let staff: string;

beforeAll(async () => {
  vendor = await addVendor(house);
  staff = await addStaff(house, 'support');
});

const ask = (route: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(house, route, { token: vendor.key, body, headers });

/** A delivery whose goods are ready in half an hour. */
const order = () => {
  const readyAt = new Date(house.ctx.clock.now() + 30 * 60_000).toISOString();
  return addDelivery(house, vendor.key, { pickup: { ...PICKUP, window: { ready_at: readyAt } } });
};

test('[H51] goods are called ready without a body, once', async () => {
  const id = await order();
  const route = `PATCH /vendor/deliveries/${id}/ready`;
  const first = await ask(route);
  expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"']);
  expect(replyOf('PATCH /vendor/deliveries/{id}/ready')?.safeParse(first.body).error).toBeUndefined();
  const { timestamps, pickup } = first.body as { timestamps: Record<string, string>; pickup: { window: object } };
  expect(pickup.window).toEqual({ ready_at: timestamps['ready_at'], deadline_at: null });
  expect((await ask(route, {})).body).toMatchObject({ version: 2 });
  const history = await ask(`GET /deliveries/${id}/history`);
  expect(history.body.data?.map(({ type, data }) => [type, (data as { ready_at?: string }).ready_at])).toEqual([
    ['delivery.created', undefined],
    ['delivery.ready', timestamps['ready_at']],
  ]);
});

test('[H51] goods are reported ready with a time, and only for the version that was read', async () => {
  const id = await order();
  const route = `PATCH /vendor/deliveries/${id}/ready`;
  const stale = await ask(route, {}, { 'if-match': '"7"' });
  expect([stale.status, stale.body['code']]).toEqual([412, 'stale_version']);
  const soon = await ask(route, { ready_at: new Date(house.ctx.clock.now() + 600_000).toISOString() });
  expect(soon.body).toMatchObject({ code: 'impossible_value', errors: [{ pointer: '/ready_at' }] });
  const since = house.ctx.clock.now();
  const ready = await ask(route, { ready_at: new Date(since).toISOString() }, { 'if-match': '"1"' });
  expect(ready.body).toMatchObject({ version: 2, timestamps: { ready_at: new Date(since).toISOString() } });
});

test('[H51] a delay without a body is ten minutes', async () => {
  const id = await order();
  const { pickup } = await house.ctx.deliveries.get(id);
  const delayed = await ask(`POST /vendor/deliveries/${id}/delay`);
  const readyAt = new Date((pickup.window?.readyAt ?? 0) + 600_000).toISOString();
  expect(delayed.body).toMatchObject({ version: 2, pickup: { window: { ready_at: readyAt } } });
});

test('[H51] a delay takes minutes or a time, not both', async () => {
  const id = await order();
  const route = `POST /vendor/deliveries/${id}/delay`;
  const to = new Date(house.ctx.clock.now() + 40 * 60_000).toISOString();
  for (const body of [{ minutes: 5, ready_at: to }, { minutes: 0 }, { minutes: 61 }, { minutes: 1.5 }]) {
    const refused = await ask(route, body);
    const status = 'ready_at' in body ? 422 : 400;
    expect([body, refused.status, wrongProblem(refused)]).toEqual([body, status, null]);
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/minutes' }] });
  }
  const until = await ask(route, { ready_at: to, reason: 'the oven is cold' });
  expect(until.body).toMatchObject({ version: 2, pickup: { window: { ready_at: to } } });
  expect(replyOf('POST /vendor/deliveries/{id}/delay')?.safeParse(until.body).error).toBeUndefined();
  const by = await call(house, route, { token: staff, body: { minutes: 10 } });
  expect(by.body).toMatchObject({ version: 3 });
  const often = await ask(route, { minutes: 1 });
  expect(often.body).toMatchObject({ status: 409, code: 'update_not_allowed', reason: 'delayed_too_often' });
  expect(house.rung.filter((region) => region === house.rung.at(-1)).length).toBeGreaterThan(1);
});
