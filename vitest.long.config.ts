import { defineConfig } from 'vitest/config';

const MOST_MS = 15 * 60_000;

/** Scenarios of whole processes and of engines that fail: one file at a time, since many measure time. */
export default defineConfig({
  test: {
    include: ['test/**/*.long.test.ts'],
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
