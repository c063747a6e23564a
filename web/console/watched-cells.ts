import { getHexagonAreaAvg, gridDisk, latLngToCell, polygonToCells, UNITS } from 'h3-js';

export type Bounds = { readonly west: number; readonly south: number; readonly east: number; readonly north: number };

export const WATCH_RESOLUTION = 7;
/** As many cells as the server lets one reader watch. */
export const MOST_CELLS = 500;
/** The largest disk of cells that fits: 3k(k + 1) + 1 = 469. */
const LARGEST_DISK = 12;
/** Views larger than this many cells are not even counted out. */
const MOST_COUNTED = 600;
const METRES_PER_DEGREE = 111_195;

/** `isPartial` says that the view is larger than what may be watched, and only its middle is. */
export type Watched = { readonly cells: string[]; readonly isPartial: boolean };

/**
 * The cells to watch: those of the view and one ring around them, then the places named beside it while there is room.
 * A view that is too large is watched around its middle.
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
  // A view without a surface, such as one place alone, is no polygon to H3.
  const filled = areaKm2 > 0 ? polygonToCells(ring, WATCH_RESOLUTION) : [];
  const inside = [...filled, middleCell(bounds)];
  const cells = new Set(inside.flatMap((cell) => gridDisk(cell, 1)));
  return cells.size > MOST_CELLS ? null : cells;
}

function middleCell({ west, south, east, north }: Bounds): string {
  return latLngToCell((south + north) / 2, (west + east) / 2, WATCH_RESOLUTION);
}
