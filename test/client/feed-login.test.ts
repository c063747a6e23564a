import { createServer } from 'node:http';
import { Server } from 'socket.io';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isProblem, NoAnswer, ServiceProblem } from '../../packages/client/src/problems.ts';
import { openVendorFeed } from '../../packages/client/src/sockets/vendor.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';
import { refusal } from './answers.ts';
import { hurry } from './hurry.ts';

type Login = () => Promise<string>;

function refused(status: number, code: string, isRetryable = false): ServiceProblem {
  const { body } = refusal(status, code, isRetryable);
  if (!isProblem(body)) throw new Error('the service writes another refusal');
  return new ServiceProblem('POST /auth/token', body);
}

/** A feed at a service that wants a token and never answers `mute`, whose logins go one after the other as a test says. */
async function aFeed(...logins: readonly [Login, ...Login[]]) {
  const server = createServer();
  const io = new Server(server, { transports: ['websocket'] });
  io.of('/vendor').use(({ handshake }, next) => {
    if (handshake.auth['token'] === 'mute') return;
    if (handshake.auth['token'] === 't') return next();
    next(Object.assign(new Error('no'), { data: refused(401, 'unauthorized').problem }));
  });
  const seen = { logins: 0, states: [] as string[], refused: [] as string[], failed: [] as unknown[] };
  const token = (): Promise<string> => {
    const login = logins[Math.min(seen.logins, logins.length - 1)] ?? logins[0];
    seen.logins += 1;
    return login();
  };
  const feed = openVendorFeed({
    baseUrl: await openPort(server),
    apiKey: { token, distrust: () => undefined },
    backoff: { firstMs: 5, mostMs: 10 },
    onState: (state) => void seen.states.push(state),
    onRefused: ({ code }) => void seen.refused.push(code),
    onLoginFailed: (error) => void seen.failed.push(error),
  });
  onTestFinished(async () => {
    feed.close();
    await io.close();
  });
  return seen;
}

const given: Login = () => Promise.resolve('t');

test('[H354] a login that the service refuses for good closes the feed and is not begun again', async () => {
  const seen = await aFeed(() => Promise.reject(refused(409, 'courier_not_verified')));
  await until(() => seen.states.includes('closed'), 5000);
  expect(seen).toEqual({ logins: 1, states: ['joining', 'closed'], refused: ['courier_not_verified'], failed: [] });
});

test('[H354] a login that the app ends closes the feed, which reports the error', async () => {
  const gone = new Error('the user has closed the dialog');
  const seen = await aFeed(() => Promise.reject(gone));
  await until(() => seen.states.includes('closed'), 5000);
  expect(seen).toEqual({ logins: 1, states: ['joining', 'closed'], refused: [], failed: [gone] });
});

test('[H354] a login without an answer, or at a busy service, is tried again', async () => {
  const silent: Login = () => Promise.reject(new NoAnswer('POST /auth/token'));
  const seen = await aFeed(silent, () => Promise.reject(refused(503, 'busy', true)), given);
  await until(() => seen.states.includes('live'), 5000);
  expect(seen).toEqual({ logins: 3, states: ['joining', 'live'], refused: [], failed: [] });
});

test('[H354] a renewal that fails for good closes a live feed, and nothing asks for a token any more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const silent: Login = () => Promise.reject(new NoAnswer('POST /auth/token'));
  const seen = await aFeed(given, silent, () => Promise.reject(refused(403, 'forbidden')));
  await until(() => seen.states.includes('live'), 5000);
  for (let turn = 0; turn < 5; turn += 1) await vi.advanceTimersByTimeAsync(30_000);
  expect(seen).toEqual({ logins: 3, states: ['joining', 'live', 'closed'], refused: ['forbidden'], failed: [] });
});

test('[H500] a handshake without an answer is followed by the next one after 6 s', async () => {
  hurry([6000]);
  const seen = await aFeed(() => Promise.resolve('mute'), given);
  await until(() => seen.states.includes('live'), 5000);
  expect(seen).toEqual({ logins: 2, states: ['joining', 'live'], refused: [], failed: [] });
});
