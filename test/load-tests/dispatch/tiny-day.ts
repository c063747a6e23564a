// A day small enough to play by hand: 100 m a minute, two restaurants, three orders, two couriers.
import type { Day } from '../../../load-tests/day/day.ts';
import type { CarriedBundle, Outcome } from '../../../load-tests/dispatch/play/outcome.ts';

const north = { id: 'r1', at: { x: 0, y: 0 } };
const south = { id: 'r2', at: { x: 1000, y: 0 } };

export const TINY_DAY: Day = {
  parameters: {
    metresPerMin: 100,
    pickupServiceMin: 4,
    dropOffServiceMin: 4,
    targetMin: 40,
    mostMin: 90,
    payPerOrder: 10,
    payPerHour: 15,
  },
  restaurants: [north, south],
  orders: [
    { id: 'o1', at: { x: 300, y: 0 }, placedMin: 10, restaurant: north, readyMin: 20 },
    { id: 'o2', at: { x: 300, y: 400 }, placedMin: 12, restaurant: north, readyMin: 25 },
    { id: 'o3', at: { x: 1000, y: 100 }, placedMin: 15, restaurant: south, readyMin: 22 },
  ],
  couriers: [
    { id: 'c1', at: { x: 0, y: 250 }, onMin: 5, offMin: 65 },
    { id: 'c2', at: { x: 1000, y: 0 }, onMin: 40, offMin: 160 },
  ],
};

/**
 * The first courier sets out for o1 at 10 and is there at 13 (250 m count as 3 minutes). They get o2 on the way, pick
 * up both at 25, leave at 27, are at the drop-offs at 30 and 38, and are free at 42. The second courier picks up o3 at
 * 42.
 */
export const BOTH: CarriedBundle = {
  courier: 0,
  departMin: 10,
  pickupMin: 25,
  orders: [
    { order: 0, decidedMin: 10 },
    { order: 1, decidedMin: 12 },
  ],
};
export const THIRD: CarriedBundle = {
  courier: 1,
  departMin: 40,
  pickupMin: 42,
  orders: [{ order: 2, decidedMin: 15 }],
};

export function outcomeOf(...bundles: readonly CarriedBundle[]): Outcome {
  return { day: TINY_DAY, bundles, runsMs: [1, 2, 3] };
}
