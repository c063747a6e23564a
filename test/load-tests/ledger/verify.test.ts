import { expect, test } from 'vitest';
import { measure, parseOptions } from '../../../load-tests/bench-verify.ts';
import { judge, lastLine, tableOf, type VerifyFigures } from '../../../load-tests/ledger/verify-report.ts';
import { testEngines } from '../../engines.ts';

const GOOD: VerifyFigures = { entries: 2_000_000, sealS: 100, verifyS: 90, faults: [] };

test('[Y44] the bench names the limit of the check if it was missed, and each fault of the ledger', () => {
  expect(lastLine(judge(GOOD))).toBe('ok');
  expect(tableOf(judge(GOOD))).toHaveLength(3);
  expect(lastLine(judge({ ...GOOD, verifyS: 90.1 }))).toBe('failed: the check took 90.1 s, at most 90.0 s wanted');
  expect(lastLine(judge({ ...GOOD, faults: ['Link 3 is missing.'] }))).toBe('failed: Link 3 is missing.');
});

test('[Y44] the bench books and seals as many entries as it is told, and checks all of them', async () => {
  const lines: string[] = [];
  const report = await measure(testEngines('bench-verify').mongoUrl, { entries: 1000, wallets: 7 }, (line) =>
    lines.push(line),
  );
  expect(report).toMatchObject({ entries: 1007, faults: [] });
  expect(lines[0]).toMatch(/^1000 entries booked in/);
});

test('[Y44] the bench refuses a wrong option with one sentence', () => {
  expect(parseOptions([])).toEqual({ entries: 1_000_000, wallets: 1000, json: null });
  expect(() => parseOptions(['--entries', '0'])).toThrow(/--entries must be a whole number from 1 to 100000000/);
});
