import { putIn, takeOut } from './sets-by-key.ts';

const SECOND_MS = 1000;

/**
 * Items that each become due at a time, on a clock that does not run backwards. `take` reads only those that are due,
 * however many wait.
 */
export class DueTimes<T> {
  readonly #slotMs: number;
  readonly #slots = new Map<number, Set<T>>();
  readonly #slotOf = new Map<T, number>();
  /** The first slot that has not been taken. */
  #next: number;

  /** @param slotMs items that become due within this time of each other may be taken together */
  constructor(now: number, slotMs = SECOND_MS) {
    this.#slotMs = slotMs;
    this.#next = Math.floor(now / slotMs);
  }

  /** Sets when this item becomes due, in place of an earlier time. Null means never. */
  set(item: T, at: number | null): void {
    this.#remove(item);
    if (at === null) return;
    const slot = Math.max(this.#next, Math.ceil(at / this.#slotMs));
    this.#slotOf.set(item, slot);
    putIn(this.#slots, slot, item);
  }

  /** Removes the items that are due and returns them. An item is due up to a slot after its time, and never before. */
  take(now: number): T[] {
    const due: T[] = [];
    for (const last = Math.floor(now / this.#slotMs); this.#next <= last; this.#next += 1) {
      const slot = this.#slots.get(this.#next);
      if (slot === undefined) continue;
      this.#slots.delete(this.#next);
      for (const item of slot) {
        due.push(item);
        this.#slotOf.delete(item);
      }
    }
    return due;
  }

  #remove(item: T): void {
    const slot = this.#slotOf.get(item);
    if (slot === undefined) return;
    this.#slotOf.delete(item);
    takeOut(this.#slots, slot, item);
  }
}
