// Short lines along streets, in metres around one place.
import { encodePolyline } from '../../src/domain/geo/polyline.ts';
import { openLine, type StreetLine } from '../../web/shared/street-line.ts';

export const START = { lat: 47.14, lng: 9.52 };
const DEG_PER_M = 1 / 111_195;

/** The place so many metres east and north of the start. */
export const at = (eastM: number, northM: number) => ({
  lat: START.lat + northM * DEG_PER_M,
  lng: START.lng + (eastM * DEG_PER_M) / Math.cos((START.lat * Math.PI) / 180),
});
export type Place = ReturnType<typeof at>;

/** The line through these points. */
export function lineOf(...points: Place[]): StreetLine {
  const line = openLine(encodePolyline(points));
  if (line === null) throw new Error('the line is too short');
  return line;
}
