import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { courierSession, createSession } from '../../packages/client/src/sessions.ts';
import { openTrackFeed } from '../../packages/client/src/sockets/track.ts';
import { openVendorFeed } from '../../packages/client/src/sockets/vendor.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';
import { refusal } from './answers.ts';
import { hurry } from './hurry.ts';
import { aVendorFeed } from './vendor-service.ts';

/** The random parts of waits are nearly nothing. */
function withoutChance(): void {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.001);
  onTestFinished(() => random.mockRestore());
}

/** A client that waits for an answer longer than the test does. */
const PATIENT = { baseUrl: 'http://a.example', timeoutMs: 600_000 };
const MINUTE = { firstMs: 60_000, mostMs: 60_000 };

test('[H508] a feed that is hurried has the next connection soon, however long it meant to wait, and none after its end', async () => {
  withoutChance();
  const { feed, service, seen } = await aVendorFeed({ backoff: MINUTE });
  service.cut();
  await until(() => seen.states.at(-1) === 'lost');
  feed.hurry();
  await until(() => seen.states.at(-1) === 'live');
  service.cut();
  await until(() => seen.states.at(-1) === 'lost');
  feed.close();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  feed.hurry();
  expect(vi.getTimerCount()).toBe(0);
});

test('[H508] after a hurry the waits are short again, also if a connection that opens at this moment fails', async () => {
  withoutChance();
  const waits = hurry();
  let opened = 0;
  const server = createServer((socket) => {
    opened += 1;
    if (opened === 3) feed.hurry();
    socket.destroy();
  });
  const backoff = { firstMs: 10, mostMs: 60_000 };
  const feed = openTrackFeed({ baseUrl: await openPort(server), token: 't', backoff });
  onTestFinished(() => {
    feed.close();
    server.close();
  });
  await until(() => opened === 5);
  const between = waits.flatMap((ms = 0) => (ms >= 5 && ms < 100 ? [Math.round(ms)] : []));
  expect(between.slice(0, 4)).toEqual([5, 10, 5, 10]);
});

const TOKENS = { access_token: 'a', refresh_token: 'next', expires_in: 900 };

/** A service that answers the first requests with nothing, and then with tokens. */
function silentAtFirst(silent: number) {
  const bodies: unknown[] = [];
  const asks = vi.fn<typeof fetch>((_url, { signal, body: sent } = {}) => {
    bodies.push(sent);
    if (bodies.length > silent) return Promise.resolve(Response.json(TOKENS));
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('ended'))));
  });
  return { fetch: asks, bodies };
}

test('[H524] a renewal without an answer is sent again at once when its socket is hurried', async () => {
  const { fetch, bodies } = silentAtFirst(1);
  const session = createSession(vi.fn<() => Promise<never>>(), {
    ...PATIENT,
    refreshToken: 'old',
    fetch,
  });
  session.hurry?.();
  const feed = openVendorFeed({ baseUrl: 'http://127.0.0.1:9', apiKey: session });
  onTestFinished(() => feed.close());
  const given = session.token();
  await until(() => bodies.length === 1);
  feed.hurry();
  expect(await given).toBe('a');
  expect(bodies).toEqual(Array(2).fill('{"grant_type":"refresh_token","refresh_token":"old"}'));
});

test('[H524] a renewal that is hurried all the time gets the answer to its repeat', async () => {
  const asks = vi.fn<typeof fetch>(async (_url, { signal } = {}) => {
    if (asks.mock.calls.length < 10) session.hurry?.();
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    return Response.json(TOKENS);
  });
  const session = createSession(vi.fn<() => Promise<never>>(), { ...PATIENT, refreshToken: 'old', fetch: asks });
  expect(await session.token()).toBe('a');
  expect(asks).toHaveBeenCalledTimes(2);
});

test('[H524] a login with a code waits for its answer when it is hurried, since the code works once', async () => {
  let uses = 0;
  const asks = vi.fn<typeof fetch>(async (_url, { signal, body } = {}) => {
    if (typeof body !== 'string' || !body.includes('123456')) return Response.json({});
    uses += 1;
    if (uses > 1) return Response.json(refusal(401, 'otp_invalid').body, { status: 401 });
    session.hurry?.();
    signal?.throwIfAborted();
    return Response.json(TOKENS);
  });
  const session = courierSession('+4930999999', () => Promise.resolve('123456'), { ...PATIENT, fetch: asks });
  expect(await session.token()).toBe('a');
  expect(uses).toBe(1);
});

test('[H525] an open connection on which nothing answers is replaced soon after a hurry', async () => {
  hurry();
  const { feed, service, seen } = await aVendorFeed();
  service.isDeaf = true;
  for (let turn = 0; turn < 30; turn += 1) feed.hurry();
  await until(() => service.joined().length === 2 && seen.states.at(-1) === 'live');
  expect(seen.states).toEqual(['joining', 'live', 'lost', 'live']);
  expect(service.greeted).toBe(1);
});

/** A feed whose service has answered to its hurry. */
async function aHurriedFeed() {
  hurry();
  const { feed, service, seen } = await aVendorFeed();
  feed.hurry();
  await until(() => service.greeted === 1);
  service.tell('del_1', 1, 'delivery.created');
  await until(() => seen.events.length === 1);
  return { feed, service, seen };
}

test('[H525] an open connection on which the service answers stays after a hurry', async () => {
  const { seen } = await aHurriedFeed();
  expect(seen.states).toEqual(['joining', 'live']);
});

test('[H525] an open connection that dies soon after its answer to a hurry is replaced after the next one', async () => {
  const { feed, service, seen } = await aHurriedFeed();
  service.isDeaf = true;
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 2000);
  onTestFinished(() => later.mockRestore());
  feed.hurry();
  await until(() => seen.states.includes('lost'));
  expect(service.greeted).toBe(2);
});
