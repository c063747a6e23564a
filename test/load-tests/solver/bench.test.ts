import { expect, test } from 'vitest';
import { parseOptions } from '../../../load-tests/bench-solver.ts';
import { assignListed, listNearest } from '../../../load-tests/solver/assign-nearest.ts';
import { compareCases } from '../../../load-tests/solver/cases.ts';
import { LAYOUTS, problemOf, sceneOf } from '../../../load-tests/solver/layout.ts';
import type { Measured } from '../../../load-tests/solver/measure.ts';
import { leastCostS, valueOf } from '../../../load-tests/solver/quality.ts';
import { lastLine, problemsOf, tableOf } from '../../../load-tests/solver/verdict.ts';

test('[M22] as many orders are matched, at the same cost, as by an independent exact solver, in 1,000 random cases', () => {
  const { otherCount, worstExcessPct } = compareCases(1000);
  expect(otherCount).toBe(0);
  expect(worstExcessPct).toBeLessThan(1e-6);
});

test.each(LAYOUTS)(
  '[M22] the prices alone prove that no assignment is cheaper, with as many orders as couriers: %s',
  (layout) => {
    const sizes = [
      { orders: 200, couriers: 200 },
      { orders: 200, couriers: 120 },
      { orders: 120, couriers: 400 },
    ];
    for (const size of sizes) {
      for (let seed = 1; seed <= 5; seed += 1) {
        const scene = sceneOf(size, layout, seed);
        // With one candidate each, nearly every needed pair is a bargain that is not listed yet.
        const listed = listNearest({ ...problemOf(scene), candidates: 1 });
        const { columnOf, columnPrice, isBest } = assignListed(listed);
        const { matched, costS } = valueOf(scene, columnOf);
        expect(isBest).toBe(true);
        expect(matched).toBe(Math.min(size.orders, size.couriers));
        expect(costS).toBeCloseTo(leastCostS(scene, columnPrice), 3);
      }
    }
  },
);

const GOOD: Measured = {
  orders: 1000,
  couriers: 1000,
  layout: 'random',
  candidates: 32,
  listing: { count: 40, p50: 3, p95: 4, max: 5 },
  solving: { count: 40, p50: 20, p95: 30, max: 40 },
  sum: { count: 40, p50: 23, p95: 34, max: 45 },
  cpuP95: 33,
  matched: 1000,
  costS: 70_000,
  excessPct: 0,
  listedMatched: 990,
  listedExcessPct: 250,
  heapMb: 5,
};
const COMPARED = { cases: 1000, otherCount: 0, worstExcessPct: 0 };

test('[M23] exactly the targets that were missed are named', () => {
  expect(
    problemsOf(COMPARED, [GOOD, { ...GOOD, layout: 'clustered', sum: { count: 40, p50: 90, p95: 99, max: 99 } }]),
  ).toEqual([]);
  const slow = { ...GOOD, sum: { count: 40, p50: 60, p95: 80.1, max: 99 } };
  const problems = problemsOf({ cases: 1000, otherCount: 2, worstExcessPct: 0.11 }, [
    slow,
    { ...GOOD, excessPct: 0.2 },
    { ...GOOD, heapMb: 64 },
  ]);
  expect(problems).toEqual([
    '2 cases with another number matched than the exact solver',
    'a case 0.11 % above exact',
    '1,000 × 1,000 random p95 80.1 ms (33.0 of CPU), aim 80',
    '1,000 × 1,000 random 0.20 % above exact',
    '1,000 × 1,000 random adds 64 MB to the heap',
  ]);
  expect(lastLine(problems, [slow])).toMatch(/^failed: 2 cases/);
  expect(lastLine([], [GOOD])).toBe('ok 1,000 × 1,000 p95 34.0 ms');
  expect(tableOf(COMPARED, [GOOD]).at(-1)).toContain('| 10.0 fewer matched |');
});

test('[M23] a wrong option is refused with a sentence', () => {
  expect(parseOptions(['--repeats', '3', '--json'])).toEqual({ repeats: 3, json: true });
  expect(() => parseOptions(['--repeats', '0'])).toThrow('--repeats must be a whole number');
  expect(() => parseOptions(['--repeat', '3'])).toThrow();
});
