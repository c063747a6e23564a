import { createServer } from 'node:http';
import { Server, type Socket } from 'socket.io';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NoAnswer } from '../../packages/client/src/problems.ts';
import { openCourierSocket } from '../../packages/client/src/sockets/courier.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';
import { answering } from './answers.ts';
import { aCourier, type Reply } from './courier-service.ts';
import { hurry } from './hurry.ts';

test('[H352] an action whose signal has ended is never sent, and one that waits for its answer ends at once', async () => {
  const { socket, actions } = await aCourier();
  const ended = socket.act('offer.accept', { offer_id: 'off_1' }, AbortSignal.abort());
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' });
  const ending = new AbortController();
  const waiting = socket.act('offer.accept', { offer_id: 'off_2' }, ending.signal).catch((error: unknown) => error);
  await until(() => actions.length > 0);
  // At once means before any other work of this process has its turn, which no busy machine delays.
  const later = new Promise((resolve) => setImmediate(resolve, 'it waited'));
  ending.abort();
  expect(await Promise.race([waiting, later])).toMatchObject({ name: 'AbortError' });
  expect(actions).toEqual([{ offer_id: 'off_2' }]);
});

test('[H352] an action that was cut off counts as unanswered, although the service then refuses it for now', async () => {
  const busy = { problem: { code: 'busy', status: 503, detail: 'busy', retryable: true, request_id: 'req_1' } };
  let isCut = false;
  const { socket, actions } = await aCourier((connection, reply) => {
    if (actions.length > 1) return reply(busy);
    isCut = true;
    connection.conn.close();
  }, 3000);
  const error = await socket.act('offer.accept', { offer_id: 'off_1' }).catch((problem: unknown) => problem);
  expect(isCut && actions.length > 1).toBe(true);
  expect(error).toBeInstanceOf(NoAnswer);
  expect(error).toMatchObject({ cause: { code: 'busy' } });
});

test('[H494] an offer that comes before the clock is read counts down by the time that it was written', async () => {
  const { send, counts } = await aCourier();
  send('offer.new', { offer_id: 'off_1', server_time: '2020-01-01T00:00:00Z', expires_at: '2020-01-01T00:00:30Z' });
  await until(() => counts.length === 1);
  expect(counts[0]).toBeLessThanOrEqual(30_000);
  expect(counts[0]).toBeGreaterThan(25_000);
});

test('[H498] an action names the assignment of the latest snapshot, and so does its repeat until a server does not know the field', async () => {
  const show = (at: string): void =>
    send('snapshot', { delivery_id: 'del_1', sequence: 2, delivery: { status: 'assigned', assigned_at: at } });
  const problem = { code: 'unknown_field', status: 400, detail: 'unknown', retryable: false, request_id: 'req_1' };
  const { socket, send, actions, shown } = await aCourier((connection, reply) => {
    if (actions.length > 1) return reply(actions.length === 3 ? { ok: true } : { problem });
    show('2026-11-22T12:01:00.000Z');
    connection.conn.close();
  });
  show('2026-11-22T12:00:00.000Z');
  await until(() => shown() === 1);
  const body = { delivery_id: 'del_1' };
  await socket.act('delivery.depart', body);
  const named = { ...body, assigned_at: '2026-11-22T12:00:00.000Z' };
  expect(actions).toEqual([named, named, body]);
  await expect(socket.act('delivery.depart', { delivery_id: 'del_2' })).rejects.toMatchObject({
    code: 'unknown_field',
  });
});

test('[H507] an upload of proof names the assignment as an action does', async () => {
  const { socket, send, shown } = await aCourier();
  const at = '2026-11-22T12:00:00.000Z';
  send('snapshot', { delivery_id: 'del_1', sequence: 2, delivery: { status: 'assigned', assigned_at: at } });
  await until(() => shown() === 1);
  const problem = { code: 'unknown_field', status: 400, detail: 'unknown', retryable: false, request_id: 'req_1' };
  const { fetch, asked } = answering({ status: 400, body: problem }, { status: 201 });
  vi.stubGlobal('fetch', fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  await socket.addStopProof('del_1', 0, { signature_name: 'Ada' });
  const forms = asked.map(({ body }) => Object.fromEntries(body as FormData));
  expect(forms).toEqual([{ assigned_at: at, signature_name: 'Ada' }, { signature_name: 'Ada' }]);
});

test('[H358] on a new connection a place goes by the known time at once, and later ones by the time that the service tells then', async () => {
  let answer = Promise.resolve();
  let [asked, now] = [0, 1_700_000_000_000];
  const http = createServer((_request, response) => {
    asked += 1;
    void answer.then(() => response.end(JSON.stringify({ now, clock_scale: 0 })));
  });
  const io = new Server(http, { transports: ['websocket'] });
  const sockets: Socket[] = [];
  const times: number[] = [];
  io.of('/courier').on('connection', (socket) => {
    sockets.push(socket);
    socket.on('ping', ({ fixes }: { fixes: [seq: number, t: number][] }, reply: Reply) => {
      times.push(...fixes.map(([, t]) => t));
      reply({ ok: true, seq: fixes.at(-1)?.[0], accepted: fixes.length, dropped: 0 });
    });
  });
  const courier = openCourierSocket({
    baseUrl: await openPort(http),
    session: { token: () => Promise.resolve('token'), distrust: () => {} },
    backoff: { firstMs: 5, mostMs: 10 },
    // An app may report its place as soon as it has a connection.
    onState: (state) => state === 'live' && courier.report({ lat: 52, lng: 13 }),
  });
  onTestFinished(async () => {
    courier.close();
    await io.close();
  });
  await until(() => times.length === 1 && courier.unreported() === 0);
  const { promise, resolve } = Promise.withResolvers<void>();
  answer = promise;
  sockets[0]?.conn.close();
  await until(() => asked === 2 && times.length === 2);
  now += 60_000;
  resolve();
  await until(() => courier.now() === now);
  courier.report({ lat: 52, lng: 13 });
  await until(() => times.length === 3);
  expect(times).toEqual([now - 60_000, now - 60_000, now]);
});

test('[H491] an action without an answer is repeated on a new connection if the service has sent nothing meanwhile', async () => {
  hurry();
  const asked = new Set<Socket>();
  const { socket, states } = await aCourier((connection, reply) => {
    if (asked.add(connection).size > 1) reply({ ok: true });
  }, 4000);
  expect(await socket.act('offer.accept', { offer_id: 'off_1' })).toEqual({ ok: true });
  expect(states).toEqual(['joining', 'live', 'lost', 'live']);
});

test('[H491] after a stall of the service its clients come back within eight times the first wait, each at a random moment', async () => {
  const waits = hurry();
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  const { socket, states } = await aCourier();
  const ending = new AbortController();
  const action = socket.act('offer.accept', { offer_id: 'off_1' }, ending.signal);
  await until(() => states.includes('lost'));
  // The wait is three quarters of the first wait of 5 ms, and half of seven more.
  expect(waits).toContain(3.75 + 17.5);
  ending.abort();
  await expect(action).rejects.toMatchObject({ name: 'AbortError' });
});

test('[H491] an action that waits for the next connection has it soon, however long the client meant to wait', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.01);
  onTestFinished(() => random.mockRestore());
  const minute = { firstMs: 60_000, mostMs: 60_000 };
  const { socket, states, cut } = await aCourier((_socket, reply) => reply({ ok: true }), 5000, minute);
  cut();
  await until(() => states.at(-1) === 'lost');
  expect(await socket.act('offer.accept', { offer_id: 'off_1' })).toEqual({ ok: true });
});

test('[H491] an action without an answer is repeated on the same connection if the service has sent something meanwhile', async () => {
  hurry();
  const { socket, states, actions } = await aCourier((connection, reply) => {
    if (actions.length > 1) reply({ ok: true });
    else connection.emit('top', {});
  });
  expect(await socket.act('offer.accept', { offer_id: 'off_1' })).toEqual({ ok: true });
  expect(actions).toHaveLength(2);
  expect(states).toEqual(['joining', 'live']);
});

test('[H483] an action at a stop goes after the places that waited without a connection, and an answer to an offer does not wait', async () => {
  const { socket, came, states, cut } = await aCourier((_socket, reply) => reply({ ok: true }));
  cut();
  await until(() => states.at(-1) === 'lost');
  for (let lat = 0; lat < 120; lat += 1) socket.report({ lat: lat / 1000, lng: 13 });
  const arrival = socket.act('stop.arrive', { delivery_id: 'del_1', stop: 1 });
  const accept = socket.act('offer.accept', { offer_id: 'off_1' });
  await Promise.all([arrival, accept]);
  expect(came).toEqual(['offer.accept', 'ping', 'ping', 'ping', 'stop.arrive']);
  expect(socket.unreported()).toBe(0);
});

const PLACES_MS = 10_000;
const BUSY = { problem: { code: 'busy', status: 503, detail: 'busy', retryable: true, request_id: 'req_1' } };

/** A courier whose service never tells its time, so that places wait. Ten seconds of the action pass in 0.4 s. */
async function whoseTimeIsUnknown(onAction: (socket: Socket, reply: Reply) => void) {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  const waits = hurry([PLACES_MS]);
  const courier = await aCourier(onAction);
  const now = performance.now.bind(performance);
  const quick = vi.spyOn(performance, 'now').mockImplementation(() => now() * 25);
  onTestFinished(() => quick.mockRestore());
  courier.socket.report({ lat: 52, lng: 13 });
  return { ...courier, placesWaits: () => waits.filter((ms) => ms === PLACES_MS).length };
}

test('[H534] an action at a stop that is repeated does not wait for places again', async () => {
  const { socket, actions, placesWaits } = await whoseTimeIsUnknown((_socket, reply) =>
    reply(actions.length === 1 ? BUSY : { ok: true }),
  );
  expect(await socket.act('delivery.pick_up', { delivery_id: 'del_1' })).toEqual({ ok: true });
  expect([actions.length, placesWaits()]).toEqual([2, 1]);
});

test('[H534] a wait for places on a connection that is lost does not count', async () => {
  const { socket, cut, placesWaits } = await whoseTimeIsUnknown((_socket, reply) => reply({ ok: true }));
  const action = socket.act('delivery.pick_up', { delivery_id: 'del_1' });
  await until(() => placesWaits() === 1);
  cut();
  expect(await action).toEqual({ ok: true });
  expect(placesWaits()).toBe(2);
});

test('[H484] a socket whose courier has logged in on another phone closes and says so, and does not come back', async () => {
  const { socket, states, dismiss, replaced } = await aCourier();
  dismiss();
  await until(() => states.includes('closed'));
  expect(states).toEqual(['joining', 'live', 'closed']);
  expect(replaced()).toBe(1);
  await expect(socket.act('offer.accept', { offer_id: 'off_1' })).rejects.toBeInstanceOf(NoAnswer);
});
