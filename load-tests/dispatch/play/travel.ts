// How long ways take, and what follows from a bundle: when each door was reached, and where and when the courier is free.
import type { Day, DayParameters, Order, Point } from '../../day/day.ts';
import type { CarriedBundle } from './outcome.ts';

/** Keeps a way of exactly n minutes at n when the division comes out a hair above it. */
const HAIR_MIN = 1e-9;

/** Whole minutes from a place to another: straight at the day's speed, a started minute counts. */
export function travelMin({ metresPerMin }: DayParameters, from: Point, to: Point): number {
  // NOTE: not Math.hypot, which is not exact on whole triangles (3, 4, 5 times a factor) and would add a minute.
  const metres = Math.sqrt((to.x - from.x) ** 2 + (to.y - from.y) ** 2);
  return Math.ceil(metres / metresPerMin - HAIR_MIN);
}

/** A bundle from the counter on. The minutes follow from the pickup: nobody waits on the way to a door or at one. */
export type Round = {
  readonly doors: readonly { readonly order: Order; readonly index: number; readonly dropOffMin: number }[];
  readonly drivenMin: number;
  readonly end: Point;
  /** When the last door is done. */
  readonly freeMin: number;
};

/** What a bundle comes to once it is picked up. @throws Error when it is empty or names an order the day has not */
export function roundOf({ parameters, orders }: Day, bundle: CarriedBundle): Round {
  const halfDropOffMin = parameters.dropOffServiceMin / 2;
  const first = orders[bundle.orders[0]?.order ?? -1];
  if (first === undefined) throw new Error('a bundle holds orders of the day, at least one');
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
