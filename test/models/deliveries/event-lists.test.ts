import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { openHouse } from '../../engines/mongo-house.ts';
import { NOON } from '../../builders.ts';
import { ODD } from '../../odd-rows.ts';
import { costsOf } from '../reading-costs.ts';

const house = await openHouse('event-lists');

test('[W71] a page of a rare type of event reads no event of another type', async () => {
  const vendorId = newId('ven');
  const rows = Array.from({ length: 300 }, (_, at) => ({
    _id: `${vendorId}:${at}` as never,
    id: newId('evt'),
    vendor_id: vendorId,
    live_mode: true,
    delivery_id: newId('del'),
    type: at % 100 === 0 ? 'canceled' : 'delivered',
    created_at: new Date(NOON + at).toISOString(),
    webhooks: 'done',
  }));
  await house.mongo.db.collection('events').insertMany(rows, ODD);
  const filter = { vendorId, liveMode: true, type: 'canceled' as const };
  const read = (after: { at: number; id: string } | null) => house.eventLog.listOwn(filter, { limit: 2, after });
  const first = await read(null);
  expect([first.items.length, (await read(first.next)).items.length, (await read(first.next)).next]).toEqual([
    2,
    1,
    null,
  ]);
  const costs = await costsOf(house.mongo, 'events', () => read(null));
  expect(costs.map(({ docsExamined }) => docsExamined)).toEqual([3]);
});
