import type { Board } from '../board.ts';
import { NOBODY } from '../world.ts';

/** Keeps the chains from before a round of the search, so that a round that made the plan worse can be undone. */
export type Undo = {
  /** Forgets all: a new round begins. */
  begin(): void;
  /** Keeps a courier's chain as it is, the first time in a round. */
  keep(courier: number): void;
  /** Brings all kept chains back, and their orders with them. */
  takeBack(): void;
};

export function makeUndo(board: Board, mostCouriers: number): Undo {
  const { width, slots, lengths, costS, courierOf } = board;
  const kept = new Int32Array(mostCouriers);
  const keptSlots = new Int32Array(mostCouriers * width);
  const keptLengths = new Int32Array(mostCouriers);
  const keptCosts = new Float64Array(mostCouriers);
  let count = 0;
  return {
    begin: () => {
      count = 0;
    },
    keep: (courier) => {
      for (let index = 0; index < count; index += 1) if (kept[index] === courier) return;
      const length = lengths[courier]!;
      for (let slot = 0; slot < length; slot += 1) keptSlots[count * width + slot] = slots[courier * width + slot]!;
      kept[count] = courier;
      keptLengths[count] = length;
      keptCosts[count] = costS[courier]!;
      count += 1;
    },
    takeBack: () => {
      // All orders leave their chains first: one may have gone from one kept chain to another.
      for (let index = 0; index < count; index += 1) {
        const base = kept[index]! * width;
        for (let slot = 0; slot < lengths[kept[index]!]!; slot += 1) courierOf[slots[base + slot]! >> 1] = NOBODY;
      }
      for (let index = 0; index < count; index += 1) {
        const courier = kept[index]!;
        const base = courier * width;
        lengths[courier] = keptLengths[index]!;
        costS[courier] = keptCosts[index]!;
        for (let slot = 0; slot < keptLengths[index]!; slot += 1) {
          slots[base + slot] = keptSlots[index * width + slot]!;
          courierOf[slots[base + slot]! >> 1] = courier;
        }
      }
    },
  };
}
