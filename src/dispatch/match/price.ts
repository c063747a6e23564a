import { priceCoverage } from './coverage.ts';
import type { Rules } from './rules.ts';
import type { Arena } from './world.ts';

/** Of what it costs to leave an order: what may be ordered next must not keep the only courier from what is there. */
const MOST_COVERAGE = 0.25;

/**
 * What a plan pays, seconds and never below 0, to use each courier at all: what those lose who would order next where he is
 * the first to come, a little when he is not free yet, and a little when others have waited longer for work.
 */
export function priceCouriers(arena: Arena, { coverage, weights }: Rules): Float64Array {
  const { couriers } = arena;
  const mostS = weights.unservedS * MOST_COVERAGE;
  return priceCoverage(arena, coverage).map((coverageS, courier) => {
    const waited = Math.min(1, couriers.idleS[courier]! / weights.idleFullS);
    const notFreeS = couriers.isFree[courier] === 1 ? 0 : weights.notFreeS;
    return Math.min(mostS, coverageS) + notFreeS + weights.idleCreditS * (1 - waited);
  });
}
