import type { CourierId } from '../../domain/ids.ts';

/** Couriers who were heard here, and whose position is unknown or may be old. Redis may have it. */
export class Unplaced {
  readonly #pauseMs: number;
  readonly #ids = new Set<CourierId>();
  #takenAt = -Infinity;

  /** @param pauseMs machine time between two lookups */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  add(id: CourierId): void {
    this.#ids.add(id);
  }

  /** The couriers to look up now, who are then forgotten until they are heard again. None within the pause. */
  take(now: number): readonly CourierId[] {
    if (this.#ids.size === 0 || now - this.#takenAt < this.#pauseMs) return [];
    this.#takenAt = now;
    const ids = [...this.#ids];
    this.#ids.clear();
    return ids;
  }
}
