import { isPage, Pages, type Page } from '../../packages/client/src/pages.ts';
import { isRecord, type Fields } from '../../packages/client/src/records.ts';
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

/**
 * Reads a resource. Throws `ServiceProblem` if the server refuses.
 * @param isSound whether the server writes such a body. Any other one, such as that of a proxy, is a missing answer
 */
function read<T>(path: string, isSound: (body: Fields) => boolean): Promise<T> {
  return send<T>({ method: 'GET', path, isSound: (body) => isRecord(body) && isSound(body) });
}

/** Reads an object of this kind. Throws `ServiceProblem` if the server refuses. */
export function get<T extends { readonly object: string }>(path: string, kind: T['object']): Promise<T> {
  return read<T>(path, isOf(kind));
}

/** Reads the clock of the server. */
export function getTime(): Promise<{ readonly now: number; readonly clock_scale: number }> {
  return read('/healthz', ({ now, clock_scale: scale }) => typeof now === 'number' && typeof scale === 'number');
}

/** Reads one page of a list. Throws `ServiceProblem` if the server refuses. */
export function getPage<T>(path: string): Promise<Page<T>> {
  return read<Page<T>>(path, isPage);
}

/**
 * Sends a body, again if the answer is lost, and returns the object of this kind. Throws `ServiceProblem` if the server refuses.
 * @param version the version that the reader has seen. If the object has changed since, the server refuses.
 */
export function post<T extends { readonly object: string }>(
  path: string,
  kind: T['object'],
  body: object,
  version?: number,
): Promise<T> {
  const isSound = (answer: unknown): boolean => isRecord(answer) && isOf(kind)(answer);
  return send<T>({ method: 'POST', path, body, keyed: true, ifMatch: version, isSound });
}

function isOf(kind: string): (body: Fields) => boolean {
  return ({ object }) => object === kind;
}

/** Reads a list to its end. */
export function getAll<T>(path: string, query: Record<string, string>): Promise<T[]> {
  const pages = new Pages<T>((cursor) => {
    const asked = new URLSearchParams({ ...query, limit: '100', ...(cursor === null ? {} : { cursor }) });
    return getPage<T>(`${path}?${asked.toString()}`);
  });
  return pages.take(MOST_ITEMS);
}
