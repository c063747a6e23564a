import { readFileSync } from 'node:fs';
import { solveAssignment } from '../../src/dispatch/match/assignment/solve.ts';
import { quantile, spreadOf, type Spread } from '../statistics.ts';
import { assignListed, listNearest } from './assign-nearest.ts';
import { excessPct } from './cases.ts';
import { problemOf, sceneOf, type Layout, type Size } from './layout.ts';
import { leastCostS, valueOf } from './quality.ts';

/** One size and layout. Times are ms of the machine; percentages are of the least cost there can be. */
export type Measured = Size & {
  readonly layout: Layout;
  readonly candidates: number;
  readonly listing: Spread;
  readonly solving: Spread;
  readonly sum: Spread;
  /** The CPU time of the thread, p95. Other processes hardly affect it. 0 if it is not known. */
  readonly cpuP95: number;
  /** The mean number of assigned orders over the proven scenes, and the mean cost in seconds. */
  readonly matched: number;
  readonly costS: number;
  readonly excessPct: number;
  /** The same for the pairs that were listed first, without widening. */
  readonly listedMatched: number;
  readonly listedExcessPct: number;
  /** The most memory that one run adds to the heap and to the arrays beside it, garbage included. */
  readonly heapMb: number;
};

/** The cost of one run. */
type Cost = {
  readonly listingMs: number;
  readonly solvingMs: number;
  readonly cpuMs: number;
  readonly heapBytes: number;
};

const WARM_UPS = 5;
/** The number of scenes of each size whose cost is proven. A proof looks at every pair. */
const PROVEN = 3;

/** Solves this many different scenes of a size, after a few that only warm up. */
export function measure(size: Size, layout: Layout, repeats: number): Measured {
  for (let index = 1; index <= WARM_UPS; index += 1) solveOnce(size, layout, -index);
  const runs = Array.from({ length: repeats }, (_, seed) => solveOnce(size, layout, seed).cost);
  const { candidates } = problemOf(sceneOf(size, layout, 0));
  return {
    ...size,
    layout,
    candidates,
    listing: spreadOf(runs.map(({ listingMs }) => listingMs)),
    solving: spreadOf(runs.map(({ solvingMs }) => solvingMs)),
    sum: spreadOf(runs.map(({ listingMs, solvingMs }) => listingMs + solvingMs)),
    ...judge(size, layout),
    cpuP95: quantile(
      runs.map(({ cpuMs }) => cpuMs),
      0.95,
    ),
    heapMb: Math.max(...runs.map(({ heapBytes }) => heapBytes)) / 2 ** 20,
  };
}

function solveOnce(size: Size, layout: Layout, seed: number) {
  const scene = sceneOf(size, layout, seed);
  const heapBefore = heapBytes();
  const cpuBefore = cpuMs();
  const startedAt = performance.now();
  const listed = listNearest(problemOf(scene));
  const listedAt = performance.now();
  const { columnOf, columnPrice } = assignListed(listed);
  const endedAt = performance.now();
  const cost: Cost = {
    listingMs: listedAt - startedAt,
    solvingMs: endedAt - listedAt,
    cpuMs: cpuMs() - cpuBefore,
    heapBytes: heapBytes() - heapBefore,
  };
  return { scene, listed, columnOf, columnPrice, cost };
}

/** Averages over a few scenes, so that one odd scene does not decide. */
function judge(size: Size, layout: Layout) {
  const sum = { ours: [0, 0], least: 0, listed: [0, 0] };
  const add = (to: number[], { matched, costS }: { matched: number; costS: number }): void => {
    to[0]! += matched / PROVEN;
    to[1]! += costS / PROVEN;
  };
  for (let seed = 0; seed < PROVEN; seed += 1) {
    const { scene, listed, columnOf, columnPrice } = solveOnce(size, layout, seed);
    add(sum.ours, valueOf(scene, columnOf));
    add(sum.listed, valueOf(scene, solveAssignment(listed.edges, listed.problem.unmatchedCost)));
    sum.least += leastCostS(scene, columnPrice) / PROVEN;
  }
  const [matched = 0, costS = 0] = sum.ours;
  const [listedMatched = 0, listedS = 0] = sum.listed;
  return {
    matched,
    costS,
    excessPct: excessPct(costS, sum.least),
    listedMatched,
    listedExcessPct: excessPct(listedS, sum.least),
  };
}

/** JavaScript's heap and the arrays beside it. */
function heapBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The CPU time of this thread. Only Linux reports it precisely enough. */
function cpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}
