import { expect, onTestFinished, test, vi } from 'vitest';
import { thisMoment } from '../../packages/client/src/sockets/moments.ts';
import { createPingQueue } from '../../packages/client/src/sockets/ping-queue.ts';
import { createServiceClock } from '../../packages/client/src/sockets/service-clock.ts';
import { watch } from './answers.ts';

type Fix = readonly [seq: number, t: number, ...(number | null)[]];

const MINUTE_MS = 60_000;

/** A machine whose clocks stand until a test moves them, a service with a clock of its own, and a queue between them. */
async function aMachine() {
  const time = { steady: 5000, wall: 1_800_000_000_000, service: 1_700_000_000_000 };
  vi.spyOn(performance, 'now').mockImplementation(() => time.steady);
  vi.spyOn(Date, 'now').mockImplementation(() => time.wall);
  const health = vi.fn<() => Promise<Response>>(() =>
    Promise.resolve(Response.json({ now: time.service, clock_scale: 1 })),
  );
  vi.stubGlobal('fetch', health);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
  const pass = (ms: number): void => {
    for (const clock of ['steady', 'wall', 'service'] as const) time[clock] += ms;
  };
  const sleep = (ms: number): void => {
    time.wall += ms;
    time.service += ms;
  };
  const sent: Fix[] = [];
  const socket = {
    timeout: () => ({
      emitWithAck: (_name: 'ping', { fixes }: { readonly fixes: readonly Fix[] }) => {
        sent.push(...fixes);
        return Promise.resolve({ ok: true, seq: fixes.at(-1)?.[0] ?? 0, accepted: fixes.length, dropped: 0 });
      },
    }),
  };
  const state = { isLive: true };
  const clock = createServiceClock('http://service');
  const queue = createPingQueue({ socket: () => (state.isLive ? socket : null), doubt: () => {}, watch }, clock, 1);
  onTestFinished(() => queue.close());
  await clock.read();
  /** The times of all fixes that the service got, when nothing waits any more. */
  const arrivals = async (): Promise<number[]> => {
    await vi.waitUntil(() => queue.waiting() === 0);
    return sent.map(([, t]) => t);
  };
  return { time, pass, sleep, state, clock, queue, health, arrivals };
}

test('[H358] a place that waited while the machine slept is as old as the sleep was long', async () => {
  const { time, pass, sleep, state, clock, queue, arrivals } = await aMachine();
  state.isLive = false;
  pass(1000);
  const madeAt = time.service;
  queue.add({ lat: 52, lng: 13 });
  sleep(20 * MINUTE_MS);
  pass(3000);
  state.isLive = true;
  await clock.read();
  queue.flush();
  expect(await arrivals()).toEqual([madeAt]);
});

test('[H358] after many short sleeps on one connection the clock is read again before a place is sent', async () => {
  const { time, pass, sleep, clock, queue, health, arrivals } = await aMachine();
  for (let round = 0; round < 100; round += 1) {
    sleep(1500);
    pass(500);
  }
  expect(clock.at(thisMoment())).toBe(time.service);
  // The wall clock of the machine was set as well, so that only the service knows the time.
  time.wall += 7000;
  queue.add({ lat: 52, lng: 13 });
  expect(await arrivals()).toEqual([time.service]);
  expect(health).toHaveBeenCalledTimes(2);
  queue.add({ lat: 52, lng: 13 });
  expect(await arrivals()).toHaveLength(2);
  expect(health).toHaveBeenCalledTimes(2);
});

test('[H358] if the service does not answer after a sleep, its clock goes on with the time that passed asleep', async () => {
  const { time, sleep, queue, health, arrivals } = await aMachine();
  health.mockResolvedValue(Response.json({}, { status: 404 }));
  sleep(20 * MINUTE_MS);
  queue.add({ lat: 52, lng: 13 });
  expect(await arrivals()).toEqual([time.service]);
});

test('[H358] an answer that the machine slept through is not taken', async () => {
  const { time, sleep, queue, health, arrivals } = await aMachine();
  sleep(MINUTE_MS);
  health.mockImplementationOnce(() => {
    const answer = Response.json({ now: time.service, clock_scale: 1 });
    sleep(20 * MINUTE_MS);
    return Promise.resolve(answer);
  });
  queue.add({ lat: 52, lng: 13 });
  const [t = 0] = await arrivals();
  expect(t).toBe(time.service - 20 * MINUTE_MS);
});

test('[H358] a wall clock that is set back changes no time of a place', async () => {
  const { time, pass, state, clock, queue, arrivals } = await aMachine();
  state.isLive = false;
  const madeAt = time.service;
  queue.add({ lat: 52, lng: 13 });
  pass(4000);
  time.wall -= 60 * MINUTE_MS;
  state.isLive = true;
  await clock.read();
  queue.flush();
  expect(await arrivals()).toEqual([madeAt]);
});

test('[H358] an answer to a question from before the connection was lost does not count', async () => {
  const { time, clock, health } = await aMachine();
  const held = Promise.withResolvers<Response>();
  health.mockImplementationOnce(() => held.promise);
  const early = clock.read();
  clock.forget();
  held.resolve(Response.json({ now: time.service - MINUTE_MS, clock_scale: 1 }));
  await early;
  expect(clock.at(thisMoment())).toBe(time.service);
  time.service += MINUTE_MS;
  await clock.read();
  expect(clock.at(thisMoment())).toBe(time.service);
});

/** A service that does not answer yet, and a place that waits for its time. Timers and both clocks are moved by hand. */
function aSilentService() {
  vi.useFakeTimers();
  const fail = (): Promise<Response> => Promise.reject(new TypeError('no answer'));
  const health = vi.fn<typeof fetch>(fail);
  vi.stubGlobal('fetch', health);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const aheadMs = 90 * MINUTE_MS;
  const sent: Fix[] = [];
  const emitWithAck = (_name: 'ping', { fixes }: { readonly fixes: readonly Fix[] }): Promise<object> => {
    sent.push(...fixes);
    return Promise.resolve({ ok: true, seq: fixes.at(-1)?.[0] ?? 0, accepted: fixes.length, dropped: 0 });
  };
  const clock = createServiceClock('http://service');
  const queue = createPingQueue(
    { socket: () => ({ timeout: () => ({ emitWithAck }) }), doubt: () => {}, watch },
    clock,
    1,
  );
  onTestFinished(() => queue.close());
  queue.add({ lat: 52, lng: 13 });
  const wake = (): void =>
    void health.mockImplementation(async () => Response.json({ now: Date.now() + aheadMs, clock_scale: 1 }));
  const silence = (): void => void health.mockImplementation(fail);
  return { clock, queue, sent, wake, silence, aheadMs, madeAt: Date.now(), health };
}

test('[H490] a place waits while the service has not told its time yet, and then has the time at which it was made', async () => {
  const { sent, wake, aheadMs, madeAt } = aSilentService();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toEqual([]);
  wake();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent.map(([, t]) => t)).toEqual([madeAt + aheadMs]);
});

test('[H490] after a minute in vain places go by the last known time, and the clock is read as soon as the service answers', async () => {
  const { clock, sent, wake, aheadMs, madeAt, health } = aSilentService();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(sent.map(([, t]) => t)).toEqual([madeAt]);
  wake();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(clock.at(thisMoment())).toBe(Date.now() + aheadMs);
  const { length } = health.mock.calls;
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(health).toHaveBeenCalledTimes(length);
});

test('[H490] places of a new connection wait for a time that was never told, and also after a sleep', async () => {
  const { clock, queue, sent, wake, silence } = aSilentService();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(sent).toHaveLength(1);
  clock.forget();
  queue.add({ lat: 52, lng: 13 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(1);
  wake();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(2);
  silence();
  clock.forget();
  queue.add({ lat: 52, lng: 13 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(3);
  vi.setSystemTime(Date.now() + 20 * MINUTE_MS);
  clock.forget();
  queue.add({ lat: 52, lng: 13 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(sent).toHaveLength(3);
});

test('[H494] a time that the service has written counts only until the service has told its time', async () => {
  const { clock, wake, aheadMs } = aSilentService();
  clock.hear(Date.now() + MINUTE_MS);
  await vi.advanceTimersByTimeAsync(1000);
  expect(clock.at(thisMoment())).toBe(Date.now() + MINUTE_MS);
  wake();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(clock.at(thisMoment())).toBe(Date.now() + aheadMs);
  clock.hear(Date.now());
  expect(clock.at(thisMoment())).toBe(Date.now() + aheadMs);
});
