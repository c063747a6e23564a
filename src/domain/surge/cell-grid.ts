import { latLngToCell } from 'h3-js';
import type { Coordinates } from '../geo/geo.ts';

/**
 * Squares kept in memory, about 12 MB. When it is full, all are forgotten and cost the library's microseconds again.
 */
const MOST_SQUARES = 100_000;
/** More than the squares around the globe at any fineness in use, so that no two squares share a number. */
const SQUARES_AROUND = 10_000_000;

/**
 * The H3 cells of places, cached by small squares of a grid in degrees. Thousands of couriers move a few metres between
 * two runs, and each costs one look-up. A place takes the cell of its square's middle, so near a border it may get the
 * neighbour's.
 */
export function createCellGrid(resolution: number, squareDeg: number): (place: Coordinates) => string {
  const cells = new Map<number, string>();
  return ({ lat, lng }) => {
    const [row, column] = [Math.floor(lat / squareDeg), Math.floor(lng / squareDeg)];
    const square = row * SQUARES_AROUND + column;
    const known = cells.get(square);
    if (known !== undefined) return known;
    const cell = latLngToCell((row + 0.5) * squareDeg, (column + 0.5) * squareDeg, resolution);
    if (cells.size >= MOST_SQUARES) cells.clear();
    cells.set(square, cell);
    return cell;
  };
}
