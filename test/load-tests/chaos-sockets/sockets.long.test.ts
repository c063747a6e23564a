import { expect, test } from 'vitest';
import { parseSocketsOptions } from '../../../load-tests/chaos-sockets/options.ts';
import { runSockets } from '../../../load-tests/chaos-sockets/run.ts';
import { testEngines } from '../../engines.ts';

/** A small part of `npm run chaos:sockets`. */
const SMALL = '--events 600 --deliveries 6 --rate 20 --server-kills 2 --redis-kills 2'.split(' ');

test('[Z33] while servers and Redis are killed, every reader gets each event once and in order, and plain pub/sub does not', async () => {
  const { mongoUrl } = testEngines('chaos-sockets');
  const report = await runSockets(parseSocketsOptions(SMALL), mongoUrl, () => {});
  // The speed of this machine proves nothing, and few faults may be mild.
  const ofLuck = /^(events were late|the control lost only)/;
  expect(report.problems.filter((problem) => !ofLuck.test(problem))).toEqual([]);
  expect(report.confirmed).toBe(600);
  expect(report.vendors.due).toBeGreaterThanOrEqual(1200);
  expect(report.pages.due).toBeGreaterThanOrEqual(600);
  expect(report.made).toHaveLength(4);
  expect(report.control.lost).toBeGreaterThan(0);
});
