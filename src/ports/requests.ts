/** Requests with an `Idempotency-Key`, and their answers. */
import type { DeliveryId } from '../domain/ids.ts';
import type { RefusalCode, RefusalDetail } from '../domain/refusals/refusals.ts';

/** A request as the store knows it: the hash of its account, method, path and key, and the hash of its body. */
export type RequestKey = { readonly id: string; readonly fingerprint: string };

/** The answer of a request as it is kept: what the endpoint returned, or the refusal that it threw. */
export type KeptAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown }
  | { readonly refusal: { readonly code: RefusalCode; readonly told: RefusalDetail & { readonly detail: string } } };

/** The right to run a request. It lasts 10 s of machine time after the last `take` or `renew`. */
export type Turn = {
  readonly request: string;
  /** The name of this right. Another process may take over with another one. */
  readonly name: string;
  /** The last 26 characters of the ids that the request gives to new objects. Every try of the request has the same. */
  readonly seed: string;
  /**
   * 32 bytes for a secret that the request makes. Every try of the request has the same. Null if an earlier try had
   * others, because the key of the server has changed since.
   */
  readonly entropy: Uint8Array | null;
  /** The delivery that an earlier try has changed; null if none did. */
  readonly changed: DeliveryId | null;
  /** When the first try began, service time in ms. */
  readonly begunAt: number;
  /** True if an earlier try may have had an effect. */
  readonly isRetry: boolean;
};

export type Taken =
  | { readonly state: 'ours'; readonly turn: Turn }
  | { readonly state: 'answered'; readonly answer: KeptAnswer }
  /** Another process runs the request. */
  | { readonly state: 'running' }
  /** The key was used with another body. After a change of the server's key, nobody can tell. */
  | { readonly state: 'reused' };

export type RequestStore = {
  /** Reserves the request for this process, before it runs. A majority of the database has the reservation then. */
  take(key: RequestKey): Promise<Taken>;
  /** Prolongs the right to run the request. */
  renew(turn: Turn): Promise<void>;
  /** Stores the answer and returns it. If another process has stored an answer, it returns that one. */
  finish(turn: Turn, answer: KeptAnswer): Promise<KeptAnswer>;
  /** Lets the next try run at once. It makes the same ids. */
  release(turn: Turn): Promise<void>;
  /** Removes a request that has had no effect, so that its key is unused again. */
  forget(turn: Turn): Promise<void>;
};

/** Members of the context that this file describes. */
export type RequestPorts = { readonly requests: RequestStore };
