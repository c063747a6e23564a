// REST of the load tests: the transport of the client, with all addresses and much patience.
import { NoAnswer, ServiceProblem } from '../../packages/client/src/problems.ts';
import { createTransport, type TransportOptions } from '../../packages/client/src/transport.ts';
import { sum } from '../statistics.ts';

export type Call = { readonly token?: string | undefined; readonly body?: unknown };

export type Api = {
  readonly addresses: readonly string[];
  /** The same patience for sessions. */
  readonly options: TransportOptions;
  /**
   * Sends a request until it is answered, for up to 60 s. The caller makes sure that a retry is harmless.
   * @throws ServiceProblem or NoAnswer
   */
  call<T>(method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, call?: Call): Promise<T>;
  readonly retries: () => number;
  /** How many tries failed, by the code of the refusal or `no_answer`. */
  readonly failures: () => Readonly<Record<string, number>>;
};

const ATTEMPT_MS = 10_000;
/** A run must outlive a server that is killed and started again, so only time limits the retries. */
const RETRIES = { most: Infinity, withinMs: 60_000, firstMs: 200, mostMs: 200 };

/**
 * A client of the server processes at these addresses. It stays with one as long as that one answers.
 * @param onServerError is called for each answer with status 500
 */
export function createApi(addresses: readonly string[], onServerError: (what: string) => void = () => {}): Api {
  const failures: Record<string, number> = {};
  let final = 0;
  const onFailure = (failure: ServiceProblem | NoAnswer): void => {
    const code = failure instanceof ServiceProblem ? failure.code : 'no_answer';
    failures[code] = (failures[code] ?? 0) + 1;
    if (failure instanceof ServiceProblem && failure.status === 500) onServerError(failure.message);
  };
  const options: TransportOptions = { baseUrl: addresses, timeoutMs: ATTEMPT_MS, retries: RETRIES, onFailure };
  const send = createTransport(options);
  return {
    addresses,
    options,
    call: async (method, path, { token, body } = {}) => {
      try {
        return await send({ method, path, body, credential: token });
      } catch (error) {
        final += 1;
        throw error;
      }
    },
    // A failed try that did not end its call was followed by another one.
    retries: () => sum(Object.values(failures)) - final,
    failures: () => failures,
  };
}

/** Says whether the server refused for good. Without an answer, or after a failure, the same request may succeed. */
export function isFinal(error: unknown): boolean {
  return error instanceof ServiceProblem && error.status >= 400 && error.status < 500;
}
