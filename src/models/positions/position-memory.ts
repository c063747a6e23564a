import type { Slot } from './position-slot.ts';
import type { CourierId } from '../../domain/ids.ts';
import type { Position } from '../../domain/couriers/position.ts';
import { CourierSquares } from './courier-squares.ts';

/** Machine time after which a silent courier is forgotten, here and in Redis. */
export const FORGET_MS = 10 * 60_000;

/** The newest position of every courier who was heard recently. */
export class PositionMemory {
  readonly #slots = new Map<CourierId, Slot>();
  /** The same slots by place. */
  readonly squares: CourierSquares;

  /** @param resolution H3 resolution of the regions */
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
   * Stores a position unless a newer one is known. Both times are in ms of this process's monotonic clock.
   * @returns the slot, or null if the position came too late
   */
  take(position: Position, heardAt: number, knownAt: number): Slot | null {
    const slot = this.#slots.get(position.courierId);
    if (slot === undefined) return this.#add(position, heardAt, knownAt);
    // After such a long silence, a sweep may have removed the courier from Redis.
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
      heardAt,
      knownAt,
      seenAt: -Infinity,
      storedRegion: null,
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

  /** Drops couriers who were last heard before then, unless their position still waits for a write. */
  forget(before: number): void {
    for (const [id, slot] of this.#slots) {
      if (slot.heardAt >= before || slot.isWaiting) continue;
      this.#slots.delete(id);
      this.squares.remove(slot);
    }
  }

  /**
   * Redis may have lost the couriers of one region, or of all if it is null.
   * @returns the couriers of this process, which must be written again
   */
  doubt(region: string | null): Slot[] {
    const doubted = [...this.#slots.values()].filter((slot) => region === null || slot.storedRegion === region);
    for (const slot of doubted) {
      // The next write must read where Redis has the courier, and store the whole position.
      slot.storedRegion = null;
      slot.seenAt = -Infinity;
      slot.isMoved = true;
    }
    return doubted.filter(({ isOwn }) => isOwn);
  }
}
