import { expect, test } from 'vitest';
import { ENDED, fillEndings, type People } from '../../../load-tests/analytics/endings.ts';
import { judge, lastLine, tableOf } from '../../../load-tests/analytics/report.ts';
import { parseOptions } from '../../../load-tests/bench-analytics.ts';
import { createRandom } from '../../../load-tests/random.ts';
import { rebuildRollUps } from '../../../src/dispatch/analytics/rebuild-roll-ups.ts';
import { newId } from '../../../src/domain/ids.ts';
import { NOON } from '../../builders.ts';
import { CLOCK } from '../../engines/mongo-house.ts';
import { count, of, openCounting } from '../../dispatch/analytics/house.ts';

const { house, ctx, fold } = await openCounting('bench-analytics');

test('[N35] the bench stores ended deliveries and ratings, and the server counts all of them', async () => {
  const people: People = {
    vendors: [0, 1].map(() => ({ id: newId('ven'), locations: [newId('loc')] })),
    couriers: [newId('cou'), newId('cou')],
  };
  const random = createRandom(1);
  const how = { random: () => random.next(), now: NOON, say: () => undefined };
  const ratings = await fillEndings(house.mongo.db, people, 700, how);
  const clock = { ...CLOCK, real: { ...CLOCK.real, sleep: async () => undefined } };
  await rebuildRollUps({ ...ctx, clock }, () => undefined);
  await fold();
  const range = { scope: of(null), from: '2025-10-01', to: '2026-01-31' };
  const ends = await house.rollUps.sum({ ...range, subject: 'endings' });
  expect(ENDED.reduce((sum, state) => sum + count(ends, state), 0)).toBe(700);
  expect(count(ends, 'transit_n')).toBe(count(ends, 'delivered'));
  expect(count(await house.rollUps.sum({ ...range, subject: 'couriers' }), 'rated')).toBe(ratings);
  expect(ratings).toBeGreaterThan(0);
});

test('[N35] the bench names wrong answers and slow routes, and nothing else', () => {
  const found = { deliveries: 10, ratings: 1, rows: 5, rebuildS: 1, wrong: [] };
  const times = [
    { name: 'timings', by: 'vendor' as const, min: 5, p50: 10, p95: 300, cpu: 8 },
    { name: 'timings', by: 'platform' as const, min: 5, p50: 10, p95: 1000, cpu: 8 },
  ];
  expect(lastLine(judge({ ...found, times }))).toMatch(/^ok /);
  const slow = times.map((one) => ({ ...one, p95: one.p95 + 1 }));
  const report = judge({ ...found, times: slow, wrong: ['fees differ'] });
  expect(report.problems).toHaveLength(3);
  expect(lastLine(report)).toMatch(/^failed: fees differ; /);
  expect(tableOf(report).join('\n')).toContain('| timings | vendor | 5.0 | 10.0 | 301.0 | 8.0 |');
});

test('[N35] the bench refuses a wrong option with one sentence', () => {
  expect(parseOptions([]).deliveries).toBe(1_000_000);
  expect(() => parseOptions(['--deliveries', 'many'])).toThrow(/^--deliveries must be a whole number/);
});
