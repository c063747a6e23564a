// Makes up a day with too little: in its middle hour more is ordered than its couriers can carry.
import { distanceM, type Day, type DayParameters, type Order } from './day.ts';
import { LAST_HOUR_MIN, makeHome, makeRestaurants, orderMaker, PARAMETERS, toPositive } from './generate-day.ts';
import { createRandom, type Random } from '../random.ts';

export type OverloadRequest = {
  readonly seed: number;
  readonly couriers: number;
  readonly restaurants: number;
  /** The first calm hour begins at this minute of the day. */
  readonly fromMin: number;
  /** Orders of the middle hour by what the couriers can carry in an hour. */
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
/** Long enough to see the queue drain: a fifth too much in an hour is half an hour of what calm leaves over. */
const CALM_AFTER_MIN = 90;
/** Orders of the calm parts by capacity: couriers are busy, and yet somebody is always free. */
const CALM_LOAD = 0.6;
/** The number of orders and what one of them takes depend on each other; a few turns settle it. */
const MOST_TURNS = 20;

/**
 * A calm hour, an hour of `overload` times the capacity, and a calm hour and a half; every courier works from the first
 * minute to an hour after the last order. Capacity is couriers × 60 / `orderMin`, and `orderMin` comes from the orders of
 * the middle hour themselves (`orderMinOf`). The same request gives the same day.
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

/** As many of the first orders as are `overload` times what the couriers carry of just these in an hour. */
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
 * Minutes that one of these orders takes a courier on average: the way to its counter, the service there, the way to its
 * door, the service there. The way to the counter is that from the door of the order before it, where each door in turn
 * is followed by the nearest counter that follows no other yet: a courier with a queue to choose from drives about that
 * far. The shortest such pairing is what no dispatcher can beat (Treleaven, Pavone and Frazzoli 2013); pairs taken at
 * random are what a blind one would do.
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

/** Places orders drawn for minute 0 evenly at random in these minutes. */
function spread(orders: readonly Order[], fromMin: number, toMin: number, random: Random): Order[] {
  return orders.map((order) => {
    const placedMin = Math.floor(random.between(fromMin, toMin));
    return { ...order, placedMin, readyMin: placedMin + order.readyMin };
  });
}
