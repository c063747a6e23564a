import { defineConfig } from 'vitest/config';

/** Both pages in a real browser against the real server: one file at a time, since they share the machine's one GPU-less Chromium. */
export default defineConfig({
  test: {
    include: ['test/web/**/*.test.ts'],
    globalSetup: ['test/setup.ts'],
    // Vite sets it to "/", and servers that a test starts would read it as a setting.
    env: { BASE_URL: '' },
    pool: 'forks',
    fileParallelism: false,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
  },
});
