import { defineConfig } from 'vitest/config';
import { ON_ENGINES } from './test/on-engines.ts';

/** Both pages in a real browser against the real server: one file at a time, since they share the machine's one GPU-less Chromium. */
export default defineConfig({
  test: {
    ...ON_ENGINES,
    include: ['test/web/**/*.test.ts'],
    fileParallelism: false,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
