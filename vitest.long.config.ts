import { defineConfig } from 'vitest/config';

const MOST_MS = 15 * 60_000;

/** Scenarios that take longer than a run of everything should: one file at a time. */
export default defineConfig({
  test: {
    include: ['test/long/**/*.test.ts'],
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
