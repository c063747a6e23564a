import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createClock } from '../src/clock.ts';

const INTERVAL_MS = 1000;
const TASKS = 20;

/** How far the process's clock is ahead of its timers: a stall delays the timers. */
let stalledMs = 0;

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  const timersNow = performance.now.bind(performance);
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => timersNow() + stalledMs);
  onTestFinished(() => {
    spy.mockRestore();
    vi.useRealTimers();
    stalledMs = 0;
  });
});

/** Starts tasks of one interval. Returns when each of them ran, ms from the start, and a function that stops them. */
function startTasks() {
  const { real } = createClock();
  const ran = Array.from({ length: TASKS }, (): number[] => []);
  const stops = ran.map((times) => real.every(INTERVAL_MS, () => void times.push(performance.now())));
  return { ran, stop: () => stops.forEach((stop) => stop()) };
}

/** The gaps between the moments of tasks within an interval, smallest first. Even spacing would be 50 ms. */
function gapsOf(times: readonly number[]): number[] {
  const sorted = times.map((at) => at % INTERVAL_MS).toSorted((a, b) => a - b);
  return sorted.map((at, index) => at - (sorted[index - 1] ?? 0)).toSorted((a, b) => a - b);
}

test('[C9] tasks of one interval begin at different parts of it, and each runs once in an interval until it is stopped', () => {
  const { ran, stop } = startTasks();
  vi.advanceTimersByTime(3 * INTERVAL_MS + 1);
  stop();
  vi.advanceTimersByTime(2 * INTERVAL_MS);
  const gaps = gapsOf(ran.map(([first = 0]) => first));
  expect(gaps[0]).toBeGreaterThan(10);
  expect(gaps.at(-1)).toBeLessThan(125);
  for (const times of ran) {
    expect(times).toHaveLength(3);
    for (const [index, at] of times.entries())
      expect(Math.abs(at - (times[0] ?? 0) - index * INTERVAL_MS)).toBeLessThanOrEqual(1);
  }
});

test('[Z34] a clock tells how late each run of a repeated task begins, and a run in time is not late', () => {
  const late: number[] = [];
  const { real } = createClock(1, 0, undefined, (lateMs) => void late.push(Math.round(lateMs)));
  const stop = real.every(INTERVAL_MS, () => undefined);
  vi.advanceTimersByTime(2 * INTERVAL_MS);
  stalledMs = 300;
  vi.advanceTimersByTime(INTERVAL_MS);
  stop();
  expect(late).toEqual([0, 0, 300]);
});

test('[C9] after a stall, tasks return to their own moments and make up for none', () => {
  const { ran } = startTasks();
  vi.advanceTimersByTime(2 * INTERVAL_MS);
  stalledMs = 2.5 * INTERVAL_MS;
  vi.advanceTimersByTime(INTERVAL_MS);
  const soFar = ran.map(({ length }) => length);
  vi.advanceTimersByTime(2 * INTERVAL_MS);
  const gaps = gapsOf(ran.map((times) => times.at(-1) ?? 0));
  expect(gaps[0]).toBeGreaterThan(10);
  expect(gaps.at(-1)).toBeLessThan(125);
  for (const [index, times] of ran.entries()) expect(times.length - (soFar[index] ?? 0)).toBe(2);
});

/** Starts tasks that share moments, one for each interval. Returns when each of them ran, ms from the start. */
function startTogether(...intervalsMs: readonly number[]) {
  const { real } = createClock();
  const ran = intervalsMs.map((): number[] => []);
  const stops = ran.map((times, index) => {
    // Tasks begin at different times, as the parts of a process do.
    vi.advanceTimersByTime(7);
    return real.everyTogether(intervalsMs[index] ?? 0, () => void times.push(performance.now()));
  });
  return { ran, stops };
}

test('[C11] tasks that share moments run at once, and so do those of a multiple of their interval', () => {
  const { ran, stops } = startTogether(INTERVAL_MS, INTERVAL_MS, 2 * INTERVAL_MS);
  vi.advanceTimersByTime(4 * INTERVAL_MS);
  const [one, other, rare] = ran;
  expect(one).toHaveLength(4);
  expect(other).toEqual(one);
  expect(rare).toEqual([one?.[1], one?.[3]]);
  stops[0]?.();
  vi.advanceTimersByTime(INTERVAL_MS);
  expect(ran.map(({ length }) => length)).toEqual([4, 5, 2]);
});

test('[C11] after a stall, tasks that share moments run once and return to these moments', () => {
  const { ran } = startTogether(INTERVAL_MS, INTERVAL_MS);
  vi.advanceTimersByTime(INTERVAL_MS);
  stalledMs = 2.5 * INTERVAL_MS;
  vi.advanceTimersByTime(2 * INTERVAL_MS);
  expect(ran[0]?.map(Math.round)).toEqual([1000, 4500, 5000]);
  expect(ran[1]).toEqual(ran[0]);
});

test('[C11] a task that another one ends at their moment does not run any more', () => {
  const { real } = createClock();
  let runs = 0;
  real.everyTogether(INTERVAL_MS, () => stop());
  const stop = real.everyTogether(INTERVAL_MS, () => (runs += 1));
  vi.advanceTimersByTime(3 * INTERVAL_MS);
  expect(runs).toBe(0);
});
