// Generates a day whose middle hour has more orders than its couriers can carry.
import { distanceM, type Day, type DayParameters, type Order } from './day.ts';
import { LAST_HOUR_MIN, makeHome, makeRestaurants, orderMaker, PARAMETERS, toPositive } from './generate-day.ts';
import { createRandom, type Random } from '../random.ts';

export type OverloadRequest = {
  readonly seed: number;
  readonly couriers: number;
  readonly restaurants: number;
  /** The minute of the day at which the first calm hour begins. */
  readonly fromMin: number;
  /** The orders of the middle hour, divided by the orders that the couriers can carry in an hour. */
  readonly overload: number;
};

export type OverloadDay = {
  readonly day: Day;
  /** Minutes that an order of the middle hour takes a courier. */
  readonly orderMin: number;
  readonly capacityPerHour: number;
  /** The middle hour. */
  readonly rush: { readonly fromMin: number; readonly toMin: number; readonly orders: number };
};

const CALM_BEFORE_MIN = 60;
const RUSH_MIN = 60;
/** Long enough for the queue to drain. A fifth too much in an hour takes the spare capacity of half a calm hour. */
const CALM_AFTER_MIN = 90;
/** The orders of the calm parts, divided by the capacity. Couriers are busy, but one of them is always free. */
const CALM_LOAD = 0.6;
/** The number of orders and the minutes of an order depend on each other, so a few iterations are needed. */
const MOST_TURNS = 20;

/**
 * Generates a calm hour, an hour of `overload` times the capacity, and a calm hour and a half. Every courier works from
 * the first minute to an hour after the last order. The capacity is couriers × 60 / `orderMin`, and `orderMin` follows
 * from the orders of the middle hour (`orderMinOf`). The same request gives the same day.
 */
export function generateOverload(request: OverloadRequest): OverloadDay {
  const random = createRandom(request.seed);
  const restaurants = makeRestaurants(request, random);
  const draw = orderMaker(restaurants, random);
  const pool: Order[] = [];
  const first = (count: number): readonly Order[] => {
    while (pool.length < count) pool.push(draw(0, ''));
    return pool.slice(0, count);
  };
  const rushOrders = settle(request, first);
  const orderMin = orderMinOf(rushOrders, PARAMETERS);
  const capacityPerHour = (request.couriers * 60) / orderMin;
  const calm = (minutes: number): readonly Order[] => {
    const count = Math.round((CALM_LOAD * capacityPerHour * minutes) / 60);
    return Array.from({ length: count }, () => draw(0, ''));
  };
  const rushFrom = request.fromMin + CALM_BEFORE_MIN;
  const rushTo = rushFrom + RUSH_MIN;
  const endMin = rushTo + CALM_AFTER_MIN;
  const orders = [
    ...spread(calm(CALM_BEFORE_MIN), request.fromMin, rushFrom, random),
    ...spread(rushOrders, rushFrom, rushTo, random),
    ...spread(calm(CALM_AFTER_MIN), rushTo, endMin, random),
  ];
  const couriers = Array.from({ length: request.couriers }, (_, index) => ({
    id: `c${index + 1}`,
    at: makeHome(restaurants, random),
    onMin: request.fromMin,
    offMin: endMin + LAST_HOUR_MIN,
  }));
  const named = orders
    .toSorted((a, b) => a.placedMin - b.placedMin)
    .map((order, index) => ({ ...order, id: `o${index + 1}` }));
  return {
    day: toPositive({ parameters: PARAMETERS, restaurants, orders: named, couriers }),
    orderMin,
    capacityPerHour,
    rush: { fromMin: rushFrom, toMin: rushTo, orders: rushOrders.length },
  };
}

/** Takes the first orders, `overload` times as many as the couriers can carry of these in an hour. */
function settle({ couriers, overload }: OverloadRequest, first: (count: number) => readonly Order[]): readonly Order[] {
  let orders = first(Math.max(1, couriers));
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const count = Math.max(1, Math.round((overload * couriers * RUSH_MIN) / orderMinOf(orders, PARAMETERS)));
    if (count === orders.length) break;
    orders = first(count);
  }
  return orders;
}

/**
 * The minutes that one of these orders takes a courier on average: the way to its restaurant, the service there, the
 * way to its drop-off, and the service there. The way to the restaurant starts at the drop-off of the order before it.
 * Each drop-off in turn is followed by the nearest restaurant that does not follow another one yet, because a courier
 * with a queue to choose from drives about that far. No dispatcher can beat the shortest such pairing (Treleaven,
 * Pavone and Frazzoli 2013), and a blind one would pair at random.
 */
export function orderMinOf(orders: readonly Order[], parameters: DayParameters): number {
  const counters = orders.map(({ restaurant }) => restaurant.at);
  let metres = 0;
  for (const { at, restaurant } of orders) {
    const nearest = counters.reduce(
      (best, counter, index) => {
        const wayM = distanceM(at, counter);
        return wayM < best.wayM ? { index, wayM } : best;
      },
      { index: -1, wayM: Infinity },
    );
    counters.splice(nearest.index, 1);
    metres += nearest.wayM + distanceM(restaurant.at, at);
  }
  const { metresPerMin, pickupServiceMin, dropOffServiceMin } = parameters;
  return metres / orders.length / metresPerMin + pickupServiceMin + dropOffServiceMin;
}

/** Spreads orders that were generated for minute 0 evenly at random over these minutes. */
function spread(orders: readonly Order[], fromMin: number, toMin: number, random: Random): Order[] {
  return orders.map((order) => {
    const placedMin = Math.floor(random.between(fromMin, toMin));
    return { ...order, placedMin, readyMin: placedMin + order.readyMin };
  });
}
