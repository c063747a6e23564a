import { io, type Socket } from 'socket.io-client';
import { until } from '../until.ts';

export type Answer = { readonly status: number; readonly body: Record<string, unknown>; readonly headers: Headers };

export type Options = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** One JSON request with an optional bearer token. */
export async function call(baseUrl: string, route: string, options: Options = {}): Promise<Answer> {
  let answer: Answer | undefined;
  // Engines on a busy machine may be silent for so long that the server answers `busy`. Then a client tries again.
  await until(async () => {
    answer = await send(baseUrl, route, options);
    return answer.status !== 503 || answer.body['retryable'] !== true;
  });
  return answer as Answer;
}

/** One JSON request, sent once. */
export async function send(baseUrl: string, route: string, options: Options = {}): Promise<Answer> {
  const [method = 'GET', target = '/'] = route.split(' ');
  const answer = await fetch(`${baseUrl}${target}`, {
    method,
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json') === true;
  return {
    status: answer.status,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : { text },
    headers: answer.headers,
  };
}

/** A courier's or staff's access token, by the test-mode code or the password. */
export async function logIn(
  baseUrl: string,
  who: { phone: string } | { email: string; password: string },
): Promise<string> {
  if ('phone' in who) await call(baseUrl, 'POST /auth/otp', { body: { phone: who.phone } });
  const grant =
    'phone' in who ? { grant_type: 'otp', phone: who.phone, code: '000000' } : { grant_type: 'password', ...who };
  const { body, status } = await call(baseUrl, 'POST /auth/token', { body: grant });
  if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`);
  return String(body['access_token']);
}

/** A socket on a namespace, connected. */
export async function connect(baseUrl: string, namespace: string, auth: Record<string, unknown>): Promise<Socket> {
  const socket = io(`${baseUrl}${namespace}`, { transports: ['websocket'], auth, forceNew: true, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

/** Runs a task for every item, at most `width` at once, results in order. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lanes = Array.from({ length: Math.min(width, items.length) }, async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await task(items[index] as T, index);
    }
  });
  await Promise.all(lanes);
  return results;
}
