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
  .map((all) => all.flatMap((terms) => (terms === null ? [] : [{ terms }])));
