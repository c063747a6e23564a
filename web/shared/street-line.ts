import { decodePolyline } from '../../src/domain/geo/polyline.ts';
import { partNearest } from '../../src/domain/geo/straight-line.ts';
import { metresBetween, placeBetween, type Place, type Pose } from './glide.ts';

/** A line along streets. `alongM` has the metres from its start to each of its points. */
export type StreetLine = { readonly points: readonly Place[]; readonly alongM: readonly number[] };

/** A courier farther from the line than this has taken another way, metres. Positions are wrong by less in most streets. */
const ON_LINE_M = 50;

/** Opens an encoded line. Null if it has less than two points. */
export function openLine(polyline: string): StreetLine | null {
  const points = decodePolyline(polyline);
  let sum = 0;
  const alongM = points.map((point, at) => (sum += metresBetween(points[at - 1] ?? point, point)));
  return points.length < 2 ? null : { points, alongM };
}

/**
 * The metres along the line at the point nearest to a place, from `fromM` to `toM`. Null if the place is not on that part of
 * the line. If the line passes the place several times, the first time counts, so that a courier never leaps over a detour.
 */
export function snap(line: StreetLine, place: Place, fromM: number, toM = Infinity): number | null {
  let best: { m: number; awayM: number } | null = null;
  for (const { from, to, startM, endM } of stretches(line, fromM)) {
    if (startM > toM) break;
    const part = partAt(from, to, place);
    const awayM = metresBetween(placeBetween(from, to, part), place);
    if (awayM <= ON_LINE_M && (best === null || awayM < best.awayM))
      best = { m: startM + (endM - startM) * part, awayM };
    if (awayM > ON_LINE_M && best !== null) break;
  }
  return best?.m ?? null;
}

/** The place so many metres along the line, with the direction of the street there. */
export function poseAt(line: StreetLine, alongM: number): Pose {
  const at = Math.max(
    1,
    line.alongM.findIndex((m) => m > alongM),
  );
  const last = alongM >= (line.alongM.at(-1) ?? 0) ? line.points.length - 1 : at;
  const [from, to] = [line.points[last - 1], line.points[last]];
  const [startM = 0, endM = 0] = [line.alongM[last - 1], line.alongM[last]];
  if (from === undefined || to === undefined) throw new RangeError('a line has two points at least');
  const part = endM === startM ? 1 : Math.min(1, Math.max(0, (alongM - startM) / (endM - startM)));
  const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180);
  return {
    ...placeBetween(from, to, part),
    heading: ((Math.atan2(east, to.lat - from.lat) * 180) / Math.PI + 360) % 360,
  };
}

/** The line before and after a place so many metres along it. Both parts have that place. */
export function splitAt(line: StreetLine, alongM: number): { readonly done: Place[]; readonly ahead: Place[] } {
  const { lat, lng } = poseAt(line, alongM);
  const cut = { lat, lng };
  return {
    done: [...line.points.filter((_point, at) => (line.alongM[at] ?? 0) < alongM), cut],
    ahead: [cut, ...line.points.filter((_point, at) => (line.alongM[at] ?? 0) > alongM)],
  };
}

/** The straight parts of the line from `fromM` on. The first may begin within one. */
function* stretches(line: StreetLine, fromM: number) {
  for (let at = 1; at < line.points.length; at += 1) {
    const [from, to] = [line.points[at - 1], line.points[at]];
    const [startM = 0, endM = 0] = [line.alongM[at - 1], line.alongM[at]];
    if (from === undefined || to === undefined || endM < fromM) continue;
    const cut = startM < fromM ? placeBetween(from, to, (fromM - startM) / (endM - startM)) : from;
    yield { from: cut, to, startM: Math.max(startM, fromM), endM };
  }
}

/** How far along a straight line the point nearest to a place lies, 0 to 1. */
function partAt(from: Place, to: Place, place: Place): number {
  const narrow = Math.cos((from.lat * Math.PI) / 180);
  const seen = ({ lat, lng }: Place) => [(lng - from.lng) * narrow, lat - from.lat] as const;
  return partNearest(seen(to), seen(place));
}
