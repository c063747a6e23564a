import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ON_ENGINES } from './test/on-engines.ts';

const MOST_MS = 15 * 60_000;

/** A small file that takes minutes. Vitest begins with the largest files, so it would run last, and alone. */
const SLOWEST = /charge-races/;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { true: slowest = [], false: others = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      SLOWEST.test(moduleId) ? 'true' : 'false',
    );
    return [...slowest, ...others];
  }
}

/**
 * Whole processes, engines that fail, and thousands of races. Two files run at a time, since much of their time is spent
 * waiting for processes to start, stop and fail.
 */
export default defineConfig({
  test: {
    ...ON_ENGINES,
    include: ['test/**/*.long.test.ts'],
    exclude: ['test/load-tests/**'],
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    testTimeout: MOST_MS,
    hookTimeout: MOST_MS,
  },
});
