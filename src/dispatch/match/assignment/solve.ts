import { highestPrice, openMatching, place, type Edges } from './matching.ts';

/**
 * Assigns rows to columns, each at most once, at the least total cost over the listed edges, where a row left unmatched
 * costs `unmatchedCost`. Exact; costs may be negative. Gives each row's column or -1.
 *
 * Shortest augmenting paths with prices (Jonker and Volgenant 1987), row by row, on a sparse list.
 */
export function solveAssignment(edges: Edges, unmatchedCost: number): Int32Array {
  const { rows, columns, search } = openMatching(edges, unmatchedCost);
  for (let row = 0; row < edges.rows; row += 1) {
    rows.price[row] = highestPrice(rows, columns, row);
    place(rows, columns, search, row, true);
  }
  return rows.mate;
}
