import type { Clock } from '../../ports/process.ts';

/** Machine time over which failed handshakes are counted. */
const WINDOW_MS = 60_000;
/** Networks that are remembered; the one that was heard of least recently is forgotten first. */
const MOST_NETWORKS = 20_000;

type Entry = {
  /** Connections that are open and have not authenticated. */
  pending: number;
  /** Handshakes that failed in this window. */
  failed: number;
  windowFrom: number;
};

/**
 * Connections that have not authenticated, by the network they come from. Those that have do not count: many couriers
 * share the address of one mobile carrier.
 */
export class Strangers {
  readonly #most: number;
  readonly #clock: Clock;
  readonly #byNetwork = new Map<string, Entry>();

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#clock = clock;
  }

  /** Whether one more connection may come from this network. */
  mayCome(network: string): boolean {
    const { pending, failed } = this.#entryOf(network);
    return pending + failed < this.#most;
  }

  /** A connection is open that has not authenticated. */
  come(network: string): void {
    this.#entryOf(network).pending += 1;
  }

  /** It has authenticated, or is gone. */
  go(network: string): void {
    const entry = this.#entryOf(network);
    entry.pending = Math.max(0, entry.pending - 1);
  }

  /** A handshake was refused, or its connection went without one. */
  fail(network: string): void {
    this.#entryOf(network).failed += 1;
  }

  #entryOf(network: string): Entry {
    const now = this.#clock.real.elapsed();
    const entry = this.#byNetwork.get(network) ?? { pending: 0, failed: 0, windowFrom: now };
    if (now - entry.windowFrom >= WINDOW_MS) Object.assign(entry, { failed: 0, windowFrom: now });
    // The map is kept in the order of use.
    this.#byNetwork.delete(network);
    this.#byNetwork.set(network, entry);
    for (const oldest of this.#byNetwork.keys()) {
      if (this.#byNetwork.size <= MOST_NETWORKS) break;
      this.#byNetwork.delete(oldest);
    }
    return entry;
  }
}
