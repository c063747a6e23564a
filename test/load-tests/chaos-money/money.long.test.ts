import { expect, test } from 'vitest';
import { parseMoneyOptions } from '../../../load-tests/chaos-money/options.ts';
import { runMoney } from '../../../load-tests/chaos-money/run.ts';

/** A small part of `npm run chaos:money`. */
const SMALL = '--seconds 20 --workers 16 --step-downs 1 --primary-kills 1 --failed-commits 3 --least-booked 300';

test('[J161] while primaries step down and are killed and commits fail, no money is lost or doubled, and every total is right', async () => {
  const options = parseMoneyOptions(SMALL.split(' '));
  if (options === null) throw new Error('only the usage was asked for');
  const { problems, counts, failedCommits, comparison, totals, made } = await runMoney(options, () => {});
  // The speed of this machine proves nothing.
  expect(problems.filter((problem) => !problem.endsWith('wanted'))).toEqual([]);
  expect(Math.min(counts.booked, totals.read)).toBeGreaterThan(0);
  expect(comparison).toEqual({ lost: [], unasked: [], wrong: [] });
  expect(made).toHaveLength(5);
  // Retries may have hidden all of them from callers.
  expect(failedCommits).toBeGreaterThan(0);
});
