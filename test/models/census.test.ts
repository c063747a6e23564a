import { expect, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { startCensus } from '../../src/dispatch/due/report-census.ts';
import { newId } from '../../src/domain/ids.ts';
import { createMetrics } from '../../src/metrics.ts';
import { createCensus } from '../../src/models/census.ts';
import { deliveryRow } from '../../src/models/deliveries/delivery-rows.ts';
import type { Census } from '../../src/ports/dispatch/due.ts';
import type { Leases, Stop } from '../../src/ports/process.ts';
import { aCourier, aDelivery, NOON } from '../builders.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { openHouse, SETTINGS } from '../engines/mongo-house.ts';
import { costsOf } from './reading-costs.ts';
import { COURIERS } from '../../src/models/couriers/courier-rows.ts';
import { DELIVERIES } from '../../src/models/deliveries/delivery-shape.ts';
import { EVENTS_LOG } from '../../src/models/deliveries/events/event-rows.ts';
import { ATTEMPTS } from '../../src/models/webhooks/webhook-shapes.ts';
import { ODD } from '../odd-rows.ts';

const house = await openHouse('census');
const census = createCensus(house.mongo, house.ledgerChecks);
const ENDED = 2000;

const states = [
  ...Array<'delivered'>(ENDED).fill('delivered'),
  ...(['searching', 'searching', 'scheduled', 'in_transit'] as const),
];
const rows = states.map((state) => deliveryRow(aDelivery({ state, liveMode: state === 'scheduled' }), SETTINGS));
await house.mongo.collection(DELIVERIES).insertMany(rows);
const couriers = [
  ...Array.from({ length: ENDED }, () => aCourier({ availability: 'offline' })),
  aCourier({ availability: 'online' }),
  aCourier({ availability: 'online' }),
  aCourier({ availability: 'online', liveMode: true }),
  aCourier({ availability: 'online', kind: 'robo' }),
  aCourier({ availability: 'online', state: 'suspended' }),
];
await house.mongo.collection(COURIERS).insertMany(couriers.map((courier) => ({ _id: courier.id, ...courier })));
for (const kind of ['late', 'late', 'search_too_long'] as const) {
  const about = { deliveryId: newId('del'), courierId: null, cell: '', since: NOON, clearedAt: null, detail: '' };
  await house.alarms.raise({ id: newId('alm'), kind, ...about });
}
const registrationId = newId('whk');
const attempt = (state: string, dueAt: number): object => ({ attemptId: newId('att'), registrationId, state, dueAt });
await house.mongo.db
  .collection(ATTEMPTS.name)
  .insertMany(
    [
      ...Array.from({ length: ENDED }, () => attempt('done', NOON - 1)),
      attempt('due', NOON - 90_000),
      attempt('due', NOON),
      attempt('due', NOON + 1),
    ],
    ODD,
  );
await house.ledgerChecks.put({ checkedAt: NOON - 7000, entries: 5, faultCount: 2 });
const event = (webhooks: string, at: number): object => ({ webhooks, created_at: new Date(at).toISOString() });
await house.mongo.db
  .collection(EVENTS_LOG.name)
  .insertMany([event('done', NOON - 500_000), { ...event('due', NOON - 5000), counted: 'due' }], ODD);

const EXPECTED: Census = {
  deliveries: [
    { liveMode: false, state: 'in_transit', count: 1 },
    { liveMode: false, state: 'searching', count: 2 },
    { liveMode: true, state: 'scheduled', count: 1 },
  ],
  couriers: [
    { kind: 'courier', liveMode: false, count: 2 },
    { kind: 'courier', liveMode: true, count: 1 },
    { kind: 'robo', liveMode: false, count: 1 },
  ],
  alarms: [
    { kind: 'late', count: 2 },
    { kind: 'search_too_long', count: 1 },
  ],
  webhooks: [
    { stage: 'attempt', count: 2, dueSince: NOON - 90_000 },
    { stage: 'event', count: 1, dueSince: NOON - 5000 },
  ],
  analytics: { count: 1, dueSince: NOON - 5000 },
  ledger: { checkedAt: NOON - 7000, entries: 5, faultCount: 2 },
};

test('[Z48] a census counts open deliveries, online couriers, open alarms and due webhooks', async () => {
  const { analytics, ledger, ...found } = await census.take(NOON);
  const { analytics: waiting, ledger: check, ...groups } = EXPECTED;
  for (const [group, expected] of Object.entries(groups)) {
    const given: readonly unknown[] = found[group as keyof typeof found];
    expect(given).toHaveLength(expected.length);
    expect(given).toEqual(expect.arrayContaining([...expected]));
  }
  expect([analytics, ledger]).toEqual([waiting, check]);
});

test.each(['deliveries', 'couriers', 'alarms', 'attempts', 'events'])(
  '[Z48] a census counts %s by an index, however many have ended',
  async (name) => {
    const costs = await costsOf(house.mongo, name, () => census.take(NOON));
    expect(costs.length).toBeGreaterThan(0);
    for (const { docsExamined, planSummary } of costs) {
      expect(planSummary).not.toContain('COLLSCAN');
      expect(docsExamined).toBeLessThanOrEqual(name === 'alarms' ? 3 : 1);
    }
  },
);

/** Leases that one process owns as long as the test says so. */
function leases(): Leases & { isMine: boolean } {
  const kept = {
    isMine: true,
    tryHold: () => Promise.resolve(kept.isMine ? 1 : null),
    release: () => Promise.resolve(),
  };
  return kept;
}

/** Machine time whose periods pass when the test says so. */
function pacedClock(): { clock: ReturnType<typeof createClock>; pass: (ms: number) => void } {
  const real = createClock().real;
  let now = 0;
  const tasks: { everyMs: number; nextAt: number; task: () => void }[] = [];
  const every = (everyMs: number, task: () => void): Stop => {
    const entry = { everyMs, nextAt: now + everyMs, task };
    tasks.push(entry);
    return () => void tasks.splice(tasks.indexOf(entry), 1);
  };
  const clock = {
    ...createClock(),
    now: () => NOON,
    real: {
      ...real,
      elapsed: () => now,
      every,
      everyTogether: every,
    },
  };
  const pass = (ms: number): void => {
    now += ms;
    for (const entry of tasks) {
      if (entry.nextAt > now) continue;
      entry.nextAt = now + entry.everyMs;
      entry.task();
    }
  };
  return { clock, pass };
}

test('[Z49] one process reports the figures, with zeros, and removes them when it no longer counts', async () => {
  const metrics = createMetrics();
  const lease = leases();
  const { clock, pass } = pacedClock();
  const told = async (): Promise<string[]> =>
    (await metrics.text())
      .split('\n')
      .filter((line) => /^(deliveries|couriers_online|alarms_open|webhook_backlog|ledger)[_a-z]*[{ ]/.test(line));
  const running = startCensus({ clock, leases: lease, log: keptLog(), metrics, census });
  await until(async () => (await told()).length > 0);
  expect(await told()).toEqual(
    expect.arrayContaining([
      'deliveries{state="searching",mode="test"} 2',
      'deliveries{state="assigned",mode="live"} 0',
      'couriers_online{kind="robo",mode="test"} 1',
      'alarms_open{kind="late"} 2',
      'alarms_open{kind="courier_silent"} 0',
      'webhook_backlog{stage="attempt"} 2',
      'webhook_backlog_age_seconds{stage="attempt"} 90',
      'webhook_backlog_age_seconds{stage="event"} 5',
      'ledger_check_age_seconds 7',
      'ledger_faults 2',
    ]),
  );
  lease.isMine = false;
  pass(1000);
  for (let periods = 0; periods < 3; periods += 1) pass(15_000);
  await until(async () => (await told()).length === 0);
  lease.isMine = true;
  pass(1000);
  await until(async () => {
    pass(1000);
    return (await told()).length > 0;
  });
  await running.stop();
  expect(await told()).toEqual([]);
});
