import { expect, test, vi } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { NoAnswer } from '../../packages/client/src/problems.ts';
import { courierSession, createSession } from '../../packages/client/src/sessions.ts';
import type { Token } from '../../packages/client/src/generated/types.ts';
import { answering, refusal, type Said } from './answers.ts';

const baseUrl = 'https://a.example';

function aToken(name: string, expiresIn = 900): Token {
  return {
    object: 'token',
    token_type: 'Bearer',
    access_token: name,
    refresh_token: `after-${name}`,
    expires_in: expiresIn,
  };
}

test('[H354] all who need a token at once share one login and one renewal', async () => {
  const { fetch, asked } = answering({}, { body: aToken('a', 0) }, { body: aToken('b') });
  const kept: string[] = [];
  const session = courierSession('+4930123456', () => Promise.resolve('000000'), {
    baseUrl,
    fetch,
    onTokens: ({ refresh_token: next }) => void kept.push(next),
  });
  const all = (): Promise<string[]> => Promise.all(Array.from({ length: 20 }, () => session.token()));
  expect(new Set(await all())).toEqual(new Set(['a']));
  // The token has ended at once, so all need the next one.
  expect(new Set(await all())).toEqual(new Set(['b']));
  expect(asked.map(({ url }) => new URL(url).pathname)).toEqual(['/auth/otp', '/auth/token', '/auth/token']);
  expect(asked[2]?.body).toBe('{"grant_type":"refresh_token","refresh_token":"after-a"}');
  expect(kept).toEqual(['after-a', 'after-b']);
});

test('[H354] a kept refresh token spares the login, and a refused one leads to a new login', async () => {
  const login = (): Promise<Token> => Promise.resolve(aToken('fresh'));
  const options = { baseUrl, refreshToken: 'kept' };
  const good = answering({ body: aToken('renewed') });
  expect(await createSession(login, { ...options, fetch: good.fetch }).token()).toBe('renewed');
  const refused = answering(refusal(401, 'unauthorized'));
  expect(await createSession(login, { ...options, fetch: refused.fetch }).token()).toBe('fresh');
  const broken = answering(refusal(422, 'invalid_params'));
  await expect(createSession(login, { ...options, fetch: broken.fetch }).token()).rejects.toMatchObject({
    status: 422,
  });
});

test('[H538] a code that is refused after a login without an answer may be used up, so the login is not refused for good', async () => {
  const used = refusal(401, 'otp_invalid');
  const logIn = (...answers: Said[]): Promise<string> =>
    courierSession('+4930123456', () => Promise.resolve('000000'), {
      baseUrl,
      fetch: answering({}, ...answers).fetch,
      retries: { firstMs: 1, mostMs: 1 },
    }).token();
  await expect(logIn(new TypeError('cut'), used)).rejects.toMatchObject({
    name: 'NoAnswer',
    cause: { code: 'otp_invalid' },
  });
  await expect(logIn(used)).rejects.toMatchObject({ name: 'ServiceProblem', code: 'otp_invalid' });
  expect(await logIn(new TypeError('cut'), { body: aToken('a') })).toBe('a');
});

test('[H539] a call that may be done keeps its key, although the renewal of the token for its repeat has failed', async () => {
  const gone = new Error('the user has closed the dialog');
  for (const failure of [new NoAnswer('POST /auth/token'), gone]) {
    const token = vi.fn<() => Promise<string>>(() => Promise.reject(failure)).mockResolvedValueOnce('t');
    const options = { baseUrl, credential: { token, distrust: () => undefined }, retries: { firstMs: 1, mostMs: 1 } };
    const lost = createClient({ ...options, fetch: answering(new TypeError('cut')).fetch });
    const call = lost.express.cancel('del_1', {}, { idempotencyKey: 'order-9' });
    await expect(call).rejects.toMatchObject({ name: 'NoAnswer', idempotencyKey: 'order-9', cause: failure });
    await expect(lost.express.cancel('del_1')).rejects.toBe(failure);
  }
});

test('[H539] a 401 that is not one of the service costs no token', async () => {
  const distrust = vi.fn<() => void>();
  const credential = { token: () => Promise.resolve('t'), distrust };
  const { fetch } = answering({ status: 401, body: '<html>' });
  await expect(createClient({ baseUrl, fetch, credential }).couriers.get('cou_1')).rejects.toBeInstanceOf(NoAnswer);
  expect(distrust).not.toHaveBeenCalled();
});

test('[H354] a refused access token is renewed once in a call', async () => {
  let logins = 0;
  const session = createSession(() => Promise.resolve(aToken(`t${(logins += 1)}`)), {
    baseUrl,
    fetch: answering(refusal(401, 'unauthorized')).fetch,
  });
  const once = answering(refusal(401, 'token_expired'), { body: { id: 'cou_1' } });
  await createClient({ baseUrl, fetch: once.fetch, credential: session }).couriers.get('cou_1');
  expect(once.asked.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer t1', 'Bearer t2']);
  const never = answering(refusal(401, 'token_expired'));
  const client = createClient({ baseUrl, fetch: never.fetch, credential: session });
  await expect(client.couriers.get('cou_1')).rejects.toMatchObject({ code: 'token_expired' });
  expect(never.asked.length).toBe(2);
});

test('[H354] a new refresh token is used next, also if the app could not store it', async () => {
  const { fetch, asked } = answering({ body: aToken('a') }, { body: aToken('b') });
  let stores = 0;
  const session = createSession(() => Promise.reject(new Error('no login is needed')), {
    baseUrl,
    fetch,
    refreshToken: 'kept',
    onTokens: () => ((stores += 1) === 1 ? Promise.reject(new Error('the disk is full')) : Promise.resolve()),
  });
  await expect(session.token()).rejects.toThrow('the disk is full');
  expect(await session.token()).toBe('b');
  expect(asked.map(({ body }) => JSON.parse(String(body)).refresh_token)).toEqual(['kept', 'after-a']);
});

test('[H493] windows that share a stored refresh token renew with the newest one, whichever window got it', async () => {
  const { fetch, asked } = answering(...['a', 'b', 'c', 'd'].map((name) => ({ body: aToken(name, 0) })));
  let stored: string | null = 'kept';
  const aWindow = () =>
    createSession(() => Promise.reject(new Error('no login is needed')), {
      baseUrl,
      fetch,
      refreshToken: () => stored,
      onTokens: ({ refresh_token: next }) => void (stored = next),
    });
  const [one, other] = [aWindow(), aWindow()];
  expect(await one.token()).toBe('a');
  expect(await other.token()).toBe('b');
  expect(await one.token()).toBe('c');
  // The store is behind the session that could not write to it.
  stored = 'after-b';
  expect(await one.token()).toBe('d');
  const used = asked.map(({ body }) => JSON.parse(String(body)).refresh_token);
  expect(used).toEqual(['kept', 'after-a', 'after-b', 'after-c']);
});

test('[H493] a session whose store never changes renews with the token of the answer before', async () => {
  const { fetch, asked } = answering(...['a', 'b', 'c'].map((name) => ({ body: aToken(name, 0) })));
  const session = createSession(() => Promise.reject(new Error('no login is needed')), {
    baseUrl,
    fetch,
    refreshToken: () => 'kept',
  });
  for (const name of ['a', 'b', 'c']) expect(await session.token()).toBe(name);
  const used = asked.map(({ body }) => JSON.parse(String(body)).refresh_token);
  expect(used).toEqual(['kept', 'after-a', 'after-b']);
});
