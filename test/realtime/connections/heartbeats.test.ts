import { once } from 'node:events';
import { fc, test as property } from '@fast-check/vitest';
import { io as connect } from 'socket.io-client';
import { expect, onTestFinished, test } from 'vitest';
import type { RawConnection } from '../../../src/realtime/sockets.ts';
import { until } from '../../until.ts';
import { INTERVAL_MS, NEVER_MS, open, openServer } from './watched-server.ts';

const STEP_MS = 250;
const TIMEOUT_MS = 7000;
/** A packet of Engine.IO that says nothing. */
const NOTHING = '6';

test('[T59] a heartbeat goes at the first shared moment after the interval, and the next one after the answer', async () => {
  const server = await openServer();
  await server.clock.advance(100);
  const one = await open(server);
  await server.clock.advance(100);
  const other = await open(server);
  await server.clock.advance(10_049);
  expect([one.beats, other.beats]).toEqual([[], []]);
  await server.clock.advance(1);
  expect([one.beats, other.beats]).toEqual([[10_250], [10_250]]);
  await until(() => one.heard.at(-1) === '2' && other.heard.at(-1) === '2');
  await server.clock.advance(300);
  await one.answer();
  await server.clock.advance(30_000);
  expect([one.beats, other.beats]).toEqual([[10_250, 20_750], [10_250]]);
});

type Act = { readonly what: 'open' | 'answer' | 'leave'; readonly which: number } | { readonly waitMs: number };

const acts: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ what: fc.constantFrom('open', 'answer', 'leave'), which: fc.nat(7) }),
  fc.record({ waitMs: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 9000, max: 11_000 })) }),
);

/** Connections as the rule says: `dueAt` is null while an answer is awaited, and `answerBy` otherwise. */
type Model = {
  readonly of: Awaited<ReturnType<typeof open>>;
  readonly beats: number[];
  dueAt: number | null;
  answerBy: number | null;
};

property.prop([fc.array(acts, { minLength: 4, maxLength: 20 })], { numRuns: 40 })(
  '[T59] each connection gets a heartbeat at the moment after its own interval, until it closes',
  async (plan) => {
    const server = await openServer();
    const { clock, waiting } = server;
    const all: Model[] = [];
    const live: Model[] = [];
    const due = (): number => Math.ceil((clock.real.elapsed() + INTERVAL_MS) / STEP_MS) * STEP_MS;
    for (const act of plan) {
      const at = 'which' in act && live.length > 0 ? act.which % live.length : 0;
      if ('waitMs' in act) {
        await clock.advance(act.waitMs);
        for (const model of live) {
          if (model.dueAt === null || model.dueAt > clock.real.elapsed()) continue;
          model.beats.push(model.dueAt);
          model.answerBy = model.dueAt + NEVER_MS;
          model.dueAt = null;
        }
      } else if (act.what === 'open') {
        const opened = { of: await open(server), beats: [], dueAt: due(), answerBy: null };
        all.push(opened);
        live.push(opened);
      } else if (act.what === 'answer' && live.length > 0) {
        await live[at]!.of.answer();
        Object.assign(live[at]!, { dueAt: due(), answerBy: null });
      } else if (live.length > 0) {
        await live[at]!.of.leave();
        live.splice(at, 1);
      }
      expect(all.map(({ of }) => of.beats)).toEqual(all.map(({ beats }) => beats));
      const moments = live.map(({ dueAt, answerBy }) => dueAt ?? answerBy);
      expect(waiting.size).toBe(new Set(moments).size);
    }
    await server.io.close();
    await until(() => waiting.size === 0);
  },
);

test('[T59] of many heartbeats that are due at once, 100 go at a time', async () => {
  const server = await openServer();
  const all = [];
  for (let opened = 0; opened < 230; opened += 1) all.push(await open(server));
  await server.clock.advance(INTERVAL_MS + STEP_MS);
  const counts = new Map<number, number>();
  for (const at of all.flatMap(({ beats }) => beats)) counts.set(at, (counts.get(at) ?? 0) + 1);
  expect([...counts]).toEqual([
    [10_000, 100],
    [10_010, 100],
    [10_020, 30],
  ]);
});

test('[T59] a client that does not answer is closed after the ping timeout and not before', async () => {
  const server = await openServer({ pingTimeout: TIMEOUT_MS });
  const { clock, waiting } = server;
  const { raw, client, answer } = await open(server);
  const closed = once(raw, 'close');
  const saySomething = async (): Promise<void> => {
    const heard = once(raw, 'packet');
    client.send(NOTHING);
    await heard;
  };
  for (const _beat of [1, 2]) {
    await clock.advance(INTERVAL_MS);
    await clock.advance(TIMEOUT_MS - 1);
    // This gives more time, but only once for each heartbeat.
    await saySomething();
    await clock.advance(TIMEOUT_MS - 1);
    await saySomething();
    expect(raw.readyState).toBe('open');
    await answer();
  }
  await clock.advance(INTERVAL_MS + STEP_MS);
  await clock.advance(TIMEOUT_MS - STEP_MS - 1);
  expect(raw.readyState).toBe('open');
  await clock.advance(STEP_MS + 1);
  expect((await closed)[0]).toBe('ping timeout');
  expect(waiting.size).toBe(0);
});

test('[T59] a connection that is closed for a flood of answers leaves no timer', async () => {
  const server = await openServer();
  const { raw, client } = await open(server);
  const closed = once(raw, 'close');
  for (let sent = 0; sent < 30; sent += 1) client.send('3');
  await closed;
  await new Promise((resolve) => void setImmediate(resolve));
  expect(server.waiting.size).toBe(0);
});

test('[T81] a client whose answer comes during a stall of the process stays', async () => {
  const server = await openServer({ pingTimeout: TIMEOUT_MS });
  const [one, other] = [await open(server), await open(server)];
  await server.clock.advance(INTERVAL_MS);
  const [answered, closed] = [once(one.raw, 'heartbeat'), once(other.raw, 'close')];
  // As after a stall, the timers run before the sockets are read.
  await server.clock.real.pause(0);
  one.client.send('3');
  await server.clock.advance(TIMEOUT_MS);
  await answered;
  expect((await closed)[0]).toBe('ping timeout');
  expect(one.raw.readyState).toBe('open');
});

test('[T59] an official client stays connected', async () => {
  const server = await openServer();
  const connected = once(server.io.engine, 'connection') as Promise<[RawConnection]>;
  const socket = connect(server.url, { transports: ['websocket'], forceNew: true });
  onTestFinished(() => void socket.disconnect());
  const [raw] = await connected;
  await until(() => socket.connected);
  let pings = 0;
  socket.io.on('ping', () => void (pings += 1));
  for (const turn of [1, 2, 3]) {
    const answered = once(raw, 'heartbeat');
    await server.clock.advance(INTERVAL_MS + STEP_MS);
    await answered;
    expect(pings).toBe(turn);
  }
  expect(socket.connected).toBe(true);
});

test('[T59] the timers of Engine.IO send the heartbeats only if the versions are unknown', async () => {
  const [known, unknown] = [await openServer({ pingInterval: 50 }), await openServer({ pingInterval: 50 }, false)];
  // The time of the first server stands still. Its own timer of Engine.IO would fire before that of the second.
  const { beats } = await open(known);
  const { heard, answer } = await open(unknown);
  await until(() => heard.at(-1) === '2');
  heard.length = 0;
  await answer();
  await until(() => heard.at(-1) === '2');
  expect([beats, known.waiting.size, unknown.waiting.size]).toEqual([[], 1, 0]);
});

test('[T59] a client of protocol 3, which sends the heartbeats itself, gets none', async () => {
  const server = await openServer({ allowEIO3: true });
  const { client, heard, beats } = await open(server, 3);
  client.send('2');
  await until(() => heard.at(-1) === '3');
  await server.clock.advance(3 * INTERVAL_MS);
  expect([beats, server.waiting.size]).toEqual([[], 0]);
});
