import { distanceM, type Coordinates } from './geo.ts';
import { decodePolyline } from './polyline.ts';
import { lengthM, shortenLine } from './lines.ts';

/** The way along streets between two places. The polyline is encoded with six decimals, and `joinLegs` shortens it. */
export type RouteLeg = { readonly distanceM: number; readonly durationS: number; readonly polyline: string };

/** The way along streets through several places in their order: whole metres and seconds, and a leg between each two. */
export type Route = { readonly distanceM: number; readonly durationS: number; readonly legs: readonly RouteLeg[] };

/** A place farther from any street than this is off the map of the routing server, metres. */
export const MOST_SNAPPED_M = 200;
/** Routing servers round each piece of street, so the length of a leg differs from that of its line by this at most. */
const [ROUNDING_SHARE, ROUNDING_M] = [0.05, 20];

/**
 * The route that these legs give, with lines of bounded size. It is `moved` if a leg does not begin and end at its places,
 * because routing servers move places to the nearest street, even if it is many kilometres away. It is `unsound` if a leg is
 * not as long as its line.
 * @throws RangeError if there is not a leg between each two places, or a line cannot be decoded
 */
export function joinLegs(places: readonly Coordinates[], legs: readonly RouteLeg[]): Route | 'moved' | 'unsound' {
  if (legs.length !== places.length - 1) throw new RangeError(`${places.length} places have ${legs.length} legs`);
  const lines = legs.map(({ polyline }) => decodePolyline(polyline));
  if (!lines.every((line, at) => isNearTo(line[0], places[at]) && isNearTo(line.at(-1), places[at + 1])))
    return 'moved';
  if (!lines.every((line, at) => isAsLong(legs[at]?.distanceM ?? NaN, line))) return 'unsound';
  const sum = (of: (leg: RouteLeg) => number): number => Math.round(legs.reduce((all, leg) => all + of(leg), 0));
  const shortened = legs.map((leg, at) => ({ ...leg, polyline: shortenLine(lines[at] ?? []) }));
  return { distanceM: sum((leg) => leg.distanceM), durationS: sum((leg) => leg.durationS), legs: shortened };
}

/** Says whether an encoded line leads from one place to another, as far as routing servers move places. */
export function leads(polyline: string, from: Coordinates, to: Coordinates): boolean {
  const line = decodePolyline(polyline);
  return isNearTo(line[0], from) && isNearTo(line.at(-1), to);
}

function isNearTo(point: Coordinates | undefined, place: Coordinates | undefined): boolean {
  return point !== undefined && place !== undefined && distanceM(point, place) <= MOST_SNAPPED_M;
}

function isAsLong(metres: number, line: readonly Coordinates[]): boolean {
  const lineM = lengthM(line);
  return Math.abs(metres - lineM) <= ROUNDING_SHARE * lineM + ROUNDING_M;
}
