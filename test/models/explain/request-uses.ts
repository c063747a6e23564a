import { newId } from '../../../src/domain/ids.ts';
import type { RequestStore } from '../../../src/ports/requests.ts';
import type { Calls } from './calls.ts';

/** Calls of every method of the store of requests. */
export function requestCalls(requests: RequestStore): Calls<RequestStore> {
  const turn = { request: newId('req'), name: newId('req'), seed: '', entropy: Buffer.alloc(32) };
  const lapsed = { ...turn, changed: null, begunAt: 0, isRetry: false };
  return {
    take: async () => {
      for (const fingerprint of ['one', 'one', 'other']) await requests.take({ id: 'request', fingerprint });
    },
    renew: () => requests.renew(lapsed),
    finish: () => requests.finish(lapsed, { status: 200, headers: {}, body: {} }),
    release: () => requests.release(lapsed),
    forget: () => requests.forget(lapsed),
  };
}
