import { expect, onTestFinished, test, vi } from 'vitest';
import { HURRY_MS, LATE_MS } from '../../packages/client/src/pause.ts';
import { AGAIN_MS } from '../../packages/client/src/sockets/heard.ts';
import { until } from '../until.ts';
import { aCourier } from './courier-service.ts';
import { hurry } from './hurry.ts';
import { aVendorFeed } from './vendor-service.ts';

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

test('[H568] missed events that are requested on a dead connection come over the next one, and its feed is not hurried', async () => {
  untilLate();
  const { service, seen } = await aVendorFeed({ lastSeq: { del_1: 1 } });
  for (const sequence of [1, 2]) service.note('del_1', sequence, 'delivery.updated');
  service.isDeaf = true;
  service.tell('del_1', 3, 'delivery.updated');
  await until(() => service.asked.length === 1);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  await until(() => service.greeted === 1);
  service.isDeaf = false;
  await until(() => seen.states.filter((state) => state === 'live').length === 2);
  service.tell('del_1', 4, 'delivered');
  await until(() => seen.events.length === 3);
  expect(seen.events.map(({ sequence }) => sequence)).toEqual([2, 3, 4]);
});

test('[H569] the clients whose places have no answer come back each at a random moment, and one that is hurried at once', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  const { socket, states, came, waits } = await onADeadConnection();
  socket.report({ lat: 52, lng: 13 });
  await until(() => came.length === 1);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  await until(() => states.includes('lost'));
  // The wait is three quarters of the first wait of 5 ms, and half of seven more.
  expect(waits).toContain(3.75 + 17.5);
  const hurried = await onADeadConnection();
  hurried.socket.report({ lat: 52, lng: 13 });
  await until(() => hurried.came.length === 1);
  await vi.advanceTimersByTimeAsync(LATE_MS);
  await until(() => hurried.came.includes('hello'));
  hurried.socket.hurry();
  await until(() => hurried.states.includes('lost'));
  expect(hurried.waits).not.toContain(3.75 + 17.5);
});

test('[H569] a client that was once hurried without a connection still comes back at a random moment', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  onTestFinished(() => random.mockRestore());
  const waits = untilLate();
  const courier = await aCourier((_socket, reply) => reply({ ok: true }), 5000, { firstMs: 200, mostMs: 400 });
  const { socket, states, came } = courier;
  courier.cut();
  await until(() => states.at(-1) === 'lost');
  socket.hurry();
  await until(() => states.at(-1) === 'live');
  courier.deafen();
  socket.report({ lat: 52, lng: 13 });
  await until(() => came.includes('ping'));
  await vi.advanceTimersByTimeAsync(LATE_MS);
  await until(() => states.at(-1) === 'lost');
  // Three quarters of the first wait of 200 ms, and half of seven more.
  expect(waits).toContain(150 + 700);
});
