import { expect, test } from 'vitest';
import { newId } from '../../src/domain/ids.ts';
import { AUDIT } from '../../src/models/audit-shapes.ts';
import { createDemoRows } from '../../src/models/demo-rows.ts';
import { CENTER } from '../builders.ts';
import { CLOCK, openHouse } from '../engines/mongo-house.ts';
import { anEntry, anUnfitEntry, UNFIT } from './audit/an-entry.ts';

const { mongo } = await openHouse('demo-rows');

test('[A109] a removal of the demo ends together with its entry, and can be repeated until then', async () => {
  const rows = createDemoRows(mongo);
  const facts = {
    center: CENTER,
    vendor: { id: newId('ven'), api_key: '', location_id: newId('loc') },
    couriers: [{ id: newId('cou'), phone: '+4930123456' }],
    staff: { email: 'dispatcher@example.com', password: '' },
  };
  await rows.keep({ facts, isUnfinished: false });
  await expect(rows.remove(facts, CLOCK, anUnfitEntry())).rejects.toThrow(UNFIT);
  expect(await rows.find()).toEqual({ facts, isUnfinished: false });
  const entry = anEntry();
  expect(await rows.remove(facts, CLOCK, entry)).toEqual({ settings: 1 });
  expect(await rows.find()).toBeNull();
  expect(await mongo.collection(AUDIT).countDocuments({ _id: entry.id })).toBe(1);
});
