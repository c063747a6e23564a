import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { deliveryRow } from '../../../src/models/deliveries/delivery-rows.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import { aDelivery } from '../../builders.ts';
import { CLOCK, openHouse, SETTINGS } from '../../engines/mongo-house.ts';
import { costsOf } from '../reading-costs.ts';

const house = await openHouse('robo-lists');
const LIMIT = 500;
const DAY = 86_400_000;

async function store(deliveries: readonly Delivery[]): Promise<void> {
  await house.mongo.collection(DELIVERIES).insertMany(deliveries.map((one) => deliveryRow(one, SETTINGS)));
}

const many = (over: Parameters<typeof aDelivery>[0]): Delivery[] =>
  Array.from({ length: LIMIT }, () => aDelivery({ robo: { timeScale: 10 }, searchFromAt: CLOCK.now(), ...over }));

test('[B8] tests that no robo-courier may accept yet, or at all, do not crowd out one that is due', async () => {
  const now = CLOCK.now();
  await store(many({ searchFromAt: now + 10 * DAY }));
  await store(many({ robo: { timeScale: 10, outcome: 'no_courier' } }));
  const due = aDelivery({ robo: { timeScale: 10 }, searchFromAt: now });
  const carried = aDelivery({ robo: { timeScale: 10, outcome: 'failed' }, state: 'in_transit' });
  await store([due, carried]);
  const costs = await costsOf(house.mongo, 'deliveries', async () => {
    expect((await house.deliveries.listRobo(LIMIT)).map(({ id }) => id)).toEqual([carried.id, due.id]);
  });
  expect(costs.map(({ docsExamined }) => docsExamined)).toEqual([1, 1]);
});

test('[B8] each part of the list has its own limit, and its cost depends only on its entries', async () => {
  await store([...many({ state: 'assigned' }), ...many({}), ...many({ robo: { timeScale: 1, outcome: 'failed' } })]);
  const costs = await costsOf(house.mongo, 'deliveries', async () => {
    const listed = await house.deliveries.listRobo(5);
    expect(listed.filter(({ state }) => state === 'searching')).toHaveLength(5);
    expect(listed).toHaveLength(10);
  });
  const plans = costs.map(({ planSummary }) => planSummary).toSorted();
  expect(plans).toEqual([
    expect.stringContaining('IXSCAN { robo.outcome: 1, searchFromAt: 1, _id: 1 }'),
    expect.stringContaining('IXSCAN { state: 1, _id: 1, robo.timeScale: 1 }'),
  ]);
  for (const { docsExamined } of costs) expect(docsExamined).toBeLessThanOrEqual(12);
});

test('[B8] the next search of a test is found in its index, and those that no robo-courier accepts do not count', async () => {
  await house.mongo.collection(DELIVERIES).deleteMany({});
  expect(await house.deliveries.nextRoboAt()).toBeNull();
  const soon = CLOCK.now() + 60_000;
  await store(many({ searchFromAt: soon - 1, robo: { timeScale: 10, outcome: 'no_courier' } }));
  await store([...many({ searchFromAt: soon + DAY }), aDelivery({ robo: { timeScale: 1 }, searchFromAt: soon })]);
  const costs = await costsOf(house.mongo, 'deliveries', async () => {
    expect(await house.deliveries.nextRoboAt()).toBe(soon);
  });
  expect(costs.map(({ docsExamined }) => docsExamined)).toEqual([1]);
});
