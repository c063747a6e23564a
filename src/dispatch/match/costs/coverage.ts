import { NOBODY, type Arena } from '../world.ts';
import type { CostInput, WeightsOf } from './term.ts';

/** The most that coverage may cost, as a share of `unservedS`: an order that may come must not keep the only courier from one that waits. */
const MOST_SHARE = 0.25;

/** Charges what the orders expected next lose when the courier who reaches them first is used up. */
export function coverage({
  arena,
  weights,
}: CostInput<'coverageAheadMs' | 'coverageSoonMs' | 'unservedMs'>): Float64Array {
  const mostS = weights.unservedS * MOST_SHARE;
  return priceCoverage(arena, weights).map((costS) => Math.min(mostS, costS));
}

/**
 * Returns what it costs, seconds, to use up each courier. If a courier is the first to reach a pickup location, the orders
 * expected there have to wait for the second courier. So the first one is charged
 * `ahead × order rate × share × (L(second) − L(best))`. L(x) is the mean wait of recent goods for a courier who arrives x
 * seconds after the order: `mean(max(0, x + access − preparation))`. Results differ little from 2 to 8 minutes ahead.
 */
export function priceCoverage(
  arena: Arena,
  { coverageAheadS: aheadS, coverageSoonS: soonS }: WeightsOf<'coverageAheadMs' | 'coverageSoonMs'>,
): Float64Array {
  const { couriers } = arena;
  const price = new Float64Array(couriers.ids.length);
  for (const demand of arena.demand) {
    const waitS = waitOf(demand.preparationS, arena.pickupAccessS);
    const ready = readyCouriers(arena, demand.group, soonS);
    for (const [entry, counter] of demand.place.entries()) {
      const { best, bestS, secondS } = firstTwo(arena, ready, counter, soonS);
      if (best === NOBODY) continue;
      const expected = (aheadS * demand.orders[entry]!) / demand.windowS;
      price[best]! += expected * Math.max(0, waitS(secondS) - waitS(bestS));
    }
  }
  return price;
}

/** Finds the ready courier who reaches the counter first, and when they and the second courier are there, seconds. */
function firstTwo(
  { couriers, travelS }: Arena,
  ready: readonly number[],
  counter: number,
  soonS: number,
): { readonly best: number; readonly bestS: number; readonly secondS: number } {
  let best = NOBODY;
  let bestS = Infinity;
  // Without a second courier, help is as far away as the couriers who do not count.
  let secondS = soonS * 2;
  for (const courier of ready) {
    const arriveS = couriers.startS[courier]! + travelS(courier, counter, couriers.vehicle[courier]!);
    if (arriveS < bestS) {
      secondS = Math.min(bestS, secondS);
      bestS = arriveS;
      best = courier;
    } else if (arriveS < secondS) secondS = arriveS;
  }
  return { best, bestS, secondS };
}

/** Couriers of the group who are not on their way to a counter, free soon and then there for a while. */
function readyCouriers({ couriers, orders }: Arena, group: number, soonS: number): number[] {
  const { startS, untilS } = couriers;
  const away = new Set(orders.heldBy);
  return [...couriers.ids.keys()].filter(
    (one) => couriers.group[one] === group && startS[one]! <= soonS && untilS[one]! >= soonS && !away.has(one),
  );
}

/** L(x): the mean of `max(0, x + access − preparation)` over sorted preparations, by their running sums. */
function waitOf(preparationS: Float64Array, accessS: number): (x: number) => number {
  const sums = new Float64Array(preparationS.length + 1);
  for (const [index, value] of preparationS.entries()) sums[index + 1] = sums[index]! + value;
  return (x) => {
    const atS = x + accessS;
    let low = 0;
    let high = preparationS.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (preparationS[middle]! < atS) low = middle + 1;
      else high = middle;
    }
    return preparationS.length === 0 ? 0 : (low * atS - sums[low]!) / preparationS.length;
  };
}
