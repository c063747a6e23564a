import { Pages, type Page } from '../../packages/client/src/pages.ts';
import { createTransport } from '../../packages/client/src/transport.ts';
import { RETRIES, renew, session } from './session.ts';

/** Most items read of one list. */
export const MOST_ITEMS = 2000;

/** The token that the server refused last. A request with it renews the session first. */
let refused: string | null = null;

const send = createTransport({
  baseUrl: '',
  retries: RETRIES,
  credential: {
    token: async () => {
      if (session.value?.accessToken === refused) await renew();
      return session.value?.accessToken ?? '';
    },
    distrust: (token) => {
      refused = token;
    },
  },
});

/** Reads a resource. Throws `ServiceProblem` if the server refuses. */
export function get<T>(path: string): Promise<T> {
  return send<T>({ method: 'GET', path });
}

/**
 * Sends a body, again if the answer is lost. Throws `ServiceProblem` if the server refuses.
 * @param version the version that the reader has seen. If the object has changed since, the server refuses.
 */
export function post<T>(path: string, body: object, version?: number): Promise<T> {
  return send<T>({ method: 'POST', path, body, keyed: true, ifMatch: version });
}

/** Reads a list to its end. */
export function getAll<T>(path: string, query: Record<string, string>): Promise<T[]> {
  const pages = new Pages<T>((cursor) => {
    const asked = new URLSearchParams({ ...query, limit: '100', ...(cursor === null ? {} : { cursor }) });
    return get<Page<T>>(`${path}?${asked.toString()}`);
  });
  return pages.take(MOST_ITEMS);
}
