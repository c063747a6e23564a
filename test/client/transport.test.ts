import { fc, test as property } from '@fast-check/vitest';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { backoffMs } from '../../packages/client/src/pause.ts';
import { NoAnswer, ServiceProblem } from '../../packages/client/src/problems.ts';
import { answering, refusal, settle, type Said } from './answers.ts';

const baseUrl = 'https://a.example/';
const ROUTE = { pickup: { location_id: 'loc_1' }, drop_off: [] };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The time from the call to its end, ms. */
async function spanOf(...answers: readonly Said[]): Promise<number> {
  const { fetch } = answering(...answers);
  const from = performance.now();
  await settle(createClient({ baseUrl, fetch }).express.get('del_1'));
  return performance.now() - from;
}

test('[H351] a lost answer, a timeout and an overloaded service lead to another try with the same key and body', async () => {
  const failures: Said[] = [new TypeError('cut'), refusal(503, 'busy', true), refusal(429, 'too_many_requests', true)];
  const { fetch, asked } = answering(...failures, { status: 502, body: '<html>' }, { body: { id: 'del_1' } });
  const client = createClient({ baseUrl, fetch, credential: 'dsk_test_1' });
  expect(await settle(client.express.create(ROUTE))).toEqual({ id: 'del_1' });
  expect(asked.length).toBe(5);
  const [first] = asked;
  expect(first?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  expect(first?.headers.get('authorization')).toBe('Bearer dsk_test_1');
  expect(first?.url).toBe('https://a.example/express/deliveries');
  for (const one of asked)
    expect([one.headers.get('idempotency-key'), one.body]).toEqual([
      first?.headers.get('idempotency-key'),
      JSON.stringify(ROUTE),
    ]);
});

test('[H351] two calls have different keys, and a caller may choose their own', async () => {
  const { fetch, asked } = answering({});
  const client = createClient({ baseUrl, fetch });
  await client.express.createQuote(ROUTE);
  await client.express.createQuote(ROUTE);
  await client.deliveries.update('del_1', {}, { idempotencyKey: 'order-7', ifMatch: 3 });
  await client.express.get('del_1');
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(4);
  expect(keys.slice(2)).toEqual(['order-7', null]);
  expect(asked[2]?.headers.get('if-match')).toBe('"3"');
});

test('[H351] a request of the caller has the key of an operation, and keeps it for all its tries', async () => {
  const { fetch, asked } = answering(new TypeError('cut'), {});
  const { request, auth, deliveries } = createClient({ baseUrl, fetch });
  await settle(request({ method: 'POST', path: '/new', body: {} }));
  await request({ method: 'PATCH', path: '/new', body: {}, idempotencyKey: 'order-7' });
  await request({ method: 'GET', path: '/new' });
  await request({ method: 'POST', path: '/auth/new', body: {} });
  await request({ method: 'POST', path: '/new', body: {}, keyed: false });
  await auth.requestOtp({ phone: '+4237912301' });
  await deliveries.get('del_1');
  const [cut, again, ...others] = asked.map(({ headers }) => headers.get('idempotency-key'));
  expect(cut).toMatch(/^[0-9a-f]{32}$/);
  expect(again).toBe(cut);
  expect(others).toEqual(['order-7', null, null, null, null, null]);
});

test.for([400, 401, 403, 404, 409, 412, 422])('[H351] a refusal with status %i is final', async (status) => {
  const { fetch, asked } = answering(refusal(status, 'invalid_params'));
  const error = await settle(createClient({ baseUrl, fetch }).express.create(ROUTE));
  expect(error).toBeInstanceOf(ServiceProblem);
  expect(error).toMatchObject({ code: 'invalid_params', status, requestId: 'req_1' });
  expect(asked.length).toBe(1);
});

test('[H351] a wait is at least as long as Retry-After, and a wait beyond the patience of the client is not begun', async () => {
  const busy = { ...refusal(503, 'busy', true), headers: { 'retry-after': '7' } };
  expect(await spanOf(busy, { body: {} })).toBeGreaterThanOrEqual(7000);
  expect(await spanOf({ ...busy, headers: { 'retry-after': '3600' } })).toBe(0);
  expect(await spanOf(refusal(503, 'busy', true))).toBeLessThan(60_000);
});

property.prop([
  fc.integer({ min: 1, max: 10_000 }),
  fc.integer({ min: 1, max: 60_000 }),
  fc.integer({ min: 1, max: 10_000 }),
])('[H351] waits grow to a limit and have a random part', (firstMs, mostMs, tries) => {
  const wait = backoffMs({ firstMs, mostMs }, tries);
  const longest = Math.min(mostMs, firstMs * 2 ** (tries - 1));
  expect(wait).toBeLessThanOrEqual(longest);
  expect(wait).toBeGreaterThanOrEqual(longest / 2);
});

test('[H351] after a failed try the client goes on to the next address, and stays there', async () => {
  const { fetch, asked } = answering(new TypeError('cut'), {});
  const client = createClient({ baseUrl: ['https://a.example', 'https://b.example'], fetch });
  await settle(client.express.get('del_1'));
  await settle(client.express.get('del_2'));
  expect(asked.map(({ url }) => new URL(url).host)).toEqual(['a.example', 'b.example', 'b.example']);
});

test('[H351] a removal or a logout whose answer was lost is done if the next try finds nothing left', async () => {
  const lost = [new TypeError('cut'), refusal(503, 'busy', true), refusal(404, 'webhook_not_found')];
  expect(
    await settle(createClient({ baseUrl, fetch: answering(...lost).fetch }).webhooks.remove('wh_1')),
  ).toBeUndefined();
  const session = { token: () => Promise.resolve('t'), distrust: vi.fn<() => void>() };
  const { fetch, asked } = answering(new TypeError('cut'), refusal(401, 'unauthorized'));
  expect(await settle(createClient({ baseUrl, fetch, credential: session }).auth.logOut())).toBeUndefined();
  expect([asked.length, session.distrust.mock.calls.length]).toEqual([2, 0]);
});

test('[H351] a refusal after a busy answer, or of another request, stays a refusal', async () => {
  const missing = refusal(404, 'webhook_not_found');
  const busy = createClient({ baseUrl, fetch: answering(refusal(503, 'busy', true), missing).fetch });
  expect(await settle(busy.webhooks.remove('wh_1'))).toMatchObject({ status: 404 });
  const first = createClient({ baseUrl, fetch: answering(missing).fetch });
  expect(await settle(first.webhooks.remove('wh_1'))).toMatchObject({ status: 404 });
  const get = createClient({ baseUrl, fetch: answering(new TypeError('cut'), missing).fetch });
  expect(await settle(get.webhooks.get('wh_1'))).toMatchObject({ status: 404 });
});

test('[H351] an answer that breaks off leads to another try with the same key', async () => {
  const { fetch, asked } = answering({ status: 201, body: '{"id":"del' }, { body: { id: 'del_1' } });
  expect(await settle(createClient({ baseUrl, fetch }).express.create(ROUTE))).toEqual({ id: 'del_1' });
  expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
});

test('[H536] the client waits as an answer demands that it cannot read', async () => {
  const starting = { status: 503, body: 'starting', headers: { 'retry-after': '7' } };
  expect(await spanOf(starting, { body: {} })).toBeGreaterThanOrEqual(7000);
});

test('[H351] calls that fail together at one address go on to the next one together', async () => {
  const { fetch, asked } = answering(new TypeError('cut'), new TypeError('cut'), {});
  const client = createClient({ baseUrl: ['https://a.example', 'https://b.example'], fetch });
  await settle(Promise.all([client.express.get('del_1'), client.express.get('del_2')]));
  expect(asked.map(({ url }) => new URL(url).host)).toEqual(['a.example', 'a.example', 'b.example', 'b.example']);
});

test('[H352] a service without a readable answer is NoAnswer with the key for a repeat', async () => {
  const seen: unknown[] = [];
  const { fetch, asked } = answering({ status: 502, body: '<html>' });
  const client = createClient({ baseUrl, fetch, retries: { most: 2 }, onFailure: (failure) => seen.push(failure) });
  const error = await settle(client.express.create(ROUTE, { idempotencyKey: 'order-9' }));
  expect(error).toBeInstanceOf(NoAnswer);
  expect(error).toMatchObject({ status: 502, idempotencyKey: 'order-9' });
  expect([asked.length, seen.length]).toEqual([3, 3]);
  expect(
    await settle(createClient({ baseUrl, fetch: answering({ body: '<html>' }).fetch }).express.get('del_1')),
  ).toBeInstanceOf(NoAnswer);
});

test('[H352] a try without an answer counts, although the service then refuses its repeats for now', async () => {
  const busy = refusal(503, 'busy', true);
  const create = (...answers: Said[]) => {
    const { fetch } = answering(...answers);
    return settle(createClient({ baseUrl, fetch }).express.create(ROUTE, { idempotencyKey: 'order-9' }));
  };
  const lost = await create(new TypeError('cut'), busy);
  expect(lost).toBeInstanceOf(NoAnswer);
  expect(lost).toMatchObject({ idempotencyKey: 'order-9', cause: { code: 'busy' } });
  expect(await create(busy)).toMatchObject({ name: 'ServiceProblem', code: 'busy' });
  // A repeat of a request that was carried out is not refused for good.
  expect(await create(new TypeError('cut'), refusal(409, 'no_coverage', false))).toBeInstanceOf(ServiceProblem);
  const { fetch } = answering(new TypeError('cut'), busy);
  expect(await settle(createClient({ baseUrl, fetch }).express.get('del_1'))).toBeInstanceOf(ServiceProblem);
});

test('[H352] the signal of the caller ends a request and a wait at once', async () => {
  const ending = new AbortController();
  const { fetch, asked } = answering({ ...refusal(503, 'busy', true), headers: { 'retry-after': '30' } });
  const call = createClient({ baseUrl, fetch })
    .express.get('del_1', { signal: ending.signal })
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10);
  ending.abort();
  expect(await call).toMatchObject({ name: 'AbortError' });
  expect(asked.length).toBe(1);
  const ended = createClient({ baseUrl, fetch: () => Promise.reject(new Error('ended')) });
  await expect(ended.express.get('del_1', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
});

test('[H352] the signal of the caller ends a call that waits for its token, and the renewal goes on for others', async () => {
  const renewal = Promise.withResolvers<string>();
  const session = { token: vi.fn<() => Promise<string>>(() => renewal.promise), distrust: () => undefined };
  const { fetch, asked } = answering({ body: { id: 'del_1' } });
  const { express } = createClient({ baseUrl, fetch, credential: session });
  const [ending, staying] = [new AbortController(), new AbortController()];
  const removed = vi.spyOn(staying.signal, 'removeEventListener');
  const ended = express.get('del_1', { signal: ending.signal }).catch((error: unknown) => error);
  const other = express.get('del_1', { signal: staying.signal });
  ending.abort();
  expect(await Promise.race([ended, Promise.resolve().then(() => vi.advanceTimersByTimeAsync(60_000))])).toMatchObject({
    name: 'AbortError',
  });
  await expect(express.get('del_1', { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  expect(session.token.mock.calls.length).toBe(2);
  renewal.resolve('t');
  expect(await other).toEqual({ id: 'del_1' });
  expect(asked.length).toBe(1);
  expect(removed).toHaveBeenCalledTimes(1);
});

test('[H485] a try with files waits longer, as long as a weak network needs for them', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  onTestFinished(() => timeout.mockRestore());
  const client = createClient({ baseUrl, fetch: answering({ body: {} }).fetch, credential: 't' });
  const photoOf = (bytes: number): Blob => new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' });
  await client.deliveries.addStopProof('del_1', 1, { photo: [photoOf(640_000), photoOf(320_000)] });
  await client.deliveries.addStopProof('del_1', 1, { photo: [photoOf(10_000_000)] });
  await client.express.get('del_1');
  expect(timeout.mock.calls.flat()).toEqual([45_000, 75_000, 15_000]);
});

test('[H485] an upload that is cut off after a minute is tried again', async () => {
  const { asked, fetch } = answering(new TypeError('cut'), { body: { object: 'proof' } });
  const slow: typeof fetch = async (...request) => {
    const isFirst = asked.length === 0;
    const answer = fetch(...request);
    if (isFirst) vi.advanceTimersByTime(70_000);
    return answer;
  };
  const client = createClient({ baseUrl, fetch: slow, credential: 't' });
  const photo = [new Blob([new Uint8Array(3_000_000)], { type: 'image/jpeg' })];
  expect(await settle(client.deliveries.addStopProof('del_1', 1, { photo }))).toEqual({ object: 'proof' });
});
