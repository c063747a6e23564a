import fc from 'fast-check';
import type { PriceRule } from '../../../src/domain/pricing/rules.ts';

const amount = fc.nat(1_000_000);

/** Any rules of a price: at most one of each type, and always a base. */
export const RULES: fc.Arbitrary<PriceRule[]> = fc
  .tuple(
    fc.record({ type: fc.constant('base' as const), amount }),
    fc.option(fc.record({ type: fc.constant('distance' as const), per_km: amount })),
    fc.option(fc.record({ type: fc.constant('weight' as const), per_kg: amount, free_kg: fc.nat(50) })),
    fc.option(fc.record({ type: fc.constant('priority' as const), amount })),
    fc.option(fc.record({ type: fc.constant('surge' as const), most_bp: fc.integer({ min: 10_000, max: 100_000 }) })),
  )
  .map((all) => all.flatMap((terms) => (terms === null ? [] : [{ id: null, terms }])));

const payer = fc.constantFrom('vendor' as const, 'platform' as const);
const discount = fc.oneof(
  fc.record({ type: fc.constant('surge_protection' as const), most: amount, paid_by: payer }),
  fc.record({
    type: fc.constant('promotion' as const),
    code: fc.constantFrom('MAY', 'JUNE'),
    rate_bp: fc.integer({ min: 1, max: 10_000 }),
    paid_by: payer,
  }),
  fc.record({ type: fc.constant('free_delivery_threshold' as const), order_value: fc.nat(6000) }),
  fc.record({
    type: fc.constant('tier_flag' as const),
    tiers: fc.constantFrom('gold', 'silver').map((tier) => [tier]),
  }),
);

/** Any rules about who pays. */
export const DISCOUNT_RULES: fc.Arbitrary<PriceRule[]> = fc
  .array(discount, { maxLength: 6 })
  .map((all) => all.map((terms) => ({ id: null, terms })));
