import { getHexagonAreaAvg, polygonToCells, UNITS } from 'h3-js';
import { distanceM, VIEW_RESOLUTION, viewCellOf } from './geo.ts';

/** Degrees, west before east and south before north. Bounds do not cross the date line. */
export type Bounds = { readonly west: number; readonly south: number; readonly east: number; readonly north: number };

/**
 * Cells differ from the average size. Bounds that need more than this many times too many cells are not counted
 * exactly.
 */
const SLACK = 2;
/** Shorter than the distance between the middles of two neighbouring cells. */
const LEAST_STEP_M = 1500;

/**
 * The cells of a dispatcher's map whose middles lie within these bounds, and the cells of the bounds' corners and
 * middle. Null if there are more than `most`.
 */
export function cellsWithin(bounds: Bounds, most: number): string[] | null {
  const { west, south, east, north } = bounds;
  const middle = { lat: (south + north) / 2, lng: (west + east) / 2 };
  const mPerDegree = distanceM({ lat: 0, lng: 0 }, { lat: 1, lng: 0 });
  const highM = (north - south) * mPerDegree;
  const wideM = (east - west) * mPerDegree * Math.cos((middle.lat * Math.PI) / 180);
  const areaM2 = highM * wideM;
  if (areaM2 / getHexagonAreaAvg(VIEW_RESOLUTION, UNITS.m2) > SLACK * most) return null;
  if (Math.max(highM, wideM) / LEAST_STEP_M > SLACK * most) return null;
  const ring = [
    [south, west],
    [south, east],
    [north, east],
    [north, west],
  ];
  // H3 does not accept a polygon without area.
  const filled = areaM2 > 0 ? polygonToCells(ring, VIEW_RESOLUTION) : [];
  const beside = [middle, ...ring.map(([lat = 0, lng = 0]) => ({ lat, lng }))].map(viewCellOf);
  const cells = [...new Set([...filled, ...beside])];
  return cells.length > most ? null : cells;
}
