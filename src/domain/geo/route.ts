import { distanceM, type Coordinates } from './geo.ts';
import { decodePolyline } from './polyline.ts';

/** The way along streets between two places. The polyline is encoded with six decimals. */
export type RouteLeg = { readonly distanceM: number; readonly durationS: number; readonly polyline: string };

/** The way along streets through several places in their order: whole metres and seconds, and a leg between each two. */
export type Route = { readonly distanceM: number; readonly durationS: number; readonly legs: readonly RouteLeg[] };

/** Farther from a street a place is not on the map that the routing server has, metres. */
export const MOST_SNAPPED_M = 200;
/** A way may be shorter than the straight line between its ends by what rounding takes away. */
const [LEAST_SHARE, ROUNDING_M] = [0.99, 10];

/**
 * The route that these legs give; null if a leg does not begin and end at its places, or is shorter than a straight line.
 * Routing servers move places to the nearest street, even if it is many kilometres away.
 * @throws RangeError if there is not a leg between each two places, or a line cannot be decoded
 */
export function joinLegs(places: readonly Coordinates[], legs: readonly RouteLeg[]): Route | null {
  if (legs.length !== places.length - 1) throw new RangeError(`${places.length} places have ${legs.length} legs`);
  const isSound = legs.every((leg, index) => {
    const line = decodePolyline(leg.polyline);
    const [first, last] = [line[0], line.at(-1)];
    if (first === undefined || last === undefined) return false;
    const isNear = isNearTo(first, places[index]) && isNearTo(last, places[index + 1]);
    return isNear && leg.distanceM >= LEAST_SHARE * distanceM(first, last) - ROUNDING_M;
  });
  if (!isSound) return null;
  const sum = (of: (leg: RouteLeg) => number): number => Math.round(legs.reduce((all, leg) => all + of(leg), 0));
  return { distanceM: sum((leg) => leg.distanceM), durationS: sum((leg) => leg.durationS), legs };
}

function isNearTo(point: Coordinates, place: Coordinates | undefined): boolean {
  return place !== undefined && distanceM(point, place) <= MOST_SNAPPED_M;
}
