import { munkres } from 'munkres';
import { expect, test } from 'vitest';
import { solveAssignment } from '../../../../src/dispatch/match/assignment/solve.ts';
import type { Edges } from '../../../../src/dispatch/match/assignment/matching.ts';

/** A seeded generator of numbers in [0, 1) (mulberry32), so that a failing case can be made again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Sparse edges of a dense matrix; Infinity is a pair that is not listed. */
function edgesOf(matrix: readonly (readonly number[])[], columns: number): Edges {
  const starts = [0];
  const targets: number[] = [];
  const costs: number[] = [];
  for (const row of matrix) {
    for (const [column, cost] of row.entries()) {
      if (!Number.isFinite(cost)) continue;
      targets.push(column);
      costs.push(cost);
    }
    starts.push(targets.length);
  }
  return {
    rows: matrix.length,
    columns,
    starts: Int32Array.from(starts),
    targets: Int32Array.from(targets),
    costs: Float64Array.from(costs),
  };
}

function costOf(matrix: readonly (readonly number[])[], columns: ArrayLike<number>, unmatched: number): number {
  return matrix.reduce((sum, row, index) => sum + (columns[index] === -1 ? unmatched : row[columns[index]!]!), 0);
}

/** The independent answer: the dense matrix with one "unmatched" column of its own for each row. */
function reference(matrix: readonly (readonly number[])[], columns: number, unmatched: number): number[] {
  const FORBIDDEN = 1e9;
  const dense = matrix.map((row, index) => [
    ...row.map((cost) => (Number.isFinite(cost) ? cost : FORBIDDEN)),
    ...matrix.map((_, other) => (other === index ? unmatched : FORBIDDEN)),
  ]);
  const result = matrix.map(() => -1);
  for (const [row, column] of munkres(dense)) if (column < columns) result[row] = column;
  return result;
}

test('[M1] the assignment costs what an independent solver finds, on 1,500 random cases of every shape', () => {
  for (let seed = 1; seed <= 1500; seed += 1) {
    const random = seeded(seed);
    const rows = 1 + Math.floor(random() * 14);
    const columns = Math.floor(random() * 15);
    const density = 0.15 + random() * 0.85;
    const spread = seed % 3 === 0 ? 4 : 1000; // a small spread makes many ties
    const unmatched = seed % 2 === 0 ? 100_000 : spread * 0.6;
    const matrix = Array.from({ length: rows }, () =>
      Array.from({ length: columns }, () =>
        random() < density ? Math.floor(random() * spread) - spread / 4 : Infinity,
      ),
    );
    const mine = solveAssignment(edgesOf(matrix, columns), unmatched);
    const theirs = reference(matrix, columns, unmatched);
    const used = [...mine].filter((column) => column !== -1);
    expect(new Set(used).size, `seed ${seed}: a column is used once`).toBe(used.length);
    expect(costOf(matrix, mine, unmatched), `seed ${seed}`).toBeCloseTo(costOf(matrix, theirs, unmatched), 6);
    const expected = theirs.filter((column) => column !== -1).length;
    // Where leaving out is not dear, two best answers may differ in how many they match.
    expect(unmatched === 100_000 ? used.length : expected, `seed ${seed}: matched`).toBe(expected);
  }
});

test('[M2] with more rows than columns the dearest rows are left out, and pairs not listed are never made', () => {
  const matrix = [
    [5, Infinity],
    [3, Infinity],
    [4, 9],
  ];
  expect([...solveAssignment(edgesOf(matrix, 2), 1000)]).toEqual([-1, 0, 1]);
  expect([...solveAssignment(edgesOf([[Infinity], [Infinity]], 1), 1000)]).toEqual([-1, -1]);
  expect([...solveAssignment(edgesOf([], 4), 1000)]).toEqual([]);
});

test('[M2] a row stays unmatched when every pair costs more than leaving it', () => {
  expect([...solveAssignment(edgesOf([[20, 30]], 2), 10)]).toEqual([-1]);
});

test('[M3] a city of 660 deliveries and 2,585 couriers is solved within a run', () => {
  const random = seeded(7);
  const listed = Array.from({ length: 660 }, () => Array.from({ length: 16 }, () => Math.floor(random() * 2585)));
  const edges: Edges = {
    rows: 660,
    columns: 2585,
    starts: Int32Array.from({ length: 661 }, (_, row) => row * 16),
    targets: Int32Array.from(listed.flat()),
    costs: Float64Array.from(listed.flat(), () => random() * 1000),
  };
  const before = process.cpuUsage();
  const columns = solveAssignment(edges, 18_000);
  // CPU time, not the time that it waited for its turn.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
  expect([...columns].filter((column) => column === -1)).toEqual([]);
});
