import { expect, onTestFinished, test, vi } from 'vitest';
import { createClock } from '../src/clock.ts';

const INTERVAL_MS = 1000;
const TASKS = 20;

/** Starts tasks of one interval, and returns when each of them ran within three intervals, ms from the start. */
function runTasks(): number[][] {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const { real } = createClock();
  const ran = Array.from({ length: TASKS }, (): number[] => []);
  const stops = ran.map((times) => real.every(INTERVAL_MS, () => void times.push(Date.now())));
  vi.advanceTimersByTime(3 * INTERVAL_MS - 1);
  for (const stop of stops) stop();
  vi.advanceTimersByTime(INTERVAL_MS);
  return ran;
}

test('[C9] tasks of one interval begin at different parts of it', () => {
  const firsts = runTasks().map(([first = 0]) => first);
  const sorted = firsts.toSorted((a, b) => a - b);
  const gaps = sorted.map((at, index) => at - (sorted[index - 1] ?? 0));
  expect(sorted.at(-1)).toBeLessThanOrEqual(INTERVAL_MS);
  // Even spacing would be 50 ms.
  expect(Math.min(...gaps)).toBeGreaterThan(10);
  expect(Math.max(...gaps)).toBeLessThan(125);
});

test('[C9] from then on each task runs once in an interval, until it is stopped', () => {
  for (const times of runTasks()) {
    const [first = 0] = times;
    expect(times).toEqual([first, first + INTERVAL_MS, first + 2 * INTERVAL_MS]);
  }
});
