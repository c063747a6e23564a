import type { TestUserConfig } from 'vitest/config';

/** The options that all runs with the engines of `test/setup.ts` share. */
export const ON_ENGINES = {
  globalSetup: ['test/setup.ts'],
  // Vite sets it to "/", and servers that a test starts would read it as a setting.
  env: { BASE_URL: '' },
  pool: 'forks',
  teardownTimeout: 60_000,
} as const satisfies TestUserConfig;
