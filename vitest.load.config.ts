import { defineConfig } from 'vitest/config';
import { ON_ENGINES } from './test/on-engines.ts';

const MOST_MS = 15 * 60_000;

/** The small versions of the load tests: one file at a time, since many measure time. */
export default defineConfig({
  test: {
    ...ON_ENGINES,
    include: ['test/load-tests/**/*.test.ts'],
    fileParallelism: false,
    // Most files test pure functions in a moment, and would load the server's modules again.
    isolate: false,
    testTimeout: MOST_MS,
    hookTimeout: MOST_MS,
  },
});
