// `npm run test:mutation` changes one expression of a pure file of `src/money` at a time, and counts the changes that no
// test notices.
import { globSync, readFileSync } from 'node:fs';

/** Lists of names and types. The generated documents and their test say which names there are. */
const NAMES = ['src/money/payouts/transfer.ts', 'src/money/top-ups/top-up.ts'];
/** Files that never wait for an engine. The amounts depend on them alone. */
const pure = globSync('src/money/**/*.ts').filter(
  (file) => !NAMES.includes(file) && !/\b(async|await)\b/.test(readFileSync(file, 'utf8')),
);

export default {
  mutate: pure,
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // A copy of the sources needs nothing of these.
  ignorePatterns: ['docs', 'web', 'examples', 'packages', 'load-tests', 'test-output', '.data'],
  // The compiler is not asked, so the copy needs no configuration of it.
  tsconfigFile: 'none',
  reporters: ['clear-text', 'progress-append-only', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'test-output/mutation.json' },
  tempDirName: 'test-output/mutation',
  thresholds: { high: 95, low: 85, break: 85 },
};
