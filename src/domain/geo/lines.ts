import { between, distanceM, planeAround, type Coordinates } from './geo.ts';
import { decodePolyline, encodePolyline } from './polyline.ts';
import { awayFrom } from './straight-line.ts';

/** The longest stored line, characters: about 400 points, which a way of 50 km through a city and the land needs. */
export const MOST_CHARACTERS = 2048;
/** A point nearer than this to the line of its neighbours is left out: a street is wider on every map. */
const LEAST_DEVIATION_M = 5;

type Plane = ReturnType<typeof planeAround>;

/**
 * Encodes a line with the points that a reader of a map can tell apart, in at most `MOST_CHARACTERS`. Both ends stay. Each
 * point that is left out lies within 5 m of the new line, or within more if the line would be too long otherwise.
 */
export function shortenLine(line: readonly Coordinates[]): string {
  let kept = line;
  for (let withinM = LEAST_DEVIATION_M; ; withinM *= 2) {
    // A further pass reads only what the pass before has kept. So a very long line does not hold up the process.
    kept = simplify(kept, withinM);
    const text = encodePolyline(kept);
    if (text.length <= MOST_CHARACTERS) return text;
  }
}

/** The points of a line that remain if each other one lies within so many metres of it (Douglas and Peucker 1973). */
function simplify(line: readonly Coordinates[], withinM: number): readonly Coordinates[] {
  if (line.length <= 2) return line;
  const plane = planeAround(line);
  const kept = new Set([0, line.length - 1]);
  const spans: [from: number, to: number][] = [[0, line.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    const far = farthest(plane, from, to);
    if (far === null || far.awayM <= withinM) continue;
    kept.add(far.at);
    spans.push([from, far.at], [far.at, to]);
  }
  return line.filter((_point, at) => kept.has(at));
}

/** The point between two points of the line that is farthest from the straight line between them; null if there is none. */
function farthest(plane: Plane, from: number, to: number): { at: number; awayM: number } | null {
  let far: { at: number; awayM: number } | null = null;
  for (let at = from + 1; at < to; at += 1) {
    const awayM = awayOf(plane, at, from, to);
    if (far === null || awayM > far.awayM) far = { at, awayM };
  }
  return far;
}

/** The metres from a point to the straight line between two others. */
function awayOf({ x, y }: Plane, at: number, from: number, to: number): number {
  return awayFrom([x[to]! - x[from]!, y[to]! - y[from]!], [x[at]! - x[from]!, y[at]! - y[from]!]);
}

/**
 * The encoded line from its first point on after which it stays farther than so many metres from its start and from a place.
 * Null if less than a line is left.
 */
export function cutStart(polyline: string, place: Coordinates, metres: number): string | null {
  const line = decodePolyline(polyline);
  const plane = planeAround([...line, place]);
  const isNear = (of: number, to: number): boolean => awayOf(plane, of, to - 1, to) <= metres;
  const last = line.findLastIndex((_point, at) => at > 0 && (isNear(0, at) || isNear(line.length, at)));
  const rest = line.slice(Math.max(0, last));
  return rest.length < 2 ? null : encodePolyline(rest);
}

/** The length of a line in metres. */
export function lengthM(line: readonly Coordinates[]): number {
  return line.reduce((sum, point, at) => sum + distanceM(line[at - 1] ?? point, point), 0);
}

/**
 * The place so many metres along a line; one of its ends if the line is not there.
 * @throws RangeError for a line without points
 */
export function placeAlong(line: readonly Coordinates[], metres: number): Coordinates {
  let [leftM, from] = [Math.max(0, metres), line[0]];
  if (from === undefined) throw new RangeError('a line has at least one point');
  for (const to of line.slice(1)) {
    const stretchM = distanceM(from, to);
    if (leftM < stretchM) return between(from, to, leftM / stretchM);
    [leftM, from] = [leftM - stretchM, to];
  }
  return from;
}
