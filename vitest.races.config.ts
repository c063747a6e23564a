import { defineConfig } from 'vitest/config';

/** The races between cancel and pick-up in their full number; the everyday suite runs a tenth of them. */
export default defineConfig({
  test: {
    include: ['test/dispatch/offers/races.test.ts'],
    globalSetup: ['test/setup.ts'],
    provide: { races: 10_000 },
    testTimeout: 900_000,
    hookTimeout: 180_000,
  },
});
