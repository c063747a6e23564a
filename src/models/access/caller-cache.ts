import { credentialOf, type Caller, type CredentialId } from '../../domain/access.ts';
import type { Credentials } from '../../ports/access.ts';
import type { Clock } from '../../ports/process.ts';

const LIFE_MS = 5_000;
const MOST = 10_000;
/** A vendor who has called within this time probably calls again. */
const BUSY_MS = 60_000;
/** Machine time between two renewals. So an entry is renewed before it ends, also if one renewal fails or is slow. */
const RENEW_MS = 2_000;

type Entry = { readonly caller: Caller; until: number; usedAt: number };

/**
 * Caches callers by the hash of their token, so that not every request costs a signature or a read. Entries are short
 * lived, because a revoked credential may still pass until then. While calls arrive, the entries of busy vendors are
 * renewed all at once.
 */
export class CallerCache {
  readonly #clock: Clock;
  readonly #listEnded: Credentials['listEnded'];
  /** Credentials that ended lately. A read from before their end must not bring them back. */
  readonly #ended = new Set<CredentialId>();
  readonly #entries = new Map<string, Entry>();
  #renewedAt = -Infinity;

  /** @param listEnded finds which credentials have ended */
  constructor(clock: Clock, listEnded: Credentials['listEnded']) {
    this.#clock = clock;
    this.#listEnded = listEnded;
  }

  get(key: string): Caller | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    const now = this.#clock.real.now();
    if (entry.until <= now) {
      this.#entries.delete(key);
      return null;
    }
    entry.usedAt = now;
    // If the database does not answer, the entries end, and the next request of each vendor gets the error.
    if (now - this.#renewedAt >= RENEW_MS) void this.#renew(now).catch(() => undefined);
    return entry.caller;
  }

  set(key: string, caller: Caller): void {
    const id = credentialOf(caller);
    if (id !== null && this.#ended.has(id)) return;
    const now = this.#clock.real.now();
    this.#entries.set(key, { caller, until: endOf(caller, now), usedAt: now });
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

  /** Renews the entries of the vendors who have called within a minute, but for those whose key has ended. */
  async #renew(now: number): Promise<void> {
    this.#renewedAt = now;
    const busy: { readonly key: string; readonly entry: Entry; readonly id: CredentialId }[] = [];
    for (const [key, entry] of this.#entries) {
      if (entry.caller.type !== 'vendor' || now - entry.usedAt >= BUSY_MS) continue;
      busy.push({ key, entry, id: entry.caller.keyId });
    }
    const ended = await this.#listEnded(busy.map(({ id }) => id));
    for (const { key, entry, id } of busy) {
      // A slower renewal may end after the next one.
      const isHeld = this.#entries.get(key) === entry;
      if (isHeld && !ended.has(id)) entry.until = Math.max(entry.until, endOf(entry.caller, now));
    }
  }
}

/** When the entry of a caller who was read now ends. */
function endOf(caller: Caller, now: number): number {
  const expiresAt = 'expiresAt' in caller ? (caller.expiresAt ?? Infinity) : Infinity;
  return Math.min(now + LIFE_MS, expiresAt);
}
