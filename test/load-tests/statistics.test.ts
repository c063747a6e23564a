import { expect, test } from 'vitest';
import { interpolatedQuantile, mean, quantile, spreadOf } from '../../load-tests/statistics.ts';

const TWENTY = Array.from({ length: 20 }, (_, index) => 20 - index);

test('[Y34] a quantile is the value at the nearest rank, and only the last one is the maximum', () => {
  expect([0, 0.05, 0.5, 0.95, 0.951, 1].map((share) => quantile(TWENTY, share))).toEqual([1, 1, 10, 19, 20, 20]);
  expect(quantile([3], 0.01)).toBe(3);
  expect(spreadOf([-4, -8])).toEqual({ count: 2, p50: -8, p95: -4, max: -4 });
});

test('[Y34] without values, every figure is NaN', () => {
  expect(spreadOf([])).toEqual({ count: 0, p50: Number.NaN, p95: Number.NaN, max: Number.NaN });
  expect([mean([]), interpolatedQuantile([], 0.5)]).toEqual([Number.NaN, Number.NaN]);
});
