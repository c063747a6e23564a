// The places of couriers and vendors: around corners of the dispatch regions, so that three leaders compete for the
// same couriers.
import { cellToLatLng, cellToVertex, gridDisk, vertexToLatLng } from 'h3-js';
import { regionOf as regionAt } from '../../../src/domain/geo/geo.ts';
import { defaultSettings } from '../../../src/settings.ts';
import type { Coordinates } from '../../day/day.ts';
import type { Random } from '../../random.ts';

/** The servers of a run use the default. */
const { regionResolution: REGION_RESOLUTION } = defaultSettings().dispatch;
/** Cells between two meeting points. They are far apart, so that their couriers do not mix. */
const APART = 6;
/** Couriers and stops stay within this distance of the corner, so that each courier is in reach of each stop. */
const AROUND_M = 100;
/** Part of the way from a corner to the middle of a cell: about ten metres. */
const STEP = 0.001;
const METRES_PER_DEGREE = 111_195;

/** Up to seven corners of regions around a centre. */
export function meetingPoints(center: Coordinates, count: number): Coordinates[] {
  const home = regionOf(center);
  const ring = gridDisk(home, APART).slice(-6 * APART);
  const cells = [home, ...ring.filter((_, index) => index % APART === 0)];
  return cells.slice(0, count).map((cell) => {
    const [lat, lng] = vertexToLatLng(cellToVertex(cell, 0));
    return { lat, lng };
  });
}

/** A place near a corner. */
export function placeNear({ lat, lng }: Coordinates, random: Random): Coordinates {
  const bearing = random.between(0, 2 * Math.PI);
  const awayM = random.between(AROUND_M / 4, AROUND_M);
  const north = (awayM * Math.cos(bearing)) / METRES_PER_DEGREE;
  const east = (awayM * Math.sin(bearing)) / (METRES_PER_DEGREE * Math.cos((lat * Math.PI) / 180));
  return { lat: lat + north, lng: lng + east };
}

/** The region of a place, by its name in the servers. */
export function regionOf(place: Coordinates): string {
  return regionAt(place, REGION_RESOLUTION);
}

/** All regions that touch these corners. */
export function regionsAround(points: readonly Coordinates[]): string[] {
  const cells = points.flatMap((point) => gridDisk(regionOf(point), 1).filter((cell) => hasCorner(cell, point)));
  return [...new Set(cells)];
}

/** Whether a small step from the corner towards the middle of the cell leads into the cell. */
function hasCorner(cell: string, point: Coordinates): boolean {
  const [lat, lng] = cellToLatLng(cell);
  const toward = (part: number): Coordinates => ({
    lat: point.lat + (lat - point.lat) * part,
    lng: point.lng + (lng - point.lng) * part,
  });
  return regionOf(toward(STEP)) === cell;
}
