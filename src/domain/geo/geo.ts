import {
  cellToBoundary,
  cellToChildren,
  cellToParent,
  getResolution,
  gridDisk,
  isValidCell,
  latLngToCell,
} from 'h3-js';
import { awayFrom } from './straight-line.ts';

/** WGS84 degrees. */
export type Coordinates = { readonly lat: number; readonly lng: number };

/** Radius of the mean sphere. */
export const EARTH_RADIUS_M = 6_371_008.8;
/** H3 resolution of the cells an admin's viewport is made of: about 5 km². */
export const VIEW_RESOLUTION = 7;

/** Says whether two places are the same to the last digit. */
export function isSamePlace(a: Coordinates, b: Coordinates): boolean {
  return a.lat === b.lat && a.lng === b.lng;
}

/** Great-circle distance in metres on the mean sphere (haversine). */
export function distanceM(a: Coordinates, b: Coordinates): number {
  const toRad = Math.PI / 180;
  const dLat = ((b.lat - a.lat) * toRad) / 2;
  const dLng = ((b.lng - a.lng) * toRad) / 2;
  const h = Math.sin(dLat) ** 2 + Math.cos(a.lat * toRad) * Math.cos(b.lat * toRad) * Math.sin(dLng) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The dispatch region of a place: an H3 cell of this resolution, which is a setting. */
export function regionOf(place: Coordinates, resolution: number): string {
  return latLngToCell(place.lat, place.lng, resolution);
}

/**
 * The resolution of a region. Each region carries its own: regions stored before a change of the setting keep the old
 * one.
 */
export function sizeOf(region: string): number {
  return getResolution(region);
}

/**
 * The regions of this resolution that cover these cells of any size. The cover is approximate, since H3 cells do not
 * nest exactly.
 */
export function regionsAt(cells: readonly string[], resolution: number): string[] {
  const regions = cells.flatMap((cell) =>
    getResolution(cell) < resolution ? cellToChildren(cell, resolution) : [cellToParent(cell, resolution)],
  );
  return [...new Set(regions)];
}

/** The H3 cell that an admin's map watches. */
export function viewCellOf(place: Coordinates): string {
  return latLngToCell(place.lat, place.lng, VIEW_RESOLUTION);
}

/** Says whether the text names a cell that an admin's map can watch. */
export function isViewCell(cell: string): boolean {
  return isValidCell(cell) && getResolution(cell) === VIEW_RESOLUTION;
}

/** The region of this resolution that a view cell lies in. */
export function regionOfCell(viewCell: string, resolution: number): string {
  return cellToParent(viewCell, resolution);
}

/** A region and its neighbours. The region may use couriers of all of them. */
export function regionAndNeighbours(region: string): string[] {
  return cellAndNeighbours(region);
}

/** A cell and those around it. */
export function cellAndNeighbours(cell: string): string[] {
  return gridDisk(cell, 1);
}

/** The regions of this resolution that reach into the circle of `withinM` metres around a place. */
export function regionsWithin(place: Coordinates, withinM: number, resolution: number): string[] {
  const home = regionOf(place, resolution);
  const found = [home];
  let inner = new Set(found);
  for (let rings = 1; ; rings += 1) {
    const disk = gridDisk(home, rings);
    const near = disk.filter((cell) => !inner.has(cell) && metresToCell(place, cell) <= withinM);
    if (near.length === 0) return found;
    found.push(...near);
    inner = new Set(disk);
  }
}

/** Metres from a place outside of a cell to its nearest edge. Accurate within a city. */
function metresToCell(place: Coordinates, cell: string): number {
  const corners = cellToBoundary(cell).map(([lat, lng]) => ({ lat, lng }));
  const { x, y } = planeAround([place, ...corners]);
  let least = Infinity;
  for (let from = 1; from <= corners.length; from += 1) {
    const to = (from % corners.length) + 1;
    const edge = [x[to]! - x[from]!, y[to]! - y[from]!] as const;
    least = Math.min(least, awayFrom(edge, [-x[from]!, -y[from]!]));
  }
  return least;
}

/** A place moved by metres east and north, also over the date line and the poles. Accurate within a city. */
export function offsetBy(place: Coordinates, eastM: number, northM: number): Coordinates {
  const latPerM = 180 / (Math.PI * EARTH_RADIUS_M);
  const lat = place.lat + northM * latPerM;
  const lng = place.lng + (eastM * latPerM) / Math.cos((place.lat * Math.PI) / 180);
  if (Math.abs(lat) <= 90) return { lat, lng: turned(lng) };
  return { lat: Math.sign(lat) * 180 - lat, lng: turned(lng + 180) };
}

/** Lays places on a plane of metres east and north of the first. Accurate within a city. */
export function planeAround(places: readonly Coordinates[]): { x: Float64Array; y: Float64Array } {
  const mPerDegree = (Math.PI * EARTH_RADIUS_M) / 180;
  const { lat, lng } = places[0] ?? { lat: 0, lng: 0 };
  const mPerDegreeEast = mPerDegree * Math.cos((lat * Math.PI) / 180);
  return {
    x: Float64Array.from(places, (place) => turned(place.lng - lng) * mPerDegreeEast),
    y: Float64Array.from(places, (place) => (place.lat - lat) * mPerDegree),
  };
}

/** The same angle between -180 and 180 degrees, so that ways cross the date line where that is shorter. */
function turned(degrees: number): number {
  return degrees - 360 * Math.round(degrees / 360);
}

/** The point that lies `fraction` (0 to 1) of the way from a to b. */
export function between(a: Coordinates, b: Coordinates, fraction: number): Coordinates {
  const f = Math.min(1, Math.max(0, fraction));
  // A pole lies on every meridian, so the way to it follows the meridian of the other end.
  const fromLng = Math.abs(a.lat) === 90 ? b.lng : a.lng;
  const toLng = Math.abs(b.lat) === 90 ? a.lng : b.lng;
  return { lat: a.lat + (b.lat - a.lat) * f, lng: turned(fromLng + turned(toLng - fromLng) * f) };
}

/** Compass heading from a to b in whole degrees, 0 to 359. */
export function headingDeg(a: Coordinates, b: Coordinates): number {
  const east = turned(b.lng - a.lng) * Math.cos((a.lat * Math.PI) / 180);
  const degrees = (Math.atan2(east, b.lat - a.lat) * 180) / Math.PI;
  return Math.round(degrees + 360) % 360;
}

/** A key that places less than about 11 m apart share. */
export function placeKey({ lat, lng }: Coordinates): string {
  return `${lat.toFixed(4)} ${lng.toFixed(4)}`;
}
