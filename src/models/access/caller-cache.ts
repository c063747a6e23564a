import { credentialOf, type Caller, type CredentialId } from '../../domain/access.ts';
import type { Clock } from '../../ports/process.ts';

const LIFE_MS = 5_000;
const MOST = 10_000;

/**
 * Caches callers by the hash of their token, so that not every request costs a signature or a read. Entries are short
 * lived, because a revoked credential may still pass until then.
 */
export class CallerCache {
  readonly #clock: Clock;
  /** Credentials that ended lately. A read from before their end must not bring them back. */
  readonly #ended = new Set<CredentialId>();
  readonly #entries = new Map<string, { readonly caller: Caller; readonly until: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(key: string): Caller | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (entry.until > this.#clock.real.now()) return entry.caller;
    this.#entries.delete(key);
    return null;
  }

  set(key: string, caller: Caller): void {
    const id = credentialOf(caller);
    if (id !== null && this.#ended.has(id)) return;
    const expiresAt = 'expiresAt' in caller ? (caller.expiresAt ?? Infinity) : Infinity;
    this.#entries.set(key, { caller, until: Math.min(this.#clock.real.now() + LIFE_MS, expiresAt) });
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MOST) break;
      this.#entries.delete(oldest);
    }
  }

  /** Forgets every token of these credentials. */
  drop(ended: ReadonlySet<CredentialId>): void {
    for (const id of ended) this.#ended.add(id);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= MOST) break;
      this.#ended.delete(oldest);
    }
    for (const [key, { caller }] of this.#entries) {
      const id = credentialOf(caller);
      if (id !== null && ended.has(id)) this.#entries.delete(key);
    }
  }
}
