import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseOptions } from '../../../load-tests/bench-outage.ts';
import { judge, lastLine, tableOf, type Outage } from '../../../load-tests/outage/report.ts';
import { runOutage } from '../../../load-tests/outage/run.ts';
import { testEngines } from '../../engines.ts';

test('[Y57] a server goes on while its Redis is dead or hangs, and writes positions again afterwards', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('bench-outage');
  const dir = await mkdtemp(join(tmpdir(), 'outage-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const place = { mongoUrl, redisUrl, prefix: keyPrefix, dir, stopFirst: onTestFinished };
  const report = await runOutage(place, { couriers: 8, seconds: 4 }, () => {});
  // The speed and the memory of this machine prove nothing.
  expect(report.problems.filter((problem) => !/first write came|memory grew/.test(problem))).toEqual([]);
  for (const { pings, changes, firstWriteMs } of [report.dead, report.hung]) {
    expect(pings.acked).toBe(8);
    expect(changes.waitsMs.length).toBeGreaterThan(20);
    expect(firstWriteMs).toBeLessThan(15_000);
  }
});

const GOOD: Outage = {
  grownMb: 10,
  pings: { acked: 100, refused: 0, unanswered: 0 },
  positions: { frames: 100, p99Ms: 90 },
  changes: { waitsMs: [5, 10], failed: 0 },
  firstWriteMs: 1000,
  old: 0,
};

test('[Y57] outages at their limits are good', () => {
  const report = judge({ dead: GOOD, hung: GOOD });
  expect(report.problems).toEqual([]);
  expect(tableOf(report)).toContain('| hung | 10.0 | 100 / 0 / 0 | 90 | 5 / 10 / 10 | 0 | 1000 | 0 |');
  expect(lastLine(report)).toBe('ok 200 pings without Redis');
});

test.each([
  [{ grownMb: 10.1 }, 'memory grew by 10.1 MB, at most 10 MB wanted'],
  [{ pings: { acked: 100, refused: 1, unanswered: 2 } }, '1 pings were refused, and 2 not answered'],
  [{ pings: { acked: 0, refused: 0, unanswered: 0 } }, 'no ping, position or change went through'],
  [{ positions: { frames: 0, p99Ms: 0 } }, 'no ping, position or change went through'],
  [{ changes: { waitsMs: [], failed: 0 } }, 'no ping, position or change went through'],
  [{ changes: { waitsMs: [5], failed: 1 } }, '1 changes of deliveries failed'],
  [{ firstWriteMs: 1001 }, 'the first write came after 1001 ms, at most 1000 ms wanted'],
  [{ firstWriteMs: Number.NaN }, 'the first write came after NaN ms, at most 1000 ms wanted'],
  [{ old: 1 }, '1 couriers have an old position'],
] satisfies [Partial<Outage>, string][])('[Y57] an outage fails for %#', (part, problem) => {
  expect(judge({ dead: { ...GOOD, ...part }, hung: GOOD }).problems).toEqual([`Redis dead: ${problem}`]);
  expect(judge({ dead: GOOD, hung: { ...GOOD, ...part } }).problems).toEqual([`Redis hung: ${problem}`]);
});

test('[Y57] wrong options are refused with a sentence', () => {
  expect(parseOptions([])).toEqual({ couriers: 8000, seconds: 12, json: null });
  expect(() => parseOptions(['--couriers', '0'])).toThrow('--couriers must be a whole number from 1 to 100000');
});
