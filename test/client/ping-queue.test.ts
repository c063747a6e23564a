import { expect, onTestFinished, test, vi } from 'vitest';
import type { PingAnswer } from '../../packages/client/src/generated/messages.ts';
import { createPingQueue, type DroppedPlaces } from '../../packages/client/src/sockets/ping-queue.ts';
import { until } from '../until.ts';
import { watch } from './answers.ts';

type Fix = readonly [seq: number, t: number, lat: number | null, ...(number | null)[]];
/** The judgement of the service on the next message that arrives. */
type Verdict = Partial<PingAnswer> | { readonly problem: string };

/** A connection whose server takes what it is sent, while it is there. */
function aConnection() {
  const sent: (readonly Fix[])[] = [];
  const state = {
    isLive: false,
    isLost: false,
    isTooSoon: false,
    largest: 0,
    verdicts: [] as Verdict[],
    held: Promise.resolve(),
  };
  const socket = {
    timeout: () => ({
      emitWithAck: async (_name: 'ping', { fixes }: { readonly fixes: readonly Fix[] }): Promise<object> => {
        await state.held;
        state.largest = Math.max(state.largest, fixes.length);
        if (state.isLost) throw new Error('the connection was lost');
        if (state.isTooSoon) {
          state.isTooSoon = false;
          return { ok: true, seq: 0, accepted: 0, dropped: fixes.length, slow_down_ms: 1 };
        }
        sent.push(fixes);
        const verdict = state.verdicts.shift() ?? { accepted: fixes.length, dropped: 0 };
        if ('problem' in verdict) return { ok: false, problem: { code: verdict.problem, retryable: false } };
        return { ok: true, seq: fixes.at(-1)?.[0] ?? 0, ...verdict };
      },
    }),
  };
  const doubt = vi.fn<(sentAt: number) => void>();
  const connection = { socket: () => (state.isLive ? socket : null), doubt, watch };
  return { connection, sent, state };
}

/** The clock of a service that is an hour ahead. */
const clock = {
  at: ({ steadyMs }: { readonly steadyMs: number }) => steadyMs + 3_600_000,
  isRead: () => true,
  read: () => Promise.resolve(),
  hear: () => {},
  forget: () => {},
};

test('[H358] without a connection places wait, at most 1,000, and then arrive oldest first in messages of 50', async () => {
  const { connection, sent, state } = aConnection();
  const queue = createPingQueue(connection, clock, 100);
  for (let lat = 0; lat < 1200; lat += 1) queue.add({ lat: lat / 100, lng: 13 });
  expect(queue.waiting()).toBe(1000);
  state.isLive = true;
  queue.flush();
  await until(() => queue.waiting() === 0);
  expect(sent.flat().map(([seq]) => seq)).toEqual(Array.from({ length: 1000 }, (_, index) => 300 + index));
  expect(state.largest).toBe(50);
  expect(sent.flat()[0]?.slice(2)).toEqual([2, 13, null, null, null]);
});

test('[H358] a place has the time at which it was made, by the clock of the service', async () => {
  const { connection, sent, state } = aConnection();
  const queue = createPingQueue(connection, clock, 1);
  const from = performance.now();
  queue.add({ lat: 52, lng: 13 });
  const madeBy = performance.now();
  state.isLive = true;
  await until(() => performance.now() > madeBy + 20);
  queue.flush();
  await until(() => queue.waiting() === 0);
  const at = (sent[0]?.[0]?.[1] ?? 0) - 3_600_000;
  expect(at).toBeGreaterThanOrEqual(Math.floor(from));
  expect(at).toBeLessThanOrEqual(Math.ceil(madeBy));
});

test('[H358] a message that was lost is sent again with the same numbers', async () => {
  const { connection, sent, state } = aConnection();
  Object.assign(state, { isLive: true, isLost: true });
  // The clock stands: the timer fires before the clock shows its time.
  const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => now.mockRestore());
  const queue = createPingQueue(connection, clock, 1);
  queue.add({ lat: 52, lng: 13 });
  await until(() => state.largest === 1);
  state.isLost = false;
  await until(() => queue.waiting() === 0);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.[0]?.[0]).toBe(1);
});

test('[H491] places without an answer cast doubt on the connection', async () => {
  const { connection, state } = aConnection();
  Object.assign(state, { isLive: true, isLost: true });
  const from = performance.now();
  const queue = createPingQueue(connection, clock, 1);
  onTestFinished(() => queue.close());
  queue.add({ lat: 52, lng: 13 });
  await until(() => connection.doubt.mock.calls.length === 1);
  expect(connection.doubt.mock.calls[0]?.[0]).toBeGreaterThanOrEqual(from);
});

test('[H427] a message that came too soon is sent again, and none of its places is lost', async () => {
  const { connection, sent, state } = aConnection();
  const queue = createPingQueue(connection, clock, 1);
  for (let lat = 0; lat < 60; lat += 1) queue.add({ lat: lat / 100, lng: 13 });
  Object.assign(state, { isLive: true, isTooSoon: true });
  queue.flush();
  await until(() => queue.waiting() === 0);
  expect(sent.flat().map(([seq]) => seq)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
});

test('[H492] the app is told how many places are lost, and why', async () => {
  const { connection, state } = aConnection();
  const dropped: DroppedPlaces[] = [];
  const queue = createPingQueue(connection, clock, 1, (places) => void dropped.push(places));
  for (let lat = 0; lat < 1002; lat += 1) queue.add({ lat: lat / 100, lng: 13 });
  expect(dropped).toEqual(Array(2).fill({ count: 1, reason: 'queue_full' }));
  state.verdicts.push({ accepted: 47, dropped: 3, reason: 'inaccurate' }, { problem: 'invalid_params' });
  state.isLive = true;
  queue.flush();
  await until(() => queue.waiting() === 0);
  const reasons = dropped.slice(2).map(({ count, reason }) => `${count} ${reason}`);
  expect(reasons).toEqual(['3 inaccurate', '50 invalid_params']);
});

test('[H492] places that the service has already are not lost, although it drops their repeats', async () => {
  const { connection, state } = aConnection();
  Object.assign(state, { isLive: true, isLost: true });
  const dropped: DroppedPlaces[] = [];
  const queue = createPingQueue(connection, clock, 1, (places) => void dropped.push(places));
  queue.add({ lat: 52, lng: 13 });
  await until(() => state.largest === 1);
  state.isLost = false;
  const repeated = { accepted: 0, dropped: 1, reason: 'out_of_order' } as const;
  state.verdicts.push(repeated);
  await until(() => queue.waiting() === 0);
  state.verdicts.push(repeated);
  queue.add({ lat: 52, lng: 13 });
  await until(() => queue.waiting() === 0);
  expect(dropped).toEqual([{ count: 1, reason: 'out_of_order' }]);
});

test('[H499] places whose message has no answer are repeated alone, and a full queue drops others meanwhile', async () => {
  const { connection, sent, state } = aConnection();
  Object.assign(state, { isLive: true, isLost: true });
  const dropped: DroppedPlaces[] = [];
  const queue = createPingQueue(connection, clock, 1, (places) => void dropped.push(places));
  queue.add({ lat: 52, lng: 13 });
  await until(() => connection.doubt.mock.calls.length === 1);
  for (let lat = 0; lat < 1000; lat += 1) queue.add({ lat: lat / 100, lng: 13 });
  expect(dropped).toEqual([{ count: 1, reason: 'queue_full' }]);
  state.isLost = false;
  state.verdicts.push(
    { accepted: 0, dropped: 1, reason: 'out_of_order' },
    { accepted: 49, dropped: 1, reason: 'inaccurate' },
  );
  await until(() => queue.waiting() === 0);
  // The second place had to go. The loss in the second message counts, although the service has the first message already.
  expect(sent.slice(0, 2).map((fixes) => [fixes[0]?.[0], fixes.length])).toEqual([
    [1, 1],
    [3, 50],
  ]);
  expect(dropped.slice(1)).toEqual([{ count: 1, reason: 'inaccurate' }]);
});

test('[H499] a repeat of which the service accepts nothing is no loss, whatever the reason', async () => {
  const { connection, state } = aConnection();
  Object.assign(state, { isLive: true, isLost: true });
  const dropped: DroppedPlaces[] = [];
  const queue = createPingQueue(connection, clock, 1, (places) => void dropped.push(places));
  queue.add({ lat: 52, lng: 13 });
  await until(() => state.largest === 1);
  state.isLost = false;
  state.verdicts.push(
    { accepted: 0, dropped: 1, reason: 'too_old' },
    { accepted: 0, dropped: 1, reason: 'inaccurate' },
  );
  queue.add({ lat: 53, lng: 13 });
  await until(() => queue.waiting() === 0);
  expect(dropped).toEqual([{ count: 1, reason: 'inaccurate' }]);
});

test('[H501] a number of another phone in an answer removes no place that was not sent', async () => {
  const { connection, sent, state } = aConnection();
  const queue = createPingQueue(connection, clock, 1);
  for (let lat = 0; lat < 60; lat += 1) queue.add({ lat, lng: 13 });
  const verdicts = [{ seq: 1000, accepted: 0, dropped: 50, reason: 'out_of_order' }];
  Object.assign(state, { isLive: true, verdicts });
  queue.flush();
  await until(() => queue.waiting() === 0);
  expect(sent.map((fixes) => fixes.length)).toEqual([50, 10]);
});

test('[H492] a full queue drops the oldest place that is not on its way', async () => {
  const { connection, sent, state } = aConnection();
  const arrival = Promise.withResolvers<void>();
  state.held = arrival.promise;
  state.isLive = true;
  const dropped: DroppedPlaces[] = [];
  const queue = createPingQueue(connection, clock, 1, (places) => void dropped.push(places));
  for (let lat = 0; lat < 1002; lat += 1) queue.add({ lat: lat / 100, lng: 13 });
  expect(queue.waiting()).toBe(1000);
  arrival.resolve();
  await until(() => queue.waiting() === 0);
  // The first place was alone on its way.
  const arrived = [1, ...Array.from({ length: 999 }, (_, index) => 4 + index)];
  expect(sent.flat().map(([seq]) => seq)).toEqual(arrived);
  expect(dropped).toEqual(Array(2).fill({ count: 1, reason: 'queue_full' }));
});

test('[H358] a queue that was closed begins no timer when the message on its way is lost', async () => {
  const { connection, state } = aConnection();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const held = Promise.withResolvers<void>();
  Object.assign(state, { isLive: true, held: held.promise });
  const queue = createPingQueue(connection, clock, 1);
  queue.add({ lat: 52, lng: 13 });
  queue.close();
  held.reject(new Error('the connection was closed'));
  await vi.waitFor(() => expect(connection.doubt).toHaveBeenCalled());
  expect(vi.getTimerCount()).toBe(0);
});

test('[H483] the places of a moment count as sent when the service has them, or when the queue has dropped them', async () => {
  const { connection, state } = aConnection();
  const queue = createPingQueue(connection, clock, 1);
  const sent: string[] = [];
  const wait = (name: string): void => void queue.whenSent().then(() => sent.push(name));
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  wait('none');
  await settle();
  expect(sent).toEqual(['none']);
  queue.add({ lat: 1, lng: 13 });
  wait('first');
  for (let lat = 0; lat < 1000; lat += 1) queue.add({ lat: lat / 100, lng: 13 });
  wait('last');
  await settle();
  expect(sent).toEqual(['none', 'first']);
  state.isLive = true;
  queue.flush();
  await until(() => sent.length === 3);
  expect(queue.waiting()).toBe(0);
});
