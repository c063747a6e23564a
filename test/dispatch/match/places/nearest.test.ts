import { expect, test } from 'vitest';
import { createRandom, type Random } from '../../../../load-tests/random.ts';
import { nearestByTime, type NearestQuery } from '../../../../src/dispatch/match/places/nearest.ts';
import { buildGrid, postpone, type Cells, type Points } from '../../../../src/dispatch/match/places/point-grid.ts';

const LAYOUTS: Record<string, (random: Random, index: number) => readonly [number, number]> = {
  random: (random) => [random.between(0, 10_000), random.between(0, 10_000)],
  clustered: (random, index) => [random.normal((index % 5) * 2000, 150), random.normal((index % 3) * 3000, 150)],
  'one far out': (random, index) => (index === 0 ? [9e6, -9e6] : [random.between(0, 2000), random.between(0, 2000)]),
  'on a line': (random) => [random.between(0, 10_000), 77],
  'at three places': (_random, index) => [(index % 3) * 500, (index % 3) * 250],
};

function pointsOf(layout: string, count: number, random: Random): Points {
  const places = Array.from({ length: count }, (_, index) => LAYOUTS[layout]!(random, index));
  return {
    count,
    x: Float64Array.from(places, ([x]) => x),
    y: Float64Array.from(places, ([, y]) => y),
    // Half are free now, one in ten not for days: they must not make the search look everywhere.
    startS: Float64Array.from(places, () => (random.next() < 0.5 ? 0 : random.between(0, 1800))).map((s, index) =>
      index % 10 === 9 ? 1e6 : s,
    ),
    speedMps: Float64Array.from(places, () => random.pick([3, 4.8, 5.6], () => 1)),
  };
}

/** Every point that suits and is near enough, by arrival. */
function bruteForce({ count, x, y, startS, speedMps }: Points, query: NearestQuery, extraS: Float64Array): number[] {
  const times: number[] = [];
  for (let id = 0; id < count; id += 1) {
    const distanceM = Math.hypot(x[id]! - query.x, y[id]! - query.y);
    const arriveS = startS[id]! + extraS[id]! + distanceM / speedMps[id]!;
    if (distanceM <= query.maxDistanceM && arriveS < query.beforeS && query.suits(id, arriveS)) times.push(arriveS);
  }
  return times.toSorted((a, b) => a - b).slice(0, query.wanted);
}

test.each(Object.keys(LAYOUTS))('[M20] the points that arrive first are found, whatever is ruled out: %s', (layout) => {
  const random = createRandom(layout.length);
  for (const count of [0, 1, 2, 40, 1500]) {
    const points = pointsOf(layout, count, random);
    const grid = buildGrid(points);
    for (let round = 0; round < 60; round += 1) {
      const extraS = new Float64Array(count).map(() => (round % 4 === 3 ? random.between(0, 900) : 0));
      postpone(grid, round % 4 === 3 ? extraS : null);
      const divisor = 1 + (round % 5);
      const query: NearestQuery = {
        x: random.between(-3000, 13_000),
        y: random.between(-3000, 13_000),
        wanted: [1, 3, 16, 64][round % 4]!,
        beforeS: round % 3 === 1 ? random.between(0, 2000) : Infinity,
        maxDistanceM: round % 3 === 2 ? random.between(0, 6000) : Infinity,
        suits: (id) => id % divisor === 0,
      };
      const found = { ids: new Int32Array(64), arriveS: new Float64Array(64) };
      const size = nearestByTime(grid, query, found);
      const ids = [...found.ids.subarray(0, size)];
      const times = [...found.arriveS.subarray(0, size)];
      const expected = bruteForce(points, query, extraS);
      expect(times.length, `${count} points, round ${round}`).toBe(expected.length);
      for (const [index, arriveS] of times.entries()) expect(arriveS).toBeCloseTo(expected[index]!, 6);
      expect(new Set(ids).size).toBe(size);
      expect(ids.every((id) => id % divisor === 0)).toBe(true);
    }
  }
});

test('[M20] nothing is found when nothing is wanted', () => {
  const grid = buildGrid(pointsOf('random', 100, createRandom(1)));
  const query = { x: 0, y: 0, wanted: 0, beforeS: Infinity, maxDistanceM: Infinity, suits: () => true };
  expect(nearestByTime(grid, query, { ids: new Int32Array(0), arriveS: new Float64Array(0) })).toBe(0);
});

test('[M20] no cell is crowded, however the points are spread, unless they are at one place', () => {
  const random = createRandom(3);
  for (const layout of ['random', 'clustered', 'one far out', 'on a line']) {
    expect(mostInCell(buildGrid(pointsOf(layout, 20_000, random)).root), layout).toBeLessThanOrEqual(32);
  }
  expect(mostInCell(buildGrid(pointsOf('at three places', 900, random)).root)).toBe(300);
});

function mostInCell({ from, inner, columns, rows }: Cells): number {
  let most = 0;
  for (let cell = 0; cell < columns * rows; cell += 1) {
    const within = inner.get(cell);
    most = Math.max(most, within === undefined ? from[cell + 1]! - from[cell]! : mostInCell(within));
  }
  return most;
}
