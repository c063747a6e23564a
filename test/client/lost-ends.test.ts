import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { NoAnswer } from '../../packages/client/src/problems.ts';
import { answering, refusal } from './answers.ts';

const baseUrl = 'https://a.example/';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The outcome of a call whose waits pass at once. */
async function settle<T>(call: Promise<T>): Promise<unknown> {
  const settled = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

/** An access token of a session, as the service makes them. */
function tokenOf(sessionId: string): string {
  return `e30.${Buffer.from(JSON.stringify({ sub: 'cou_1', sid: sessionId, roles: ['ÿ~?'] })).toString('base64url')}.c2ln`;
}

test('[H559] the end of the own session is done if its answer was lost, and no login begins', async () => {
  const { fetch, asked } = answering(new TypeError('cut'), refusal(401, 'unauthorized'));
  const session = { token: () => Promise.resolve(tokenOf('ses_1')), distrust: vi.fn<() => void>() };
  const { auth } = createClient({ baseUrl, fetch, credential: session });
  expect(await settle(auth.endSession('ses_1'))).toBeUndefined();
  expect([asked.length, session.distrust.mock.calls.length]).toEqual([2, 0]);
});

test('[H559] the end of another session is asked for again with a new token', async () => {
  const { fetch } = answering(new TypeError('cut'), refusal(401, 'unauthorized'), { status: 204 });
  const session = { token: () => Promise.resolve(tokenOf('ses_1')), distrust: vi.fn<() => void>() };
  const { auth } = createClient({ baseUrl, fetch, credential: session });
  expect(await settle(auth.endSession('ses_2'))).toBeUndefined();
  expect(session.distrust).toHaveBeenCalledTimes(1);
});

test('[H559] the end of all sessions whose answer was lost is a missing answer, and no login begins', async () => {
  const { fetch, asked } = answering(new TypeError('cut'), refusal(401, 'unauthorized'));
  const session = { token: () => Promise.resolve(tokenOf('ses_1')), distrust: vi.fn<() => void>() };
  const { auth } = createClient({ baseUrl, fetch, credential: session });
  expect(await settle(auth.endSessions({ keep_current: 'false' }))).toBeInstanceOf(NoAnswer);
  expect([asked.length, session.distrust.mock.calls.length]).toEqual([2, 0]);
});
