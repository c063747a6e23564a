// REST as a careful client uses it. It knows every address, leaves a dead one for the next, and limits its retries.
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from './wire.ts';

export type Call = { readonly token?: string | undefined; readonly body?: unknown };

/** An answer that is not 2xx. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: Partial<Problem>;

  constructor(what: string, status: number, problem: Partial<Problem>) {
    super(`${what}: ${status} ${problem.code ?? ''} ${problem.detail ?? ''}`.trim());
    this.status = status;
    this.problem = problem;
  }
}

export type Api = {
  readonly addresses: readonly string[];
  /**
   * Sends a request until it is answered. Network errors, 5xx and `retryable` problems are retried on other servers for
   * up to 60 s. The caller makes sure that a retry is harmless.
   * @throws ApiError for any other refusal, or when the time has run out
   */
  call<T>(method: 'GET' | 'POST' | 'PATCH', path: string, call?: Call): Promise<T>;
  readonly retries: () => number;
};

const ATTEMPT_MS = 10_000;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/**
 * A client of the server processes at these addresses. It stays with one as long as that one answers.
 * @param onServerError is called for each answer with status 500
 */
export function createApi(addresses: readonly string[], onServerError: (what: string) => void = () => {}): Api {
  let current = 0;
  let retries = 0;
  async function call<T>(method: string, path: string, { token, body }: Call = {}): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    const what = `${method} ${path}`;
    for (;;) {
      const base = addresses[current % addresses.length] ?? '';
      const result = await attempt(base, method, path, token, body);
      if (result.status >= 200 && result.status < 300) return result.body as T;
      const problem = (result.body ?? {}) as Partial<Problem>;
      if (result.status === 500) onServerError(`${what}: ${problem.request_id ?? ''}`);
      const isWorthAnother = result.status === 0 || result.status >= 500 || problem.retryable === true;
      if (!isWorthAnother || performance.now() > deadline) throw new ApiError(what, result.status, problem);
      retries += 1;
      current += 1;
      await pause(PAUSE_MS * (1 + Math.random()));
    }
  }
  return { addresses, call, retries: () => retries };
}

async function attempt(
  base: string,
  method: string,
  path: string,
  token: string | undefined,
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch {
    // A client treats a dead, ending or silent server alike and asks another one.
    return { status: 0, body: null };
  }
}
