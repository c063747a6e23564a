import type { Settings } from '../settings.ts';
import { dividedHalfUp, type Amount } from './amount.ts';

/** Basis points of the whole. */
const WHOLE_BP = 10_000n;

/**
 * The courier's pay for a delivery: their share of the fee without its tax, in minor units. Each of the two steps is
 * rounded half up.
 * @param fee what the delivery costs before any subsidy, with tax, minor units
 */
export function priceCourierPay(fee: number, { courierShareBp, taxRateBp }: Settings['pay']): Amount {
  const net = dividedHalfUp(BigInt(fee) * WHOLE_BP, WHOLE_BP + BigInt(taxRateBp));
  return dividedHalfUp(BigInt(net) * BigInt(courierShareBp), WHOLE_BP);
}
