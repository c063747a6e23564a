import { vi } from 'vitest';

/** A service that answers as a test says, and remembers what it was asked. */
export type Asked = {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
};

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };
export type Said = Answer | Error;

/** A `fetch` that answers each request with the next answer, and all further ones with the last. */
export function answering(...answers: readonly Said[]): { fetch: typeof fetch; asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    fetch: (url, init = {}) => {
      const said = answers[Math.min(asked.length, answers.length - 1)] ?? {};
      asked.push({
        url: url instanceof Request ? url.url : String(url),
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        body: init.body,
      });
      if (said instanceof Error) return Promise.reject(said);
      const { status = 200, body = {}, headers = {} } = said;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return Promise.resolve(new Response(status === 204 ? null : text, { status, headers }));
    },
  };
}

/** A refusal as the service writes it. */
export function refusal(status: number, code: string, retryable = false): Answer {
  const body = {
    type: `/docs/problems/${code}`,
    title: code,
    status,
    detail: code,
    code,
    retryable,
    request_id: 'req_1',
  };
  return { status, body };
}

/** Waits for an answer, as the `watch` of a connection that is never dead. */
export function watch<T>(answer: Promise<T>): Promise<T> {
  return answer;
}

/** The outcome of a call whose waits pass at once, by the false timers of the test. */
export async function settle<T>(call: Promise<T>): Promise<unknown> {
  const settled = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}
