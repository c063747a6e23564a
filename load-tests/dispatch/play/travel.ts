// How long ways take, and what follows from a bundle: when each drop-off is reached, and where and when the courier is
// free.
import type { Day, DayParameters, Order, Point } from '../../day/day.ts';
import type { CarriedBundle } from './outcome.ts';

/** Rounding may lift a way of exactly n minutes slightly above n. This keeps it at n. */
const HAIR_MIN = 1e-9;

/** Whole minutes from one place to another, straight at the day's speed and rounded up. */
export function travelMin({ metresPerMin }: DayParameters, from: Point, to: Point): number {
  // NOTE: not Math.hypot, which is not exact on whole triangles (3, 4, 5 times a factor) and would add a minute.
  const metres = Math.sqrt((to.x - from.x) ** 2 + (to.y - from.y) ** 2);
  return Math.ceil(metres / metresPerMin - HAIR_MIN);
}

/** A bundle from the restaurant on. The minutes follow from the pickup, because couriers do not wait later on. */
export type Round = {
  readonly doors: readonly { readonly order: Order; readonly index: number; readonly dropOffMin: number }[];
  readonly drivenMin: number;
  readonly end: Point;
  /** When the last handover is done. */
  readonly freeMin: number;
};

/** The round of a bundle after its pickup. @throws Error if it is empty or names an order that the day does not have */
export function roundOf({ parameters, orders }: Day, bundle: CarriedBundle): Round {
  const halfDropOffMin = parameters.dropOffServiceMin / 2;
  const first = orders[bundle.orders[0]?.order ?? -1];
  if (first === undefined) throw new Error('a bundle needs at least one order of the day');
  let at = first.restaurant.at;
  let freeMin = bundle.pickupMin + parameters.pickupServiceMin / 2;
  let drivenMin = 0;
  const doors = bundle.orders.map(({ order: index }) => {
    const order = orders[index];
    if (order === undefined) throw new Error(`there is no order with index ${index}`);
    const wayMin = travelMin(parameters, at, order.at);
    const dropOffMin = freeMin + wayMin + halfDropOffMin;
    at = order.at;
    freeMin = dropOffMin + halfDropOffMin;
    drivenMin += wayMin;
    return { order, index, dropOffMin };
  });
  return { doors, drivenMin, end: at, freeMin };
}
