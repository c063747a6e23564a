import type { CostInput } from './term.ts';

/** Charges the time from the order to its last drop-off, seconds. */
export function clickToDoor(input: CostInput, order: number, _courier: number, doneS: number): number {
  return doneS - input.arena.orders.placedS[order]!;
}

/** Charges each second after the order's target. */
export function overage(input: CostInput<'overageWeight'>, order: number, _courier: number, doneS: number): number {
  const overS = doneS - input.arena.orders.targetS[order]!;
  return overS > 0 ? input.weights.overageWeight * overS : 0;
}

/** Fines an order whose last drop-off is reached after its latest time, seconds. */
export function deliveredTooLate(
  input: CostInput<'tooLateFineMs'>,
  order: number,
  _courier: number,
  doneS: number,
): number {
  return doneS > input.arena.orders.latestS[order]! ? input.weights.tooLateFineS : 0;
}

/** Fines an order that is collected after the time its vendor set, seconds. */
export function collectedTooLate(
  input: CostInput<'tooLateFineMs'>,
  order: number,
  _courier: number,
  _doneS: number,
  collectedS: number,
): number {
  return collectedS > input.arena.orders.pickupByS[order]! ? input.weights.tooLateFineS : 0;
}
