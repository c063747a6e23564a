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
  // The speed of this machine proves nothing.
  expect(problems.filter((problem) => !problem.startsWith('no write for'))).toEqual([]);
  expect(made.map(({ fault }) => fault).toSorted()).toEqual([
    'clock-steps',
    'primary-kills',
    'redis-failovers',
    'server-kills',
    'step-downs',
  ]);
  // The members wait for their election timeout of 3 s before they replace a primary that had to step down.
  expect(made.find(({ fault }) => fault === 'step-downs')?.withoutWritesMs).toBeGreaterThan(1000);
  expect(day.outcome).toMatchObject({ open: 0 });
  expect(day.eventsCommitted).toBeGreaterThan(day.orders * 3);
  expect(day.serverErrors).toEqual([]);
});
