import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDay } from '../../../load-tests/simulate/run.ts';
import { parseOptions } from '../../../load-tests/simulate/options.ts';
import { testEngines } from '../../engines.ts';

const DAY = join(import.meta.dirname, '../../../examples/day');

test('[Y13] a piece of the example day is delivered by two servers, one of them killed on the way, and nothing is lost', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('day');
  const options = parseOptions([
    DAY,
    '--from',
    '690',
    '--to',
    '740',
    '--speed',
    '60',
    '--servers',
    '2',
    '--kills',
    '1',
    // At this speed a search ends after 15 s of machine time, and contact is lost after 10 s. A busy machine may block
    // for that long.
    '--set',
    'SEARCH_LIMIT_MS=3600000',
    '--set',
    'PRESENCE_LOST_AFTER_MS=3600000',
  ]);
  const engines = { mongoUrl, redisUrl, stop: () => Promise.resolve() };
  const report = await runDay(options, { engines, environment: { REDIS_PREFIX: keyPrefix } }, () => {});
  expect(report.problems).toEqual([]);
  expect(report.outcome).toMatchObject({ delivered: report.orders, failed: 0, canceled: 0, open: 0 });
  expect(report.money).toMatchObject({ charged: report.orders, faults: [] });
  expect(report.vendorSocket.due).toBe(report.eventsCommitted);
  expect(report.trackSockets.sockets).toBe(report.orders);
  expect(report.webhooks.due).toBe(report.eventsCommitted);
  expect(report.eventsCommitted).toBeGreaterThan(report.orders * 6);
  expect([report.kills, report.positionLagMs.frames > 20]).toEqual([1, true]);
  const { live, searches, fairness } = report.dispatch;
  expect([live.offerMs.count, live.acceptMs.count + live.acceptsCut]).toEqual([
    report.offers.made,
    expect.toSatisfy((count: number) => count >= report.orders),
  ]);
  // The clocks of a run agree to a few ms of the machine.
  expect(live.offerFromMakingMs.p50).toBeGreaterThan(-10);
  expect(live.offerMs.p50).toBeGreaterThanOrEqual(live.offerFromMakingMs.p50);
  expect(live.offersWithoutRun).toBeLessThan(live.offerMs.count);
  expect(live.firstOfferAllMs).toMatchObject({ count: report.orders });
  // No courier is asked before the order is placed, or after it is delivered.
  expect(live.firstOfferAllMs.p50).toBeGreaterThan(0);
  expect((live.firstOfferAllMs.max * options.speed) / 60_000).toBeLessThan(searches.toCourierMin.max);
  expect(searches.searchMin.count).toBeGreaterThanOrEqual(report.orders);
  expect(fairness.couriers + fairness.leftOut).toBe(report.couriers);
  expect(fairness.utilisation.mean).toSatisfy((share: number) => share > 0 && share <= 1);
}, 600_000);
