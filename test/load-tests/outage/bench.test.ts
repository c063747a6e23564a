import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseOptions } from '../../../load-tests/bench-outage.ts';
import { countOld, judge, lastLine, tableOf, type Outage } from '../../../load-tests/outage/report.ts';
import { runOutage } from '../../../load-tests/outage/run.ts';
import { testEngines } from '../../engines.ts';

test('[Y57] a server goes on while its Redis is dead or hangs, and writes positions again afterwards', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('bench-outage');
  const dir = await mkdtemp(join(tmpdir(), 'outage-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const place = { mongoUrl, redisUrl, prefix: keyPrefix, dir, stopFirst: onTestFinished };
  const report = await runOutage(place, { couriers: 8, seconds: 8 }, () => {});
  // The speed and the memory of this machine prove nothing.
  const problems = report.problems.filter(
    (problem) => !/came after|MB more|without an answer|when Redis went/.test(problem),
  );
  expect(problems).toEqual([]);
  for (const { pings, changes } of [report.dead, report.hung]) {
    expect(pings.acked).toBeGreaterThan(8);
    expect(changes.waitsMs.length).toBeGreaterThan(20);
  }
});

const GOOD: Outage = {
  grownMb: 10,
  pings: { acked: 100, refused: 0, unanswered: 0 },
  positions: { frames: 100, p99Ms: 90 },
  changes: { waitsMs: [5, 10], failed: {} },
  longestMs: { before: 40, atBegin: 640 },
  firstWriteMs: 1000,
  old: 0,
};

test('[Y57] outages at their limits are good', () => {
  const report = judge({ dead: GOOD, hung: GOOD });
  expect(report.problems).toEqual([]);
  expect(tableOf(report)).toContain('| hung | 10.0 | 100 / 0 / 0 | 90 | 5 / 10 / 10 | 640 | 0 | 1000 | 0 |');
  expect(lastLine(report)).toBe('ok 200 pings without Redis');
});

test.each([
  [{ grownMb: 10.1 }, 'the server keeps 10.1 MB more, at most 10 MB wanted'],
  [{ pings: { acked: 100, refused: 1, unanswered: 0 } }, 'pings that were refused: 1'],
  [{ pings: { acked: 100, refused: 0, unanswered: 2 } }, 'pings without an answer: 2'],
  [{ pings: { acked: 0, refused: 0, unanswered: 0 } }, 'no ping was accepted'],
  [{ positions: { frames: 0, p99Ms: 0 } }, 'no reader received a position'],
  [{ changes: { waitsMs: [], failed: {} } }, 'no delivery was changed'],
  [{ changes: { waitsMs: [5], failed: { busy: 1 } } }, 'tries to change a delivery that failed (busy): 1'],
  [
    { longestMs: { before: 40, atBegin: 641 } },
    'a change took 641 ms when Redis went, at most 600 ms more than 40 ms wanted',
  ],
  [{ firstWriteMs: 1001 }, 'the first write came after 1001 ms, at most 1000 ms wanted'],
  [{ firstWriteMs: Number.NaN }, 'no newer position was written'],
  [{ old: 1 }, 'positions that are old or missing: 1'],
] satisfies [Partial<Outage>, string][])('[Y57] an outage fails for %#', (part, problem) => {
  expect(judge({ dead: { ...GOOD, ...part }, hung: GOOD }).problems).toEqual([`Redis dead: ${problem}`]);
  expect(judge({ dead: GOOD, hung: { ...GOOD, ...part } }).problems).toEqual([`Redis hung: ${problem}`]);
});

test('[Y57] a position that is older than the return, or missing, is old', () => {
  const received = new Map([
    ['new', 100],
    ['old', 99],
  ]);
  expect(countOld(['new', 'old', 'missing'], received, 100)).toBe(2);
});

test('[Y57] wrong options are refused with a sentence', () => {
  expect(parseOptions([])).toEqual({ couriers: 8000, seconds: 12, json: null });
  expect(() => parseOptions(['--couriers', '0'])).toThrow('--couriers must be a whole number from 1 to 100000');
});
