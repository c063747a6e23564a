import { distanceM, planeAround, type Coordinates } from './geo.ts';
import { decodePolyline, encodePolyline } from './polyline.ts';

/** The longest stored line, characters: about 400 points, which a way of 50 km through a city and the land needs. */
export const MOST_CHARACTERS = 2048;
/** A point nearer than this to the line of its neighbours is left out: a street is wider on every map. */
const LEAST_DEVIATION_M = 5;

/**
 * Encodes a line with the points that a reader of a map can tell apart, in at most `MOST_CHARACTERS`. Both ends stay. Each
 * point that is left out lies within 5 m of the new line, or within more if the line would be too long otherwise.
 */
export function shortenLine(line: readonly Coordinates[]): string {
  for (let withinM = LEAST_DEVIATION_M; ; withinM *= 2) {
    const text = encodePolyline(simplify(line, withinM));
    if (text.length <= MOST_CHARACTERS) return text;
  }
}

/** The points of a line that remain if each other one lies within so many metres of it (Douglas and Peucker 1973). */
function simplify(line: readonly Coordinates[], withinM: number): readonly Coordinates[] {
  if (line.length <= 2) return line;
  const { x, y } = planeAround(line);
  const kept = new Set([0, line.length - 1]);
  const spans: [from: number, to: number][] = [[0, line.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    const far = farthest(x, y, from, to);
    if (far === null || far.awayM <= withinM) continue;
    kept.add(far.at);
    spans.push([from, far.at], [far.at, to]);
  }
  return line.filter((_point, at) => kept.has(at));
}

/** The point between two points of the line that is farthest from the straight line between them; null if there is none. */
function farthest(x: Float64Array, y: Float64Array, from: number, to: number): { at: number; awayM: number } | null {
  let far: { at: number; awayM: number } | null = null;
  const [dx, dy] = [x[to]! - x[from]!, y[to]! - y[from]!];
  const squared = dx * dx + dy * dy;
  for (let at = from + 1; at < to; at += 1) {
    const [px, py] = [x[at]! - x[from]!, y[at]! - y[from]!];
    const along = squared === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / squared));
    const awayM = Math.hypot(px - along * dx, py - along * dy);
    if (far === null || awayM > far.awayM) far = { at, awayM };
  }
  return far;
}

/** The encoded line without its points up to the last one within so many metres of its start. Null if less than a line is left. */
export function cutStart(polyline: string, metres: number): string | null {
  const line = decodePolyline(polyline);
  const [start] = line;
  const last = line.findLastIndex((point) => start !== undefined && distanceM(start, point) <= metres);
  const rest = line.slice(last + 1);
  return rest.length < 2 ? null : encodePolyline(rest);
}
