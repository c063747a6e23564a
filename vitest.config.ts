import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ON_ENGINES } from './test/on-engines.ts';

/** Everything but the browser, the load tests and what takes long: those have configurations of their own. */
export default defineConfig({
  test: {
    ...ON_ENGINES,
    include: ['test/**/*.test.ts'],
    exclude: ['test/web/**', 'test/load-tests/**', 'test/**/*.long.test.ts'],
    // Files share the modules that their worker has loaded: no module holds what a test changes, but for the emptied
    // databases of `test/database.ts`.
    isolate: false,
    // A worker waits for the engines of the run for a third of its time. One worker more than there are cores uses it.
    maxWorkers: availableParallelism() + 1,
    // Most objects of a test die young. In a young generation of 1 MiB, which V8 starts with, they are collected too often.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=32'],
    // Far above what any test takes: they only end what hangs, on a machine that others keep busy too.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
