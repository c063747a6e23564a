import { expect, test } from 'vitest';
import { parseEnginesOptions } from '../../../load-tests/chaos-engines/options.ts';
import { runEngines } from '../../../load-tests/chaos-engines/run.ts';

/** One fault of each kind on a small part of the day of `npm run chaos:engines`. */
const SMALL =
  '--orders 8 --minutes 80 --couriers 6 --speed 60 --step-downs 1 --primary-kills 1 --redis-failovers 1 --server-kills 1';

test('[Z30] while engines fail over, servers are killed and a clock steps, no event is lost and every order ends', async () => {
  const options = parseEnginesOptions(SMALL.split(' '));
  if (options === null) throw new Error('only the usage was asked for');
  const { problems, made, day } = await runEngines(options, () => {});
  expect(problems).toEqual([]);
  expect(made.map(({ fault }) => fault).toSorted()).toEqual([
    'clock-steps',
    'primary-kills',
    'redis-failovers',
    'server-kills',
    'step-downs',
  ]);
  expect(day.outcome).toMatchObject({ open: 0 });
  expect(day.eventsCommitted).toBeGreaterThan(day.orders * 3);
  expect(day.serverErrors).toEqual([]);
});
