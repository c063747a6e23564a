// Puts the places of a generated day on streets.
import { distanceM as greatCircleM } from '../../src/domain/geo/geo.ts';
import { lengthM } from '../../src/domain/geo/lines.ts';
import type { FindRoute, Route } from '../clients/routes.ts';
import { distanceM, type Coordinates, type Day, type Point } from './day.ts';
import { drawDay, PARAMETERS, type DayRequest } from './generate-day.ts';
import { planeAt } from './globe.ts';

/** The street that a place is moved to is at most so far away, so that places lie where the streets are. */
const MOST_AWAY_M = 60;
/** A route that takes longer leads along tracks, metres per second. */
const LEAST_MPS = 6;
/** The golden angle: the tries around a place never meet. */
const TURN_RAD = Math.PI * (3 - Math.sqrt(5));
const NEARER = 0.96;
const MOST_TRIES = 200;
/** Parking belongs to the ways, and goods that are ready are handed over in a minute. */
const HANDOVERS = { pickupServiceMin: 1, dropOffServiceMin: 2 };

/** Finds the street at a place, with ways from and to the place that it belongs to. Null if there is none. */
export type FindStreet = (place: Coordinates, from: Coordinates) => Promise<Coordinates | null>;

/**
 * Finds the street at the end of the route that leads to a place. It counts if it is near the place, if there is a way back, and
 * if a scooter rides both: on tracks of forests and mountains it crawls.
 */
export function streetsBy(findRoute: FindRoute): FindStreet {
  const canRide = (route: Route | null): route is Route =>
    route !== null && lengthM(route.line) >= LEAST_MPS * route.seconds;
  return async (place, from) => {
    const there = await findRoute(from, place);
    const street = canRide(there) ? there.line.at(-1) : undefined;
    if (street === undefined || greatCircleM(place, street) > MOST_AWAY_M) return null;
    return canRide(await findRoute(street, from)) ? street : null;
  };
}

/**
 * A day for this request with its restaurants in these towns, the busiest first, and every place on a street. A place without a
 * street is turned around the one that it belongs to, and moved nearer: a home around its restaurant, a restaurant around its
 * town, the start of a courier around a restaurant. The same request and streets give the same day.
 * @throws Error if no street is found around a place
 */
export async function generateStreetDay(
  request: DayRequest,
  towns: readonly [Coordinates, ...Coordinates[]],
  findStreet: FindStreet,
): Promise<Day> {
  const plane = planeAt(towns[0]);
  const centres = towns.map(plane.toPlane);
  const drawn = drawDay({ ...request, centres });
  const settle = async <T extends { readonly at: Point }>(one: T, around: Point): Promise<T> => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const street = await findStreet(plane.toGlobe(turned(one.at, around, tries)), plane.toGlobe(around));
      if (street !== null) return { ...one, at: plane.toPlane(street) };
    }
    throw new Error(`there is no street around ${JSON.stringify(plane.toGlobe(around))}`);
  };
  const restaurants = new Map<string, Day['restaurants'][number]>();
  for (const one of drawn.restaurants) restaurants.set(one.id, await settle(one, nearest(one.at, centres)));
  const orders: Day['orders'][number][] = [];
  for (const order of drawn.orders) {
    const restaurant = restaurants.get(order.restaurant.id) ?? order.restaurant;
    orders.push({ ...(await settle(order, restaurant.at)), restaurant });
  }
  const restaurantPlaces = [...restaurants.values()].map(({ at }) => at);
  const couriers: Day['couriers'][number][] = [];
  for (const one of drawn.couriers) couriers.push(await settle(one, nearest(one.at, restaurantPlaces)));
  const parameters = { ...PARAMETERS, ...HANDOVERS };
  return anchored({ parameters, restaurants: [...restaurants.values()], orders, couriers }, plane.toGlobe);
}

/** The point that one of the later tries looks at. The first try looks at the point itself. */
function turned(point: Point, around: Point, tries: number): Point {
  const [x, y] = [point.x - around.x, point.y - around.y];
  const [cos, sin] = [Math.cos(TURN_RAD * tries), Math.sin(TURN_RAD * tries)];
  const share = NEARER ** tries;
  return { x: around.x + share * (x * cos - y * sin), y: around.y + share * (x * sin + y * cos) };
}

function nearest(to: Point, points: readonly Point[]): Point {
  return points.reduce((best, point) => (distanceM(point, to) < distanceM(best, to) ? point : best), points[0] ?? to);
}

/** Moves the plane so that it starts at 0 and names its origin, and rounds to whole metres. */
function anchored(day: Day, toGlobe: (point: Point) => Coordinates): Day {
  const points = [...day.restaurants, ...day.orders, ...day.couriers].map(({ at }) => at);
  const corner = toGlobe({ x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) });
  const origin = { lat: Number(corner.lat.toFixed(6)), lng: Number(corner.lng.toFixed(6)) };
  const { toPlane } = planeAt(origin);
  const moved = <T extends { readonly at: Point }>(one: T): T => {
    const { x, y } = toPlane(toGlobe(one.at));
    return { ...one, at: { x: Math.max(0, Math.round(x)), y: Math.max(0, Math.round(y)) } };
  };
  const restaurants = new Map(day.restaurants.map((one) => [one.id, moved(one)]));
  const orders = day.orders.map((order) => {
    return { ...moved(order), restaurant: restaurants.get(order.restaurant.id) ?? order.restaurant };
  });
  return { ...day, origin, restaurants: [...restaurants.values()], orders, couriers: day.couriers.map(moved) };
}
