import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { costsOf } from '../models/reading-costs.ts';
import { openLines } from './lines-house.ts';

const { house, needs, register, attempts, deliver, rowOf, claim } = await openLines('line-costs');

const LONG = 60;
const LIMIT = 5;

/** The most documents of a collection that one query of this work reads. */
async function mostRead(collection: string, run: () => Promise<unknown>): Promise<number> {
  const costs = await costsOf(house.mongo, collection, run);
  expect(costs.length).toBeGreaterThan(0);
  return Math.max(...costs.map(({ docsExamined }) => docsExamined));
}

/** A registration that gets the events of a long delivery in order. */
async function aLongLine() {
  const vendorId = newId('ven');
  const registration = await register(vendorId, '/', 'per_delivery');
  return { vendorId, registration, delivery: await deliver(vendorId, LONG) };
}

test('[W67] a claim reads few attempts, however many events of a delivery are due', async () => {
  const { registration } = await aLongLine();
  await needs().webhooks.fanOut(2 * LONG);
  expect(await mostRead('attempts', () => claim(registration, LIMIT))).toBeLessThanOrEqual(LIMIT);
});

test.each([LIMIT, 2 * LONG])('[W67] a claim reads few events of a delivery if %i have their attempts', async (done) => {
  const { registration } = await aLongLine();
  await needs().webhooks.fanOut(done);
  expect(await mostRead('events', () => claim(registration, LIMIT))).toBeLessThanOrEqual(1);
});

test('[W67] the attempts of a delivery that wait come due again one after the other', async () => {
  const { registration, delivery } = await aLongLine();
  await needs().webhooks.fanOut(2 * LONG);
  await claim(registration, 1);
  while ((await claim(registration, LIMIT)).isMore);
  const first = await rowOf(delivery, 1);
  const rows = await attempts
    .find({ 'line.deliveryId': delivery, state: 'due' })
    .sort({ 'line.sequence': 1 })
    .toArray();
  const times = rows.slice(1).map(({ dueAt }) => dueAt - first.dueAt);
  expect(times).toEqual(Array.from({ length: LONG - 1 }, (_, index) => index * 1000));
});
