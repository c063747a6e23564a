import type { Settings } from '../settings.ts';

/** Basis points of the whole. */
const WHOLE_BP = 10_000;

/**
 * The courier's pay for a delivery: their share of the fee without its tax, in minor units. Each of the two steps is
 * rounded half up.
 * @param fee what the delivery costs before any subsidy, with tax, minor units
 */
export function priceCourierPay(fee: number, { courierShareBp, taxRateBp }: Settings['pay']): number {
  const net = dividedHalfUp(fee * WHOLE_BP, WHOLE_BP + taxRateBp);
  return dividedHalfUp(net * courierShareBp, WHOLE_BP);
}

/** The quotient of whole, non-negative numbers. Whole numbers have no error that could tip a half. */
function dividedHalfUp(value: number, by: number): number {
  return Math.floor((2 * value + by) / (2 * by));
}
