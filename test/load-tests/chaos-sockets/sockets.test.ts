import { expect, test } from 'vitest';
import { parseSocketsOptions } from '../../../load-tests/chaos-sockets/options.ts';
import { judge, lastLine, type Facts } from '../../../load-tests/chaos-sockets/report.ts';

const READ = { readers: 2, due: 200, lost: 0, doubled: 0, outOfOrder: 0, reconnects: 3 };
const GOOD: Facts = {
  options: { events: 100, faults: { 'server-kills': 1, 'redis-kills': 0 } },
  confirmed: 100,
  refused: [],
  logged: 101,
  vendors: READ,
  pages: READ,
  control: { due: 200, lost: 2 },
  lagMs: [...Array.from({ length: 99 }, () => 20), 3000],
  made: [{ fault: 'server-kills', atS: 1, healedS: 3 }],
  crashes: [],
  serverErrors: [],
  wallS: 10,
};

test('[Z33] a run at its limits is good', () => {
  const report = judge(GOOD);
  expect(report.problems).toEqual([]);
  expect(report.lag).toEqual({ p50: 20, p99: 20, max: 3000 });
  expect(lastLine(report)).toBe('ok 101 events, 400 arrivals, 1 faults, the control lost 1.00 %');
});

test.each([
  [{ vendors: { ...READ, lost: 1 } }, 'the readers of a vendor lost 1 of 200 events'],
  [{ pages: { ...READ, doubled: 2 } }, 'tracking pages got 2 events twice'],
  [{ pages: { ...READ, outOfOrder: 2 } }, 'tracking pages got 2 events out of order'],
  [{ vendors: { ...READ, due: 0 } }, 'no event was due to the readers of a vendor'],
  [{ control: { due: 200, lost: 1 } }, 'the control lost only 0.50 %, so the faults were too mild'],
  [{ confirmed: 99 }, '99 of 100 changes were confirmed'],
  [{ logged: 99 }, '1 confirmed changes are not in the log'],
  [{ made: [] }, '1 server-kills were not made'],
  [{ lagMs: [21] }, 'events were late, p50 21 ms, at most 20 ms wanted'],
  [{ lagMs: [] }, 'events were late, p50 NaN ms, at most 20 ms wanted'],
  [{ refused: ['busy'] }, '1 changes were refused, the first with busy'],
  [{ crashes: ['server-1 ended by itself'] }, 'server-1 ended by itself'],
  [{ serverErrors: ['req_1'] }, '1 answers with status 500, the first req_1'],
] satisfies [Partial<Facts>, string][])('[Z33] a run fails for %j', (part, problem) => {
  expect(judge({ ...GOOD, ...part }).problems).toContain(problem);
});

test('[Z33] wrong options are refused with a sentence', () => {
  expect(parseSocketsOptions([])).toMatchObject({ events: 30_000, faults: { 'server-kills': 18, 'redis-kills': 6 } });
  expect(() => parseSocketsOptions(['--servers', '1'])).toThrow('--servers must be a whole number from 2 to 16');
});
