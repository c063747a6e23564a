import { expect, onTestFinished, test, vi } from 'vitest';
import { NoAnswer } from '../../packages/client/src/problems.ts';
import { createSession } from '../../packages/client/src/sessions.ts';
import { thisMoment } from '../../packages/client/src/sockets/moments.ts';
import { createPingQueue } from '../../packages/client/src/sockets/ping-queue.ts';
import { createServiceClock } from '../../packages/client/src/sockets/service-clock.ts';
import { answering } from './answers.ts';
import { aCourier } from './courier-service.ts';

/** Bodies of successful answers that no service of ours gives, but a broken proxy or the login page of a network does. */
const NONSENSE = ['', 'null', '"ok"', '{}', '{"access_token":"a","refresh_token":"b"}'];

test.each(NONSENSE)('[H509] a renewal that is answered by `%s` keeps the login', async (body) => {
  const renewed = { access_token: 'renewed', refresh_token: 'next', expires_in: 900 };
  const { fetch, asked } = answering({ body }, { body: renewed });
  const login = vi.fn<() => Promise<never>>();
  const kept = vi.fn<() => void>();
  const options = { baseUrl: 'https://a.example', refreshToken: 'old', fetch, onTokens: kept };
  const session = createSession(login, options);
  await expect(session.token()).rejects.toBeInstanceOf(NoAnswer);
  expect(kept).not.toHaveBeenCalled();
  expect(await session.token()).toBe('renewed');
  expect(login).not.toHaveBeenCalled();
  expect(asked.map((one) => one.body)).toEqual(Array(2).fill('{"grant_type":"refresh_token","refresh_token":"old"}'));
});

test.each(NONSENSE)('[H510] if the question for the time is answered by `%s`, the known time goes on', async (body) => {
  vi.stubGlobal('fetch', answering({ body: { now: 1_700_000_000_000, clock_scale: 0 } }, { body }).fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
  const clock = createServiceClock('http://service');
  onTestFinished(() => clock.forget());
  await clock.read();
  await clock.read();
  clock.hear(NaN);
  expect([clock.at(thisMoment()), clock.isRead()]).toEqual([1_700_000_000_000, true]);
});

test('[H510] an offer without a time changes no clock', () => {
  const clock = createServiceClock('http://service');
  clock.hear(NaN);
  expect(clock.at(thisMoment())).toBeGreaterThan(1_700_000_000_000);
});

test('[H510] places wait a minute at most, however long an answer demands', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const answer = { ok: true, accepted: 0, dropped: 1, slow_down_ms: 1e12 };
  const emitWithAck = vi.fn<() => Promise<unknown>>(() => Promise.resolve(answer));
  const connection = { socket: () => ({ timeout: () => ({ emitWithAck }) }), doubt: () => {} };
  const clock = { at: () => 1, isRead: () => true, read: () => Promise.resolve(), hear: () => {}, forget: () => {} };
  const queue = createPingQueue(connection, clock, 1);
  onTestFinished(() => queue.close());
  queue.add({ lat: 52, lng: 13 });
  await vi.advanceTimersByTimeAsync(59_000);
  expect(emitWithAck).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(emitWithAck).toHaveBeenCalledTimes(2);
});

test('[H511] an action whose answer says neither success nor a refusal is repeated', async () => {
  const answers = [{}, { ok: false, problem: {} }, { ok: true }];
  const { socket, actions } = await aCourier((_socket, reply) => reply(answers[actions.length - 1]));
  expect(await socket.act('offer.accept', { offer_id: 'off_1' })).toEqual({ ok: true });
  expect(actions).toHaveLength(answers.length);
});
