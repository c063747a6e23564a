import type { Problem } from '../shared/wire.ts';
import { ProblemError } from './refusal.ts';
import { renew, session } from './session.ts';

/** A page of a list. */
export type List<T> = { readonly data: T[]; readonly has_more: boolean; readonly next_cursor: string | null };

/** Most pages read of one list: 100 each. */
const MOST_PAGES = 20;

/** Reads a resource. Throws `ProblemError` if the server refuses. */
export async function get<T>(path: string): Promise<T> {
  return request<T>(path, {});
}

/**
 * Sends a body. Throws `ProblemError` if the server refuses.
 * @param version the version that the reader has seen. If the object has changed since, the server refuses.
 */
export async function post<T>(path: string, body: object, version?: number): Promise<T> {
  const seen = version === undefined ? {} : { 'if-match': `"${version}"` };
  const headers = { 'content-type': 'application/json', ...seen };
  return request<T>(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Reads a list to its end. */
export async function getAll<T>(path: string, query: Record<string, string>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const asked = new URLSearchParams({ ...query, limit: '100', ...(cursor === null ? {} : { cursor }) });
    const list: List<T> = await get<List<T>>(`${path}?${asked.toString()}`);
    all.push(...list.data);
    cursor = list.next_cursor;
    if (!list.has_more || cursor === null) break;
  }
  return all;
}

type Init = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string };

async function request<T>(path: string, init: Init): Promise<T> {
  let answer = await send(path, init);
  if (answer.status === 401 && (await renew())) answer = await send(path, init);
  if (!answer.ok) throw new ProblemError((await answer.json()) as Problem);
  return (await answer.json()) as T;
}

function send(path: string, init: Init): Promise<Response> {
  const headers = { ...init.headers, authorization: `Bearer ${session.value?.accessToken ?? ''}` };
  return fetch(path, { ...init, headers, signal: AbortSignal.timeout(15_000) });
}
