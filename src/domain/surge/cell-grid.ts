import { latLngToCell } from 'h3-js';
import type { Coordinates } from '../geo/geo.ts';

/** Squares remembered, some 12 MB; when full all are forgotten, and cost the library's microseconds again. */
const MOST_SQUARES = 100_000;
/** More than the squares of a degree of longitude at any fineness used, so that no two squares share a number. */
const SQUARES_AROUND = 10_000_000;

/**
 * The H3 cells of places, remembered by small squares of the grid of degrees: thousands of couriers who move a few metres
 * between two runs cost a look each. A place takes the cell of its square's middle, so at a border it may be told the
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
