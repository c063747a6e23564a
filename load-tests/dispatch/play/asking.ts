// How the couriers of a played day answer, and what the matcher learns from it.
import { seeded } from '../../../src/dispatch/match/random.ts';
import type { PlayOptions } from './outcome.ts';

/** The matcher's experience before the first answer: four of five accepted. */
const PRIOR = { asked: 5, yes: 4 };

export type Asking = {
  /** Asks a courier to take orders. A courier who refuses is not asked for these orders again. */
  ask(courier: number, orders: readonly number[]): boolean;
  readonly refusedBy: ReadonlyMap<number, ReadonlySet<number>>;
  /** How likely the courier accepts, estimated from their answers so far. */
  acceptance(courier: number): number;
};

/** Couriers accept with the same chance each time. If it is 1, no courier is asked. */
export function makeAsking(couriers: number, { accept, seed }: PlayOptions): Asking {
  const chance = seeded(seed);
  const answers = Array.from({ length: couriers }, () => ({ ...PRIOR }));
  const refusedBy = new Map<number, Set<number>>();
  return {
    refusedBy,
    ask: (courier, orders) => {
      if (accept === 1) return true;
      const saysYes = chance() < accept;
      const record = answers[courier]!;
      record.asked += 1;
      record.yes += saysYes ? 1 : 0;
      if (saysYes) return true;
      for (const order of orders) refusedBy.set(order, (refusedBy.get(order) ?? new Set()).add(courier));
      return false;
    },
    acceptance: (courier) => (accept === 1 ? 1 : answers[courier]!.yes / answers[courier]!.asked),
  };
}
