// Generates a day: restaurants in clusters, orders with a lunch and a dinner peak, shifts where the demand is.
import type { Courier, Day, Order, Point, Restaurant } from './day.ts';
import { createRandom, type Random } from '../random.ts';

export type DayRequest = {
  readonly seed: number;
  readonly orders: number;
  readonly couriers: number;
  readonly restaurants: number;
  /** The middles of the towns on the plane, the busiest first. Drawn if absent. */
  readonly centres?: readonly Point[];
  /** Orders are placed from one minute of the day up to another. */
  readonly fromMin: number;
  readonly toMin: number;
};

/** The distribution of orders over the day: two peaks over a low base. */
const PEAKS = [
  { atMin: 750, widthMin: 45, share: 0.4 },
  { atMin: 1140, widthMin: 65, share: 0.5 },
];
const PLAIN_SHARE = 0.1;
const SLOT_MIN = 15;
const CITY_M = 2500;
const CLUSTER_M = 350;
const MEAN_WAY_M = 2200;
const LONGEST_WAY_M = 7000;
const SHORTEST_SHIFT_MIN = 120;
const LONGEST_SHIFT_MIN = 300;
/** The last orders of the day need couriers for a while after they are placed. */
export const LAST_HOUR_MIN = 60;

export const PARAMETERS = {
  metresPerMin: 320,
  pickupServiceMin: 4,
  dropOffServiceMin: 4,
  targetMin: 40,
  mostMin: 90,
  payPerOrder: 10,
  payPerHour: 15,
};

/** A day for this request; the same request gives the same day. */
export function generateDay(request: DayRequest): Day {
  return toPositive(drawDay(request));
}

/** The same day before its plane is moved. */
export function drawDay(request: DayRequest): Day {
  const random = createRandom(request.seed);
  const restaurants = makeRestaurants(request, random);
  const orders = makeOrders(request, restaurants, random);
  const couriers = makeCouriers(request, restaurants, orders, random);
  return { parameters: PARAMETERS, restaurants, orders, couriers };
}

/** Restaurants in clusters; the first clusters hold more of them. */
export function makeRestaurants(request: Pick<DayRequest, 'restaurants' | 'centres'>, random: Random): Restaurant[] {
  const count = Math.max(2, Math.round(Math.sqrt(request.restaurants)));
  const centres = request.centres ?? Array.from({ length: count }, () => near({ x: 0, y: 0 }, CITY_M, random));
  return Array.from({ length: request.restaurants }, (_, index) => ({
    id: `r${index + 1}`,
    // Earlier centres are busier, because a city has one middle.
    at: near(
      random.pick(centres, (centre) => 1 / (1 + centres.indexOf(centre))),
      CLUSTER_M,
      random,
    ),
  }));
}

function makeOrders(request: DayRequest, restaurants: readonly Restaurant[], random: Random): Order[] {
  const slots = slotsOf(request.fromMin, request.toMin);
  const placed = Array.from({ length: request.orders }, () => {
    const slot = random.pick(slots, demandAt);
    return Math.min(request.toMin - 1, Math.floor(random.between(slot, slot + SLOT_MIN)));
  });
  const draw = orderMaker(restaurants, random);
  return placed.toSorted((a, b) => a - b).map((placedMin, index) => draw(placedMin, `o${index + 1}`));
}

/** Generates one order after another from these restaurants. The first restaurants are the busiest. */
export function orderMaker(
  restaurants: readonly Restaurant[],
  random: Random,
): (placedMin: number, id: string) => Order {
  const weight = new Map(restaurants.map((restaurant, index) => [restaurant, 1 / (2 + index)]));
  return (placedMin, id) => {
    const restaurant = random.pick(restaurants, (one) => weight.get(one) ?? 0);
    const prepMin = Math.round(Math.min(40, Math.max(5, random.normal(17, 6))));
    const at = away(restaurant.at, random);
    return { id, at, placedMin, restaurant, readyMin: placedMin + prepMin };
  };
}

/** Each shift is placed where the demand per courier on duty is highest so far. */
function makeCouriers(
  request: DayRequest,
  restaurants: readonly Restaurant[],
  orders: readonly Order[],
  random: Random,
): Courier[] {
  const slots = slotsOf(request.fromMin, request.toMin + LAST_HOUR_MIN);
  const demand = slots.map(
    // An order keeps a courier busy for about half an hour, starting when it is nearly ready.
    (slot) => orders.filter(({ readyMin }) => readyMin >= slot - 20 && readyMin < slot + SLOT_MIN + 10).length,
  );
  const onDuty = slots.map(() => 0);
  return Array.from({ length: request.couriers }, (_, index) => {
    const length = Math.min(slots.length, Math.round(random.between(SHORTEST_SHIFT_MIN, LONGEST_SHIFT_MIN) / SLOT_MIN));
    const worth = slots.slice(0, slots.length - length + 1).map((_slot, start) => {
      const covered = demand.slice(start, start + length);
      return covered.reduce((sum, orderCount, at) => sum + orderCount / (1 + (onDuty[start + at] ?? 0)), 0);
    });
    const start = worth.indexOf(Math.max(...worth));
    for (let at = start; at < start + length; at += 1) onDuty[at] = (onDuty[at] ?? 0) + 1;
    const onMin = slots[start] ?? request.fromMin;
    return { id: `c${index + 1}`, at: makeHome(restaurants, random), onMin, offMin: onMin + length * SLOT_MIN };
  });
}

/** The start of a courier, not far from a restaurant. */
export function makeHome(restaurants: readonly Restaurant[], random: Random): Point {
  const { at } = random.pick(restaurants, () => 1);
  return near(at, CLUSTER_M * 2, random);
}

function demandAt(slotMin: number): number {
  const bells = PEAKS.map(
    ({ atMin, widthMin, share }) => (share / widthMin) * Math.exp(-((slotMin - atMin) ** 2) / (2 * widthMin ** 2)),
  );
  return bells.reduce((sum, bell) => sum + bell, PLAIN_SHARE / 720);
}

function slotsOf(fromMin: number, toMin: number): number[] {
  return Array.from({ length: Math.ceil((toMin - fromMin) / SLOT_MIN) }, (_, index) => fromMin + index * SLOT_MIN);
}

function near(centre: Point, spreadM: number, random: Random): Point {
  return { x: random.normal(centre.x, spreadM), y: random.normal(centre.y, spreadM) };
}

function away(from: Point, random: Random): Point {
  const angle = random.between(0, 2 * Math.PI);
  const metres = Math.min(LONGEST_WAY_M, 200 - MEAN_WAY_M * Math.log(1 - random.next()));
  return { x: from.x + metres * Math.cos(angle), y: from.y + metres * Math.sin(angle) };
}

/** Moves the plane so that it starts at 0, and rounds to whole metres. */
export function toPositive(day: Day): Day {
  const points = [...day.restaurants, ...day.orders, ...day.couriers].map(({ at }) => at);
  const low = { x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) };
  const moved = <T extends { readonly at: Point }>(item: T): T => ({
    ...item,
    at: { x: Math.round(item.at.x - low.x), y: Math.round(item.at.y - low.y) },
  });
  const restaurants = new Map(day.restaurants.map((restaurant) => [restaurant.id, moved(restaurant)]));
  const orders = day.orders.map((order) => ({
    ...moved(order),
    restaurant: restaurants.get(order.restaurant.id) ?? order.restaurant,
  }));
  return { ...day, restaurants: [...restaurants.values()], orders, couriers: day.couriers.map(moved) };
}
