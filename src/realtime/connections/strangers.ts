import type { Clock } from '../../ports/process.ts';

/** Machine time over which failed handshakes are counted. */
const WINDOW_MS = 60_000;
/** Most networks in memory. The least recently used one is forgotten first. */
const MOST_NETWORKS = 20_000;

type Entry = {
  /** Connections that are open and have not authenticated. */
  pending: number;
  /** Handshakes that failed in this window of time. */
  failed: number;
  windowFrom: number;
};

/**
 * Counts connections that have not authenticated, by network. Authenticated connections do not count, because many
 * couriers share the address of one mobile carrier.
 */
export class Strangers {
  readonly #most: number;
  readonly #clock: Clock;
  readonly #byNetwork = new Map<string, Entry>();

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /** Says whether this network may open one more connection. */
  mayCome(network: string): boolean {
    const { pending, failed } = this.#entryOf(network);
    return pending + failed < this.#most;
  }

  /** Counts an open connection that has not authenticated. */
  come(network: string): void {
    this.#entryOf(network).pending += 1;
  }

  /** Uncounts a connection that has authenticated or is closed. */
  go(network: string): void {
    const entry = this.#entryOf(network);
    entry.pending = Math.max(0, entry.pending - 1);
  }

  /** Counts a refused handshake, or a connection that was closed without a handshake. */
  fail(network: string): void {
    this.#entryOf(network).failed += 1;
  }

  #entryOf(network: string): Entry {
    const now = this.#clock.real.elapsed();
    const entry = this.#byNetwork.get(network) ?? { pending: 0, failed: 0, windowFrom: now };
    if (now - entry.windowFrom >= WINDOW_MS) Object.assign(entry, { failed: 0, windowFrom: now });
    // The map is in the order of use.
    this.#byNetwork.delete(network);
    this.#byNetwork.set(network, entry);
    for (const oldest of this.#byNetwork.keys()) {
      if (this.#byNetwork.size <= MOST_NETWORKS) break;
      this.#byNetwork.delete(oldest);
    }
    return entry;
  }
}
