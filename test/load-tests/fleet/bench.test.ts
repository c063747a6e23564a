import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseOptions } from '../../../load-tests/bench-fleet.ts';
import { judge, lastLine, slopeOf, tableOf, type Facts, type ServerFigures } from '../../../load-tests/fleet/report.ts';
import { runFleet } from '../../../load-tests/fleet/run.ts';
import { bucketsOf, p99Between, sumOf } from '../../../load-tests/fleet/server-metrics.ts';
import { testEngines } from '../../engines.ts';

test('[Y48] two servers serve a small fleet whose connections come and go, and no event is lost', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('bench-fleet');
  const dir = await mkdtemp(join(tmpdir(), 'fleet-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const options = { couriers: 12, readers: 4, servers: 2, seconds: 10, churn: 1000 };
  const place = { mongoUrl, redisUrl, prefix: keyPrefix, dir, stopFirst: onTestFinished };
  const report = await runFleet(place, options, () => {});
  expect(report.events).toMatchObject({ due: 4, lost: 0, without: 0 });
  expect(report.events.delaysMs).toHaveLength(4);
  // A clock that differs by more than a run lasts would show here.
  for (const delayMs of report.events.delaysMs) expect(Math.abs(delayMs)).toBeLessThan(60_000);
  expect(report.servers.map(({ connections }) => connections)).toEqual([8, 8]);
  // The speed of this machine proves nothing. The test checks that everything was measured.
  for (const { bareMb, idleMb, samples, left } of report.servers) {
    expect(Math.min(bareMb, idleMb, ...samples.map(({ mb }) => mb))).toBeGreaterThan(0);
    expect([left.sockets, left.readers]).toEqual([0, 0]);
  }
  for (const { acked, refused, frames, reconnects, readerMs } of report.crowds) {
    expect(Math.min(acked, frames, readerMs.p99)).toBeGreaterThan(0);
    expect(refused).toBe(0);
    // Two of the eight connections are readers, and they are the last ones in turn.
    expect(reconnects).toBeGreaterThan(5);
  }
});

const SERVER: ServerFigures = {
  name: 'server-1',
  connections: 10,
  delayP99Ms: 50,
  cpuShare: 0.5,
  bareMb: 100,
  idleMb: 110,
  leftMb: 101,
  samples: [],
  left: { sockets: 0, readers: 0, timers: 20 },
};
const CROWD = {
  acked: 100,
  refused: 0,
  unanswered: 0,
  frames: 100,
  cpuUsPerPing: 1,
  ackMs: { p50: 1, p99: 2 },
  readerMs: { p50: 50, p99: 250 },
  generatorP99Ms: 1,
  reconnects: 0,
};
const GOOD: Facts = {
  seconds: 60,
  tickMs: 100,
  crowds: [CROWD],
  servers: [SERVER],
  readers: 5,
  events: { due: 5, lost: 0, without: 0, delaysMs: [3, 1, 2] },
};

test('[Y48] a fleet at its limits passes, and exactly the missed limits are named', () => {
  expect(judge(GOOD).problems).toEqual([]);
  expect(lastLine(judge(GOOD))).toBe('ok 1 servers, 5 events');
  expect(tableOf(judge(GOOD))).toContain('events p50 / p99 / max   2 / 3 / 3 ms');
  const late = { ...CROWD, readerMs: { p50: 50, p99: 250.1 }, refused: 2 };
  const slow = { ...SERVER, delayP99Ms: 51, left: { sockets: 1, readers: 2, timers: 21 } };
  const events = { due: 5, lost: 1, without: 3, delaysMs: [] };
  expect(judge({ ...GOOD, crowds: [CROWD, late], servers: [SERVER, slow], events }).problems).toEqual([
    'positions p99 250.1 ms, at most 250 ms wanted',
    '1 of 5 events were lost',
    '3 of 5 readers had no event',
    '2 pings were refused',
    'server-1: event loop p99 51 ms, at most 50 ms wanted',
    'server-1 kept 1 sockets, 2 readers, 21 timers of clients who had left',
  ]);
});

/** Memory that grows by this much a minute after the tenth minute, and much more before. */
function grownBy(mbPerMin: number): ServerFigures['samples'] {
  return Array.from({ length: 240 }, (_, index) => {
    const atS = index * 5;
    return { atS, mb: atS < 600 ? atS : 700 + (mbPerMin * atS) / 60 };
  });
}

test('[Y48] a fleet in which nothing is answered or sent, or whose clients are late, fails', () => {
  for (const silent of [{ acked: 0 }, { frames: 0 }]) {
    expect(judge({ ...GOOD, crowds: [CROWD, { ...CROWD, ...silent }] }).problems).toEqual([
      'a process with clients had no answered ping, or no position',
    ]);
  }
  const unanswered = { ...CROWD, unanswered: 2 };
  expect(judge({ ...GOOD, crowds: [unanswered] }).problems).toEqual(['2 pings were not answered']);
  expect(judge({ ...GOOD, crowds: [{ ...unanswered, reconnects: 3 }] }).problems).toEqual([]);
  expect(judge({ ...GOOD, crowds: [{ ...CROWD, generatorP99Ms: 5.1 }] }).problems).toEqual([
    'clients were late, p99 5.1 ms, at most 5 ms wanted',
  ]);
});

test('[Y48] memory is judged from the tenth minute on, if ten minutes follow', () => {
  expect(slopeOf(grownBy(1.5))).toBeCloseTo(1.5);
  const growing = { ...GOOD, servers: [{ ...SERVER, samples: grownBy(1.5) }] };
  expect(judge({ ...growing, seconds: 1199 }).problems).toEqual([]);
  expect(judge({ ...growing, seconds: 1200 }).problems).toEqual([
    'server-1: memory grew by 1.50 MB a minute, at most 1 MB wanted',
  ]);
  const steady = { ...GOOD, servers: [{ ...SERVER, samples: grownBy(0.9) }], seconds: 1200 };
  expect(judge(steady).problems).toEqual([]);
});

test('[Y48] the values of one metric and label are summed', () => {
  const text = '# HELP a x\na{k="1"} 2\na{k="2"} 3\na_more{k="1"} 9\nb 4\n';
  expect([sumOf(text, 'a'), sumOf(text, 'a', 'k="2"'), sumOf(text, 'b'), sumOf(text, 'c')]).toEqual([5, 3, 4, 0]);
});

test('[Y48] the delays between two reads count, up to the bound of their bucket', () => {
  const textOf = (counts: readonly number[]): string =>
    ['0.025', '0.05', '+Inf'].map((le, index) => `a_bucket{le="${le}"} ${counts[index]}\n`).join('');
  const [before, after] = [bucketsOf(textOf([10, 10, 20]), 'a'), bucketsOf(textOf([100, 109, 120]), 'a')];
  expect([...before]).toEqual([
    [25, 10],
    [50, 10],
    [Infinity, 20],
  ]);
  expect(p99Between(before, after)).toBe(50);
  expect(p99Between(before, bucketsOf(textOf([108, 108, 120]), 'a'))).toBe(Infinity);
  expect(p99Between(before, before)).toBeNaN();
});

test('[Y48] the bench refuses a wrong option with one sentence', () => {
  expect(parseOptions([])).toEqual({
    couriers: 20_000,
    readers: 2000,
    servers: 2,
    seconds: 120,
    churn: 0,
    json: null,
  });
  expect(() => parseOptions(['--couriers', '5', '--readers', '6'])).toThrow(
    /--readers must be a whole number from 1 to 5/,
  );
});
