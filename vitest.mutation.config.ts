import { defineConfig } from 'vitest/config';

/** The tests of the pure files of `src/money`, which need no engine, with the same random values in each run. */
export default defineConfig({
  test: {
    include: ['test/money/**/*.test.ts'],
    exclude: ['test/**/*.long.test.ts'],
    setupFiles: ['test/money/one-seed.ts'],
  },
});
