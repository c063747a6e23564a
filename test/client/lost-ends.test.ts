import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { NoAnswer } from '../../packages/client/src/problems.ts';
import { answering, refusal, settle } from './answers.ts';

const baseUrl = 'https://a.example/';
const [cut, refused] = [new TypeError('cut'), refusal(401, 'unauthorized')];

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** An access token of a session, as the service makes them. */
function tokenOf(sessionId: string): string {
  return `e30.${Buffer.from(JSON.stringify({ sub: 'cou_1', sid: sessionId, roles: ['ÿ~?'] })).toString('base64url')}.c2ln`;
}

test('[H559] the end of the own session is done if its answer was lost, and no login begins', async () => {
  const { fetch, asked } = answering(cut, refused);
  const session = { token: () => Promise.resolve(tokenOf('ses_1')), distrust: vi.fn<() => void>() };
  const { auth } = createClient({ baseUrl, fetch, credential: session });
  expect(await settle(auth.endSession('ses_1'))).toBeUndefined();
  expect([asked.length, session.distrust.mock.calls.length]).toEqual([2, 0]);
});

test('[H559] the end of another session is asked for again with a new token', async () => {
  const { fetch } = answering(cut, refused, { status: 204 });
  const session = { token: () => Promise.resolve(tokenOf('ses_1')), distrust: vi.fn<() => void>() };
  const { auth } = createClient({ baseUrl, fetch, credential: session });
  expect(await settle(auth.endSession('ses_2'))).toBeUndefined();
  expect(session.distrust).toHaveBeenCalledTimes(1);
});

test('[H559] the end of all sessions whose answer was lost is a missing answer, and no login begins', async () => {
  const { fetch, asked } = answering(cut, refused);
  const session = { token: () => Promise.resolve(tokenOf('ses_1')), distrust: vi.fn<() => void>() };
  const { auth } = createClient({ baseUrl, fetch, credential: session });
  expect(await settle(auth.endSessions({ keep_current: 'false' }))).toBeInstanceOf(NoAnswer);
  expect([asked.length, session.distrust.mock.calls.length]).toEqual([2, 0]);
});

test('[H567] the end of the own API key whose answer was lost is a missing answer, and so is its rotation', async () => {
  const ended = () => createClient({ baseUrl, credential: 'dsk_live_1', fetch: answering(cut, refused).fetch });
  expect(await settle(ended().access.revokeApiKey('key_1'))).toMatchObject({ name: 'NoAnswer', idempotencyKey: null });
  const rotation = ended().access.rotateApiKey('key_1', { overlap_hours: 0 }, { idempotencyKey: 'order-7' });
  expect(await settle(rotation)).toMatchObject({ name: 'NoAnswer', idempotencyKey: 'order-7' });
});

test('[H567] a read, and a write whose first try is refused, are refused for good if the API key has ended', async () => {
  const read = createClient({ baseUrl, credential: 'dsk_live_1', fetch: answering(cut, refused).fetch });
  expect(await settle(read.deliveries.get('del_1'))).toMatchObject({ code: 'unauthorized' });
  const first = createClient({ baseUrl, credential: 'dsk_live_1', fetch: answering(refused).fetch });
  expect(await settle(first.access.revokeApiKey('key_1'))).toMatchObject({ code: 'unauthorized' });
});

test.each([new Error('the password is not known'), new NoAnswer('POST /auth/token')])(
  '[H567] the removal of the own account whose answer was lost is a missing answer, also after the failed login: %s',
  async (error) => {
    const token = vi.fn<() => Promise<string>>(() => Promise.reject(error));
    const credential = {
      token: token.mockResolvedValueOnce('t').mockResolvedValueOnce('t'),
      distrust: () => undefined,
    };
    const { access } = createClient({ baseUrl, credential, fetch: answering(cut, refused).fetch });
    const outcome = await settle(access.removeStaff('stf_1'));
    expect(outcome).toMatchObject({ name: 'NoAnswer', message: expect.stringContaining('DELETE /') });
  },
);
