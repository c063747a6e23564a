import { getHexagonAreaAvg, gridDisk, latLngToCell, polygonToCells, UNITS } from 'h3-js';

export type Bounds = { readonly west: number; readonly south: number; readonly east: number; readonly north: number };

export const WATCH_RESOLUTION = 7;
/** Most cells that the server lets one reader watch. */
export const MOST_CELLS = 500;
/** The largest disk of cells that fits: 3k(k + 1) + 1 = 469. */
const LARGEST_DISK = 12;
/** Views with more cells than this are not enumerated. */
const MOST_COUNTED = 600;
const METRES_PER_DEGREE = 111_195;

/** The watched cells. `isPartial` means that the view is too large and only its middle is watched. */
export type Watched = { readonly cells: string[]; readonly isPartial: boolean };

/**
 * The cells to watch: those of the view and one ring around them, then those of the given places up to the limit. If the
 * view is too large, only its middle is watched.
 */
export function cellsToWatch(bounds: Bounds, beside: Iterable<{ lat: number; lng: number }>): Watched {
  const view = cellsOfView(bounds);
  const cells = new Set(view ?? gridDisk(middleCell(bounds), LARGEST_DISK));
  for (const { lat, lng } of beside) {
    if (cells.size >= MOST_CELLS) break;
    cells.add(latLngToCell(lat, lng, WATCH_RESOLUTION));
  }
  return { cells: [...cells], isPartial: view === null };
}

function cellsOfView(bounds: Bounds): Set<string> | null {
  const { west, south, east, north } = bounds;
  const shrink = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const areaKm2 = ((east - west) * shrink * (north - south) * METRES_PER_DEGREE ** 2) / 1e6;
  if (areaKm2 / getHexagonAreaAvg(WATCH_RESOLUTION, UNITS.km2) > MOST_COUNTED) return null;
  const ring = [
    [south, west],
    [south, east],
    [north, east],
    [north, west],
  ];
  // A view of a single place has no area, so it is not a polygon for H3.
  const filled = areaKm2 > 0 ? polygonToCells(ring, WATCH_RESOLUTION) : [];
  const inside = [...filled, middleCell(bounds)];
  const cells = new Set(inside.flatMap((cell) => gridDisk(cell, 1)));
  return cells.size > MOST_CELLS ? null : cells;
}

function middleCell({ west, south, east, north }: Bounds): string {
  return latLngToCell((south + north) / 2, (west + east) / 2, WATCH_RESOLUTION);
}
