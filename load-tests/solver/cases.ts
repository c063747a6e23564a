import { munkres } from 'munkres';
import { buildGrid } from '../../src/dispatch/match/places/point-grid.ts';
import { createRandom } from '../random.ts';
import { assignListed, listNearest, type NearestProblem } from './assign-nearest.ts';

/** The comparison of the solver with an independent exact one over all pairs. */
export type Compared = {
  readonly cases: number;
  /** The number of cases in which it matched more or fewer. */
  readonly otherCount: number;
  /** The highest cost above the exact one, in % of it, among cases with the same number matched. */
  readonly worstExcessPct: number;
};

type Case = { readonly problem: NearestProblem; readonly costs: number[][] };

const MOST_NODES = 24;
/** More than any sum of pairs, so that as many as possible are matched. */
const UNMATCHED_S = 1e6;
const FORBIDDEN = 1e9;

/**
 * Solves small random cases both like the large ones and exactly. They have all shapes: more orders than couriers in
 * every second one, pairs that are ruled out, couriers of several speeds who are free later, crowds at one place, and
 * mostly too few candidates.
 */
export function compareCases(cases: number): Compared {
  let otherCount = 0;
  let worstExcessPct = 0;
  for (let seed = 1; seed <= cases; seed += 1) {
    const { problem, costs } = caseOf(seed);
    const ours = valueOf(costs, assignListed(listNearest(problem)).columnOf);
    const exact = valueOf(costs, solveDense(costs));
    if (ours.matched !== exact.matched) otherCount += 1;
    else worstExcessPct = Math.max(worstExcessPct, excessPct(ours.costS, exact.costS));
  }
  return { cases, otherCount, worstExcessPct };
}

/** How much a cost exceeds another one, in % of that. */
export function excessPct(costS: number, thanS: number): number {
  return thanS === 0 ? costS * 100 : (costS / thanS - 1) * 100;
}

function caseOf(seed: number): Case {
  const random = createRandom(seed);
  const whole = (most: number): number => Math.floor(random.next() * (most + 1));
  const columns = whole(MOST_NODES);
  const rows = Math.max(1, seed % 2 === 0 ? columns + whole(8) : whole(MOST_NODES));
  // On a coarse raster, many points are at the same place.
  const rasterM = seed % 3 === 0 ? 1000 : 1;
  const place = (): number => whole(3000 / rasterM) * rasterM;
  const points = {
    count: columns,
    x: new Float64Array(columns).map(place),
    y: new Float64Array(columns).map(place),
    startS: new Float64Array(columns).map(() => (random.next() < 0.5 ? 0 : whole(600))),
    speedMps: new Float64Array(columns).map(() => random.pick([3, 5, 7], () => 1)),
  };
  const x = new Float64Array(rows).map(place);
  const y = new Float64Array(rows).map(place);
  const share = random.pick([0, 0.3, 0.8], () => 1);
  const isForbidden = Array.from({ length: rows }, () => Array.from({ length: columns }, () => random.next() < share));
  const costs = isForbidden.map((forbidden, row) =>
    forbidden.map((isOut, column) => {
      const distanceM = Math.hypot(points.x[column]! - x[row]!, points.y[column]! - y[row]!);
      return isOut ? Infinity : points.startS[column]! + distanceM / points.speedMps[column]!;
    }),
  );
  const problem: NearestProblem = {
    rows,
    x,
    y,
    grid: buildGrid(points),
    maxDistanceM: Infinity,
    unmatchedCost: UNMATCHED_S,
    candidates: 1 + whole(5),
    suits: (row, column) => !isForbidden[row]![column]!,
    costOf: (_row, _column, arriveS) => arriveS,
    beforeS: (_row, cost) => cost,
  };
  return { problem, costs };
}

function valueOf(
  costs: readonly (readonly number[])[],
  columnOf: ArrayLike<number>,
): { matched: number; costS: number } {
  let matched = 0;
  let costS = 0;
  for (const [row, own] of costs.entries()) {
    const column = columnOf[row]!;
    if (column === -1) continue;
    matched += 1;
    costS += own[column]!;
  }
  return { matched, costS };
}

/** The independent answer. In its dense matrix, each row has a column that means unmatched. */
function solveDense(costs: readonly (readonly number[])[]): number[] {
  const columns = costs[0]?.length ?? 0;
  const dense = costs.map((own, row) => [
    ...own.map((cost) => (Number.isFinite(cost) ? cost : FORBIDDEN)),
    ...costs.map((_, other) => (other === row ? UNMATCHED_S : FORBIDDEN)),
  ]);
  const columnOf = costs.map(() => -1);
  for (const [row, column] of munkres(dense)) if (column < columns) columnOf[row] = column;
  return columnOf;
}
