import {
  type Edges,
  highestPrice,
  NONE,
  openMatching,
  place,
  type Matching,
} from '../../src/dispatch/match/assignment/matching.ts';
import { nearestByTime, type Found, type NearestQuery } from '../../src/dispatch/match/places/nearest.ts';
import { postpone, type PointGrid } from '../../src/dispatch/match/places/point-grid.ts';
import { addEdges, listByColumn } from './more-edges.ts';

/** Rows at places in metres, and the columns of a grid that may be assigned to them. */
export type NearestProblem = {
  readonly rows: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Its points are postponed by their prices, so build a new one for another use. */
  readonly grid: PointGrid;
  readonly maxDistanceM: number;
  readonly unmatchedCost: number;
  /** The columns listed for each row at first. */
  readonly candidates: number;
  readonly suits: (row: number, column: number) => boolean;
  /** The cost of the pair if the column arrives at this time. */
  readonly costOf: (row: number, column: number, arriveS: number) => number;
  /** The latest arrival of a column for which the pair costs less. A second more may not save more than one. */
  readonly beforeS: (row: number, cost: number) => number;
};

export type NearestAssignment = {
  /** Each row's column or -1. */
  readonly columnOf: Int32Array;
  /**
   * The price of each column, which is not above 0. With the prices a reader can prove that no assignment is cheaper.
   */
  readonly columnPrice: Float64Array;
  /** Whether it is certain that no assignment of pairs that suit, listed or not, costs less. */
  readonly isBest: boolean;
};

/** The nearest columns of each row as edges. */
export type Listed = {
  readonly problem: NearestProblem;
  readonly edges: Edges;
  /** No column of the row that is not listed arrives before this; Infinity when all are listed. */
  readonly listedS: Float64Array;
};

type Work = Listed & {
  readonly matching: Matching;
  /** The highest price up to which a row is known to have no bargain. */
  readonly checkedPrice: Float64Array;
  readonly found: Found;
  readonly costs: Float64Array;
};

/** The number of free columns to list if all of a row's own are taken, and of bargains to list at once. */
const FREE = 4;
const BARGAINS = 16;
/** With equal numbers of orders and couriers, 5 to 10 rounds of bargains are needed, otherwise 1 or 2. */
const MOST_ROUNDS = 30;
/** A bargain saves more than rounding can: a microsecond. */
const ROUNDING_S = 1e-6;

/** Lists the `candidates` nearest columns of each row by time. */
export function listNearest(problem: NearestProblem): Listed {
  const { rows, grid, candidates, costOf } = problem;
  const starts = new Int32Array(rows + 1);
  const targets = new Int32Array(rows * candidates);
  const costs = new Float64Array(rows * candidates);
  const listedS = new Float64Array(rows);
  const found = { ids: new Int32Array(candidates), arriveS: new Float64Array(candidates) };
  let edge = 0;
  for (let row = 0; row < rows; row += 1) {
    const suits = (column: number): boolean => problem.suits(row, column);
    const count = nearestByTime(grid, queryOf(problem, row, candidates, suits), found);
    for (let index = 0; index < count; index += 1, edge += 1) {
      targets[edge] = found.ids[index]!;
      costs[edge] = costOf(row, found.ids[index]!, found.arriveS[index]!);
    }
    listedS[row] = count < candidates ? Infinity : found.arriveS[count - 1]!;
    starts[row + 1] = edge;
  }
  const columns = grid.ids.length;
  const edges = { rows, columns, starts, targets: targets.subarray(0, edge), costs: costs.subarray(0, edge) };
  return { problem, edges, listedS };
}

/**
 * Assigns rows to columns at the least total cost over all suitable pairs, although only the nearest of each row are
 * listed. It solves exactly on these. Then it asks the grid for pairs that would be bargains at the prices found, lists
 * them too, and places their rows again, until there are no bargains (column generation; as in LAPMOD, Volgenant 1996).
 */
export function assignListed(listed: Listed): NearestAssignment {
  const { problem, edges } = listed;
  const most = Math.max(FREE, BARGAINS);
  const matching = openMatching(edges, problem.unmatchedCost);
  const work: Work = {
    ...listed,
    matching,
    checkedPrice: new Float64Array(edges.rows).fill(-Infinity),
    found: { ids: new Int32Array(most), arriveS: new Float64Array(most) },
    costs: new Float64Array(most),
  };
  const { rows, columns, search } = matching;
  for (let row = 0; row < edges.rows; row += 1) {
    rows.price[row] = highestPrice(rows, columns, row);
    if (place(rows, columns, search, row, false)) continue;
    listFree(work, row);
    place(rows, columns, search, row, true);
  }
  let isBest = false;
  for (let round = 0; round < MOST_ROUNDS && !isBest; round += 1) isBest = !improve(work);
  return { columnOf: rows.mate, columnPrice: columns.price, isBest };
}

function queryOf(problem: NearestProblem, row: number, wanted: number, suits: NearestQuery['suits']): NearestQuery {
  const { x, y, maxDistanceM } = problem;
  return { x: x[row]!, y: y[row]!, wanted, beforeS: Infinity, maxDistanceM, suits };
}

/** Lists the nearest free columns, so that a crowd at one place spreads at once. */
function listFree({ problem, matching, found, costs }: Work, row: number): void {
  const { mate } = matching.columns;
  const suits = (column: number): boolean => mate[column] === NONE && problem.suits(row, column);
  const count = nearestByTime(problem.grid, queryOf(problem, row, FREE, suits), found);
  for (let index = 0; index < count; index += 1) {
    costs[index] = problem.costOf(row, found.ids[index]!, found.arriveS[index]!);
  }
  addEdges(matching.rows, row, found.ids, costs, count);
}

/** Makes one round: lists all bargains and takes them into account. Returns whether there were any. */
function improve(work: Work): boolean {
  const { rows, columns, search } = work.matching;
  const waitS = columns.price.map((price) => -price);
  postpone(work.problem.grid, waitS);
  const freedRows: number[] = [];
  const freedColumns: number[] = [];
  for (let row = 0; row < work.problem.rows; row += 1) {
    if (!listBargains(work, row)) continue;
    freedRows.push(row);
    const column = rows.mate[row]!;
    if (column === NONE) continue;
    rows.mate[row] = NONE;
    columns.mate[column] = NONE;
    freedColumns.push(column);
  }
  for (const row of freedRows) place(rows, columns, search, row, true);
  // A column that no row took again has too high a price.
  const left = freedColumns.filter((column) => columns.mate[column] === NONE);
  if (left.length > 0) {
    listByColumn(work.matching);
    for (const column of left) place(columns, rows, search, column, true);
    work.checkedPrice.fill(-Infinity);
  }
  return freedRows.length > 0;
}

/** Lists the row's best bargains and lowers its price to the best of them. Returns whether there were any. */
function listBargains(work: Work, row: number): boolean {
  const { problem, matching, checkedPrice, found, costs } = work;
  const { rows, columns } = matching;
  const price = rows.price[row]! - ROUNDING_S;
  const beforeS = problem.beforeS(row, price);
  if (rows.price[row]! <= checkedPrice[row]! || beforeS <= work.listedS[row]!) return false;
  const costAt = (column: number, arriveS: number): number =>
    problem.costOf(row, column, arriveS + columns.price[column]!);
  const suits = (column: number, arriveS: number): boolean =>
    costAt(column, arriveS) - columns.price[column]! < price && problem.suits(row, column);
  const count = nearestByTime(problem.grid, { ...queryOf(problem, row, BARGAINS, suits), beforeS }, found);
  for (let index = 0; index < count; index += 1) {
    const column = found.ids[index]!;
    costs[index] = costAt(column, found.arriveS[index]!);
    rows.price[row] = Math.min(rows.price[row]!, costs[index]! - columns.price[column]!);
  }
  if (count > 0) addEdges(rows, row, found.ids, costs, count);
  // With a full list there may be more of them between the new price and the old one.
  checkedPrice[row] = count < BARGAINS ? price : rows.price[row]!;
  return count > 0;
}
