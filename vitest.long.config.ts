import { defineConfig } from 'vitest/config';

const MOST_MS = 15 * 60_000;

/**
 * Whole processes, engines that fail, and thousands of races. Two files run at a time, since much of their time is spent
 * waiting for processes to start, stop and fail.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.long.test.ts'],
    exclude: ['test/load-tests/**'],
    globalSetup: ['test/setup.ts'],
    // Vite sets it to "/", and servers that a test starts would read it as a setting.
    env: { BASE_URL: '' },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: MOST_MS,
    hookTimeout: MOST_MS,
    teardownTimeout: 60_000,
  },
});
