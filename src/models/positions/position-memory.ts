import type { Slot } from './position-slot.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';
import { CourierSquares } from './courier-squares.ts';

/** Couriers not heard of for this long are forgotten, here and in Redis; machine time. */
export const FORGET_MS = 10 * 60_000;

/** The newest position of every courier heard of in the last while. */
export class PositionMemory {
  readonly #slots = new Map<CourierId, Slot>();
  /** The same slots by where they are. */
  readonly squares: CourierSquares;

  /** `resolution` is that of the regions. */
  constructor(resolution: number) {
    this.squares = new CourierSquares(resolution);
  }

  get(id: CourierId): Slot | undefined {
    return this.#slots.get(id);
  }

  all(): IterableIterator<Slot> {
    return this.#slots.values();
  }

  /**
   * Takes a position unless a newer one is known. Both times are by the monotonic clock of this process, ms.
   * @returns the slot, or null when the position came too late
   */
  take(position: Position, heardAt: number, knownAt: number): Slot | null {
    const slot = this.#slots.get(position.courierId);
    if (slot === undefined) return this.#add(position, heardAt, knownAt);
    // After so long a silence Redis may have swept the courier away.
    if (knownAt - slot.heardAt > FORGET_MS / 2) slot.storedRegion = null;
    if (heardAt > slot.heardAt) slot.heardAt = heardAt;
    slot.knownAt = knownAt;
    if (position.at < slot.position.at) return null;
    slot.position = position;
    this.squares.put(slot);
    return slot;
  }

  #add(position: Position, heardAt: number, knownAt: number): Slot {
    const slot: Slot = {
      position,
      region: '',
      viewCell: '',
      heardAt,
      knownAt,
      storedRegion: null,
      storedCell: null,
      isFresh: false,
      isMoved: false,
      isNews: false,
      isOwn: false,
      isWaiting: false,
    };
    this.#slots.set(position.courierId, slot);
    this.squares.put(slot);
    return slot;
  }

  /** Drops couriers not heard of since then, unless something of theirs still waits to be written. */
  forget(before: number): void {
    for (const [id, slot] of this.#slots) {
      if (slot.heardAt >= before || slot.isWaiting) continue;
      this.#slots.delete(id);
      this.squares.remove(slot);
    }
  }

  /**
   * Redis may have lost what it held of these couriers, in one region or in all of them: what is left must be asked before
   * the next write of each.
   * @returns those of this process, which must be written again
   */
  doubt(region: string | null): Slot[] {
    const doubted = [...this.#slots.values()].filter((slot) => region === null || slot.storedRegion === region);
    for (const slot of doubted) {
      slot.storedRegion = null;
      slot.storedCell = null;
    }
    return doubted.filter(({ isOwn }) => isOwn);
  }
}
