import type { Settings } from '../settings.ts';
import type { Amount } from './amount.ts';
import { shareAt, withoutTax } from './rates.ts';

/**
 * The courier's pay for a delivery: their share of the fee without its tax, in minor units. Each of the two steps is
 * rounded half up.
 * @param fee what the delivery costs before any subsidy, with tax, minor units
 */
export function priceCourierPay(
  fee: number,
  { courierShareBp, taxRateBp }: Pick<Settings['pay'], 'courierShareBp' | 'taxRateBp'>,
): Amount {
  return shareAt(withoutTax(fee, taxRateBp), courierShareBp);
}
