import { expect, test } from 'vitest';
import { measure, parseOptions, problemsOf, type City } from '../../load-tests/bench-nearest.ts';
import { testEngines } from '../engines.ts';

const GOOD: City = {
  km: 40,
  mostMs: 20,
  ms: { count: 300, p50: 1, p95: 20, max: 50 },
  redisUs: 1000,
  memoryUs: 300,
  wrong: 0,
};

test('[Y46] the bench names exactly the limits that a city missed, and its wrong results', () => {
  expect(problemsOf(GOOD)).toEqual([]);
  expect(problemsOf({ ...GOOD, km: 12, mostMs: 40, ms: { ...GOOD.ms, p95: 40 } })).toEqual([]);
  expect(problemsOf({ ...GOOD, wrong: 2 })).toEqual(['2 searches in the city of 40 km were wrong']);
  expect(problemsOf({ ...GOOD, ms: { ...GOOD.ms, p95: 20.1 } })).toEqual(['40 km: p95 20.1 ms, at most 20 ms wanted']);
  expect(problemsOf({ ...GOOD, memoryUs: 310 })).toEqual(['40 km: memory costs 0.31 of Redis, at most 0.3 wanted']);
});

test('[Y46] a small city is filled, and every search in it is right', async () => {
  const { cities } = await measure(testEngines('bench-nearest').redisUrl, { couriers: 3000, searches: 20 }, () => {});
  expect(cities.map(({ km, wrong, ms }) => [km, wrong, ms.count])).toEqual([
    [40, 0, 20],
    [12, 0, 20],
  ]);
});

test('[Y46] the bench refuses a wrong option with one sentence', () => {
  expect(parseOptions([])).toEqual({ couriers: 100_000, searches: 300, json: null });
  expect(() => parseOptions(['--couriers', '0'])).toThrow(/--couriers must be a whole number from 1 to 1000000/);
});
