import { defineConfig } from 'vitest/config';

const MOST_MS = 15 * 60_000;

/** The small versions of the load tests: one file at a time, since many measure time. */
export default defineConfig({
  test: {
    include: ['test/load-tests/**/*.test.ts'],
    globalSetup: ['test/setup.ts'],
    // Vite sets it to "/", and servers that a test starts would read it as a setting.
    env: { BASE_URL: '' },
    pool: 'forks',
    fileParallelism: false,
    testTimeout: MOST_MS,
    hookTimeout: MOST_MS,
    teardownTimeout: 60_000,
  },
});
