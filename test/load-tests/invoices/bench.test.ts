import { expect, test } from 'vitest';
import { measure, parseOptions } from '../../../load-tests/bench-invoices.ts';
import { judge, lastLine, tableOf, type InvoicesFigures } from '../../../load-tests/invoices/report.ts';

const spread = { count: 300, p50: 30, p95: 150, max: 400 };
const GOOD: InvoicesFigures = { lines: 30, printMs: spread, kB: spread, stopP99Ms: 5, stopMaxMs: 50 };

test('[Y45] the bench names exactly the limits of the print that were missed', () => {
  expect(lastLine(judge(GOOD))).toBe('ok');
  expect(tableOf(judge(GOOD))).toHaveLength(3);
  expect(lastLine(judge({ ...GOOD, printMs: { ...spread, p95: 150.1 } }))).toBe(
    'failed: the p95 of a print is 150.1 ms, at most 150 ms wanted',
  );
  expect(lastLine(judge({ ...GOOD, stopMaxMs: 50.1 }))).toBe(
    'failed: prints stopped the requests for 50.1 ms, at most 50 ms wanted',
  );
});

test('[Y45] the bench prints invoices in the thread of the printer', async () => {
  const { printMs, kB } = await measure({ invoices: 3, lines: 30, pdf: null });
  expect(printMs.count).toBe(3);
  expect(kB.p50).toBeGreaterThan(5);
});

test('[Y45] the bench refuses a wrong option with one sentence', () => {
  expect(parseOptions([])).toEqual({ invoices: 300, lines: 30, pdf: null, json: null });
  expect(() => parseOptions(['--lines', '501'])).toThrow(/--lines must be a whole number from 1 to 500/);
});
