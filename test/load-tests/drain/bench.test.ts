import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseOptions } from '../../../load-tests/bench-drain.ts';
import { judge, lastLine, type Facts } from '../../../load-tests/drain/report.ts';
import { runDrain } from '../../../load-tests/drain/run.ts';
import { testEngines } from '../../engines.ts';

test('[T23] a server that is stopped sends its clients to another one, and no event is lost', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('bench-drain');
  const dir = await mkdtemp(join(tmpdir(), 'drain-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const place = { mongoUrl, redisUrl, prefix: keyPrefix, dir, stopFirst: onTestFinished };
  const report = await runDrain(place, { clients: 40, following: 50, quietS: 2 }, () => {});
  // The speed of this machine proves nothing.
  const problems = report.problems.filter((problem) => !/were late|even share|ms to end/.test(problem));
  expect(problems).toEqual([]);
  expect(report).toMatchObject({ clients: 40, exitCode: 0, lost: 0 });
});

const at = (leftAt: number) => ({ warnedAt: 1000, leftAt: 1000 + leftAt, backAt: 1500 + leftAt, isSentAway: false });
const EVEN = Array.from({ length: 100 }, (_, index) => at(index * 50));
const GOOD: Facts = {
  withinMs: 5000,
  left: EVEN,
  exitCode: 0,
  endedMs: 5500,
  quietLagMs: [10],
  stopLagMs: [20],
  vendors: { readers: 2, due: 100, lost: 0, doubled: 0, outOfOrder: 0, reconnects: 1 },
};

test('[T23] a stop at its limits is good', () => {
  const report = judge(GOOD);
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ rates: [1, 1, 1, 1, 1], backMs: { p50: 500, p99: 500 } });
  expect(lastLine(report)).toBe('ok 100 connections');
});

test.each([
  [{ exitCode: 1 }, 'the server ended with exit code 1'],
  [{ endedMs: 10_001 }, 'the server took 10001 ms to end'],
  [{ left: [...EVEN, { ...at(0), warnedAt: null }] }, '1 clients got no warning'],
  [{ left: [...EVEN, { ...at(0), isSentAway: true }] }, '1 clients were told to stay away'],
  [{ left: [...EVEN, { ...at(0), backAt: null }] }, '1 clients have not come back'],
  [{ left: [...EVEN, ...EVEN.slice(0, 20)] }, '1.67 of an even share left in part 1 of 5'],
  [{ stopLagMs: [21] }, 'events were late, p99 21 ms, at most 2 times 10 ms wanted'],
  [{ stopLagMs: [] }, 'events were late, p99 NaN ms, at most 2 times 10 ms wanted'],
  [{ vendors: { ...GOOD.vendors, due: 0 } }, 'no event was due'],
  [{ vendors: { ...GOOD.vendors, lost: 1 } }, 'of 100 events, 1 were lost, 0 doubled, 0 out of order'],
] satisfies [Partial<Facts>, string][])('[T23] a stop fails for %#', (part, problem) => {
  expect(judge({ ...GOOD, ...part }).problems).toContain(problem);
});

test('[T23] wrong options are refused with a sentence', () => {
  expect(parseOptions([])).toEqual({ clients: 2000, following: 50, quietS: 15, json: null });
  expect(() => parseOptions(['--following', '101'])).toThrow('--following must be a whole number from 0 to 100');
});
