import { defineConfig } from 'vitest/config';
import { ON_ENGINES } from './test/on-engines.ts';

const MOST_MS = 15 * 60_000;

/**
 * Whole processes, engines that fail, and thousands of races. Two files run at a time, since much of their time is spent
 * waiting for processes to start, stop and fail.
 */
export default defineConfig({
  test: {
    ...ON_ENGINES,
    include: ['test/**/*.long.test.ts'],
    exclude: ['test/load-tests/**'],
    maxWorkers: 2,
    testTimeout: MOST_MS,
    hookTimeout: MOST_MS,
  },
});
