import type { CostInput } from './term.ts';

/** Charges a fixed fine, seconds: a plan leaves an order only if nobody can carry it, or if others need the courier more. */
export function unserved({ weights }: CostInput<'unservedMs'>): number {
  return weights.unservedS;
}

/** Fines an order whose search is about to end, seconds: if this plan leaves it, nobody will ever carry it. */
export function searchEnding({ arena, weights }: CostInput<'tooLateFineMs' | 'lastCallMs'>, order: number): number {
  const { tooLateFineS, lastCallS } = weights;
  return arena.orders.searchUntilS[order]! < lastCallS ? tooLateFineS : 0;
}
