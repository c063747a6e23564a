import type { Matching, Side } from '../../src/dispatch/match/assignment/matching.ts';

/** Adds edges to a row. All edges of the row move to the end of the list. */
export function addEdges(rows: Side, row: number, ends: Int32Array, costs: Float64Array, count: number): void {
  const from = rows.from[row]!;
  const to = rows.to[row]!;
  const own = to - from;
  const at = rows.size;
  if (at + own + count > rows.ends.length) {
    const room = 2 * (at + own + count);
    const [oldEnds, oldCosts] = [rows.ends, rows.costs];
    rows.ends = new Int32Array(room);
    rows.ends.set(oldEnds);
    rows.costs = new Float64Array(room);
    rows.costs.set(oldCosts);
  }
  rows.ends.copyWithin(at, from, to);
  rows.costs.copyWithin(at, from, to);
  rows.ends.set(ends.subarray(0, count), at + own);
  rows.costs.set(costs.subarray(0, count), at + own);
  rows.from[row] = at;
  rows.to[row] = rows.size = at + own + count;
}

/** Lists the rows' edges by column, so that columns can be placed. */
export function listByColumn({ rows, columns }: Matching): void {
  const { from, to } = columns;
  let count = 0;
  to.fill(0);
  for (let row = 0; row < rows.from.length; row += 1) {
    for (let edge = rows.from[row]!; edge < rows.to[row]!; edge += 1) to[rows.ends[edge]!]! += 1;
  }
  for (let column = 0; column < from.length; column += 1) {
    from[column] = count;
    count += to[column]!;
    to[column] = from[column]!;
  }
  columns.ends = new Int32Array(count);
  columns.costs = new Float64Array(count);
  columns.size = count;
  for (let row = 0; row < rows.from.length; row += 1) {
    for (let edge = rows.from[row]!; edge < rows.to[row]!; edge += 1) {
      const at = to[rows.ends[edge]!]!++;
      columns.ends[at] = row;
      columns.costs[at] = rows.costs[edge]!;
    }
  }
}
