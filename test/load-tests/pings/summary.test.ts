import { expect, test } from 'vitest';
import { idleLines, summarise, type Round } from '../../../load-tests/pings/summary.ts';

test('[Y36] the report has the CPU and the memory of each server at rest', () => {
  const lines = idleLines([{ name: 'full path', cpuMsPerS: 12.34, kibPerConnection: 5.67 }]);
  expect(lines).toContain('| full path | 12.3 | 5.7 |');
});

test('[Y58] the commands of a tick are those beyond the work of an idle server for as long as they were counted', () => {
  const result = { acked: 1, refused: 0, unanswered: 0, frames: 0, cpuUsPerPing: 1, generatorP99Ms: 0 };
  const lag = { p50: 1, p99: 1 };
  const roundOf = (calls: [string, number][], countedS: number): Round => ({
    name: 'full path',
    rate: 2000,
    seconds: 4,
    result: { ...result, ackMs: lag, readerMs: lag },
    redis: { calls: new Map(calls), cpuS: 0 },
    countedS,
  });
  // An idle server sends ten leases a second, all at one moment; the spans have five and four such moments.
  const rounds = [
    roundOf(
      [
        ['hset', 40],
        ['set', 50],
        ['info', 2],
      ],
      4.6,
    ),
    roundOf(
      [
        ['hset', 40],
        ['set', 40],
      ],
      4.4,
    ),
  ];
  const lines = summarise(rounds, { calls: new Map([['set', 10]]), cpuS: 0 });
  expect(lines.filter((line) => line.startsWith('Redis'))).toEqual([
    'Redis commands per tick at 2000/s beyond the idle ones: 1.00 (hset 1.00)',
  ]);
});
