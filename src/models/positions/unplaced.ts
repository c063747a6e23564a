import type { CourierId } from '../../domain/ids.ts';
import { placeHeard, type Known } from './position-reads.ts';

/** Couriers who were heard here, and whose position is unknown or may be old. Redis may have it. */
export class Unplaced {
  readonly #pauseMs: number;
  readonly #ids = new Set<CourierId>();
  #lookedAt = -Infinity;

  /** @param pauseMs machine time between two lookups */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  add(id: CourierId): void {
    this.#ids.add(id);
  }

  /**
   * Looks up the couriers, unless the last lookup was within the pause. They are then forgotten until they are heard again.
   * @returns those whose newest place is in memory now
   */
  async place(known: Known): Promise<readonly CourierId[]> {
    if (this.#ids.size === 0 || known.now - this.#lookedAt < this.#pauseMs) return [];
    this.#lookedAt = known.now;
    const ids = [...this.#ids];
    this.#ids.clear();
    // While Redis is away, nobody is found. They are looked up after their next message.
    return placeHeard(known, ids).catch(() => []);
  }
}
