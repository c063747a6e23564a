import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { HURRY_MS, LATE_MS } from '../../packages/client/src/pause.ts';
import { courierSession, createSession } from '../../packages/client/src/sessions.ts';
import { AGAIN_MS } from '../../packages/client/src/sockets/heard.ts';
import { openTrackFeed } from '../../packages/client/src/sockets/track.ts';
import { openVendorFeed } from '../../packages/client/src/sockets/vendor.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';
import { refusal } from './answers.ts';
import { aCourier } from './courier-service.ts';
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

/** Signs of life are missed soon, and a test says when an answer is late. Returns the waits of all timers since then. */
function untilLate(): (number | undefined)[] {
  const waits = hurry([HURRY_MS]);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  return waits;
}

/** A courier whose connection is dead. The client waits its true 8 s for an answer, and its other waits pass quickly. */
async function onADeadConnection() {
  const waits = untilLate();
  const courier = await aCourier((_socket, reply) => reply({ ok: true }), 5000);
  courier.deafen();
  return { ...courier, waits };
}

test('[H533] an action without an answer leaves a dead connection soon, without the app', async () => {
  const { socket, states, came } = await onADeadConnection();
  const action = socket.act('offer.accept', { offer_id: 'off_1' });
  await until(() => came.length === 1);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  expect(await action).toEqual({ ok: true });
  expect(states).toEqual(['joining', 'live', 'lost', 'live']);
  expect(came).toEqual(['offer.accept', 'hello', 'offer.accept']);
  expect(vi.getTimerCount()).toBe(1);
});

test('[H533] an action at a stop that waits for places leaves a dead connection soon, and the next one takes them at once', async () => {
  const { socket, came, waits } = await onADeadConnection();
  socket.report({ lat: 52, lng: 13 });
  const action = socket.act('stop.arrive', { delivery_id: 'del_1', stop: 1 });
  await until(() => came.length === 1);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  expect(await action).toEqual({ ok: true });
  expect(came).toEqual(['ping', 'hello', 'ping', 'stop.arrive']);
  expect(waits).not.toContain(AGAIN_MS);
});

test('[H533] an action that takes long on a sound connection stays there', async () => {
  untilLate();
  const answer = Promise.withResolvers<void>();
  const { socket, states, came } = await aCourier(
    (_socket, reply) => void answer.promise.then(() => reply({ ok: true })),
  );
  const action = socket.act('offer.accept', { offer_id: 'off_1' });
  await vi.advanceTimersByTimeAsync(LATE_MS);
  await until(() => came.includes('hello'));
  answer.resolve();
  expect(await action).toEqual({ ok: true });
  expect(states).toEqual(['joining', 'live']);
});

test('[H557] a place without an answer leaves a dead connection soon, without an action', async () => {
  const { socket, states, came } = await onADeadConnection();
  socket.report({ lat: 52, lng: 13 });
  await until(() => came.length === 1);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  await until(() => socket.unreported() === 0);
  expect(states).toEqual(['joining', 'live', 'lost', 'live']);
  expect(came).toEqual(['ping', 'hello', 'ping']);
});

test('[H557] a place whose answer is late on a sound connection stays there, and one that is answered in time asks nothing', async () => {
  untilLate();
  const { socket, states, came, slowDown } = await aCourier();
  const goOn = slowDown();
  socket.report({ lat: 52, lng: 13 });
  await until(() => came.length === 1);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  await until(() => came.includes('hello'));
  goOn();
  await until(() => socket.unreported() === 0);
  socket.report({ lat: 53, lng: 13 });
  await until(() => socket.unreported() === 0);
  await vi.advanceTimersByTimeAsync(2 * LATE_MS);
  expect(came).toEqual(['ping', 'hello', 'ping']);
  expect(states).toEqual(['joining', 'live']);
});
