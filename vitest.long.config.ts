import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { ON_ENGINES } from './test/on-engines.ts';

const MOST_MS = 15 * 60_000;

/** Small files that take minutes. Vitest begins with the largest files, so these would run last, and the last one alone. */
const SLOWEST = /charge-races|ledger\/proof/;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => (SLOWEST.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
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
