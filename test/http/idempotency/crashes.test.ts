import { setImmediate as turn } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { beforeAll, expect, test } from 'vitest';
import type { HttpContext } from '../../../src/http/http-context.ts';
import { busyWhenAway } from '../../../src/engines/away.ts';
import { newId } from '../../../src/domain/ids.ts';
import { createRequestStore } from '../../../src/models/request-store.ts';
import { REQUESTS } from '../../../src/models/request-shape.ts';
import { until } from '../../until.ts';
import { aCreate, addDelivery, addServer, addStaff, addVendor, call, openHouse, type Answer } from '../house.ts';
import { crashAfterEffect } from './crash-after-effect.ts';

const house = await openHouse('idempotency_crashes');
const rows = house.mongo.collection(REQUESTS);
let vendor: Awaited<ReturnType<typeof addVendor>>;
let staff: string;

beforeAll(async () => {
  vendor = await addVendor(house);
  staff = await addStaff(house, 'support');
});

type Options = { key: string; body?: unknown; token?: string; on?: { readonly url: string } };
const send = (route: string, { key, body, token = vendor.key, on = house }: Options) =>
  call(on, route, { token, body, headers: { 'idempotency-key': key } });

/** Another process takes over, although the first one has not finished. */
const lapse = () => rows.updateMany({ answer: null }, { $set: { leasedUntil: 0 } });

/** The stored facts of an answer. Expected times of arrival differ in each answer. */
const factsOf = ({ body: { id, version, created_at, updated_at, secret, expires_at } }: Answer) =>
  JSON.stringify([id, version, created_at, updated_at, secret, expires_at]);

/** A server whose commits wait until `go` is called, after it has decided. */
async function slowServer() {
  let go = (): void => undefined;
  let isWaiting = false;
  const gate = new Promise<void>((resolve) => (go = resolve));
  const commit: HttpContext['commit'] = async (change) => {
    isWaiting = true;
    await gate;
    return house.ctx.commit(change);
  };
  return { ...(await addServer(house, { commit })), go: () => go(), isWaiting: () => isWaiting };
}

/** A server that waits for nothing: its machine time passes as soon as it sleeps. */
async function hastyServer() {
  const { clock } = house.ctx;
  let sleptMs = 0;
  const sleep = async (ms: number): Promise<void> => {
    sleptMs += ms;
    await turn();
  };
  const real = { ...clock.real, elapsed: () => sleptMs, sleep };
  return { ...(await addServer(house, { clock: { ...clock, real } })), sleptMs: () => sleptMs };
}

test('[H114] if the server crashes between an effect and its answer, a retry makes no second effect', async () => {
  const id = await addDelivery(house, vendor.key);
  const asks: [string, unknown, string][] = [
    ['POST /deliveries', aCreate(), vendor.key],
    ['POST /express/quotes', aCreate(), vendor.key],
    ['POST /couriers/onboard', { name: 'Ada Obi', phone: '+4915199000002', vehicle_type: 'scooter' }, staff],
    ['POST /webhooks', { url: 'https://93.184.216.34/hook', events: ['*'] }, vendor.key],
    [`PATCH /deliveries/${id}`, { pickup: { instructions: 'Ring twice' } }, vendor.key],
    [`POST /vendor/deliveries/${id}/delay`, { minutes: 5 }, vendor.key],
    [`POST /deliveries/${id}/cancel`, { reason: 'store_closed' }, vendor.key],
  ];
  for (const [route, body, token] of asks) {
    const options = { key: newId('req'), body, token };
    const first = await send(route, options);
    await crashAfterEffect(house);
    const second = await send(route, options);
    expect([route, second.status, factsOf(second)]).toEqual([route, first.status, factsOf(first)]);
  }
});

test('[H114] a retry after a crash finds its effect, although the object has changed since', async () => {
  const quote = await call(house, 'POST /express/quotes', { token: vendor.key, body: aCreate() });
  const create = { key: newId('req'), body: aCreate({ quote_id: quote.body['id'] }) };
  const made = await send('POST /deliveries', create);
  const id = String(made.body['id']);
  const delay = { key: newId('req'), body: { minutes: 5 } };
  await send(`POST /vendor/deliveries/${id}/delay`, delay);
  await call(house, `POST /vendor/deliveries/${id}/delay`, { token: vendor.key, body: { minutes: 7 } });
  await call(house, `POST /deliveries/${id}/cancel`, { token: vendor.key });
  await crashAfterEffect(house);
  const again = await send('POST /deliveries', create);
  expect([again.status, again.body['id'], again.body['status']]).toEqual([201, id, 'canceled']);
  const delayed = await send(`POST /vendor/deliveries/${id}/delay`, delay);
  expect([delayed.status, delayed.body['version']]).toEqual([200, 4]);
  expect((await house.ctx.deliveries.get(made.body['id'] as `del_${string}`)).preparation.delays).toBe(2);
});

test('[H118] each try keeps the row of its request for as long as the first one did', async () => {
  const create = { key: newId('req'), body: aCreate() };
  await send('POST /deliveries', create);
  await crashAfterEffect(house);
  const soon = new Date(house.ctx.clock.real.now() + 60_000);
  await rows.updateMany({}, { $set: { endsOn: soon } });
  expect((await send('POST /deliveries', create)).status).toBe(201);
  const moved = await rows.find({ endsOn: { $gt: soon } }).toArray();
  expect(moved).toHaveLength(1);
  const keptMs = (moved[0]?.endsOn.getTime() ?? 0) - house.ctx.clock.real.now();
  expect(Math.round(keptMs / 3_600_000)).toBe(72);
});

test('[H478] a request whose row vanishes while it runs changes nothing, and a retry makes the change', async () => {
  const id = await addDelivery(house, vendor.key);
  const slow = await slowServer();
  const delay = { key: newId('req'), body: { minutes: 5 } };
  const first = send(`POST /vendor/deliveries/${id}/delay`, { ...delay, on: slow });
  await until(slow.isWaiting);
  await rows.deleteMany({ answer: null });
  slow.go();
  expect([(await first).status, (await first).body['code']]).toEqual([503, 'busy']);
  expect((await house.ctx.deliveries.get(id)).preparation.delays).toBe(0);
  expect((await send(`POST /vendor/deliveries/${id}/delay`, delay)).status).toBe(200);
  expect((await house.ctx.deliveries.get(id)).preparation.delays).toBe(1);
});

test('[H426] after a change of the server’s key, a retry has the same effect, but shows no other secret', async () => {
  const create = { key: newId('req'), body: aCreate() };
  const first = await send('POST /deliveries', create);
  const asked = { key: newId('req'), body: { name: 'Till' } };
  await send('POST /vendor/api-keys', asked);
  const other = createRequestStore(house.mongo, Buffer.alloc(32, 9), house.ctx.clock, house.ctx.settings);
  const on = await addServer(house, { requests: other });
  const again = await send('POST /deliveries', { ...create, on });
  expect([again.status, factsOf(again)]).toEqual([201, factsOf(first)]);
  const replayed = await send('POST /deliveries', { ...create, on });
  expect([replayed.headers.get('idempotent-replayed'), replayed.body['id']]).toEqual(['true', first.body['id']]);
  expect((await send('GET /vendor/api-keys', { key: 'x' })).body.data).toHaveLength(2);
  for (const crash of [async () => undefined, () => crashAfterEffect(house)]) {
    await crash();
    const lost = await send('POST /vendor/api-keys', { ...asked, on });
    expect([lost.status, lost.body['code'], lost.body['key']]).toEqual([409, 'idempotency_secret_lost', undefined]);
  }
  expect((await send('GET /vendor/api-keys', { key: 'x' })).body.data).toHaveLength(2);
  const fresh = { key: newId('req'), body: { name: 'Till 2' } };
  expect((await send('POST /vendor/api-keys', { ...fresh, on })).status).toBe(201);
});

test('[H115] if the server crashes before the effect, a retry makes it', async () => {
  const key = newId('req');
  const broken = await addServer(house, {
    commit: async () => {
      throw new Error('the process is gone');
    },
  });
  expect((await send('POST /deliveries', { key, body: aCreate(), on: broken })).status).toBe(500);
  const made = await send('POST /deliveries', { key, body: aCreate() });
  expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('[H116] a request waits 5 s for an equal one that runs, and is then refused', async () => {
  const key = newId('req');
  const slow = await slowServer();
  const first = send('POST /deliveries', { key, body: aCreate(), on: slow });
  await until(slow.isWaiting);
  const hasty = await hastyServer();
  const refused = await send('POST /deliveries', { key, body: aCreate(), on: hasty });
  expect([refused.status, refused.body['code'], refused.body['retryable']]).toEqual([
    409,
    'idempotency_in_progress',
    true,
  ]);
  expect(hasty.sleptMs()).toBe(5000);
  const waiting = send('POST /deliveries', { key, body: aCreate() });
  slow.go();
  expect((await waiting).text).toBe((await first).text);
});

test('[H120] if a slow process loses its turn, both processes return the same answer for one effect', async () => {
  const id = await addDelivery(house, vendor.key);
  for (const route of ['POST /deliveries', `POST /vendor/deliveries/${id}/delay`]) {
    const slow = await slowServer();
    const options = { key: newId('req'), body: route.endsWith('delay') ? { minutes: 5 } : aCreate() };
    const late = send(route, { ...options, on: slow });
    await until(slow.isWaiting);
    await lapse();
    const second = await send(route, options);
    slow.go();
    const first = await late;
    expect([route, first.status, first.text]).toEqual([route, second.status, second.text]);
  }
  expect((await house.ctx.deliveries.get(id)).preparation.delays).toBe(1);
});

test('[H121] if the caller hangs up, the request runs to its end and its answer is stored', async () => {
  const key = newId('req');
  const countAnswers = () => rows.countDocuments({ answer: { $ne: null } });
  const slow = await slowServer();
  const hangUp = new AbortController();
  const lost = fetch(`${slow.url}/deliveries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${vendor.key}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(aCreate()),
    signal: hangUp.signal,
  });
  await until(slow.isWaiting);
  const before = await countAnswers();
  hangUp.abort();
  await expect(lost).rejects.toThrow();
  slow.go();
  await until(async () => (await countAnswers()) > before);
  const again = await send('POST /deliveries', { key, body: aCreate() });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
});

test('[H122] while the database is away, a request with a key is refused as busy', async () => {
  const take = () => Promise.reject(new mongo.MongoNetworkError('connection closed'));
  const away = await addServer(house, { requests: busyWhenAway({ ...house.ctx.requests, take }) });
  const key = newId('req');
  const { status, body } = await send('POST /express/quotes', { key, body: aCreate(), on: away });
  expect([status, body['code'], body['retryable']]).toEqual([503, 'busy', true]);
});
