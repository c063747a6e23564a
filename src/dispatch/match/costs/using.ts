import type { CostInput } from './term.ts';

/** Charges a fixed price, seconds, for each courier who is not free yet. */
export function notFree({ arena, weights }: CostInput<'notFreeMs'>): Float64Array {
  return Float64Array.from(arena.couriers.isFree, (isFree) => (isFree === 1 ? 0 : weights.notFreeS));
}

/** Charges each courier less, the longer they have waited for work: the whole credit at first, nothing after `idleFullS`. */
export function idle({ arena, weights }: CostInput<'idleCreditMs' | 'idleFullMs'>): Float64Array {
  const { idleCreditS, idleFullS } = weights;
  return arena.couriers.idleS.map((idleS) => idleCreditS * (1 - Math.min(1, idleS / idleFullS)));
}
