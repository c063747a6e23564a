import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf, rowsAfter } from '../../src/engines/pages.ts';
import type { Page, PageMark } from '../../src/ports/pages.ts';
import { openHouse } from './mongo-house.ts';

type Row = { readonly _id: string; readonly at: number };

const { mongo } = await openHouse('pages');
const rows = mongo.db.collection<Row>('rows');

const ORDERS = [{ at: -1, _id: -1 }, { at: 1, _id: 1 }, { at: -1, _id: 1 }, { _id: -1 }, { _id: 1 }] as const;

test('[S14] the pages of a list have each row once and in order, also rows with equal times', async () => {
  // Few different times, so that most rows share theirs with others.
  const times = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 });
  const cases = fc.asyncProperty(times, fc.constantFrom(...ORDERS), fc.integer({ min: 1, max: 4 }), turnPages);
  await fc.assert(cases, { numRuns: 60 });
});

async function turnPages(times: readonly number[], order: (typeof ORDERS)[number], limit: number): Promise<void> {
  await rows.deleteMany({});
  await rows.insertMany(times.map((at, number) => ({ _id: String(number).padStart(3, '0'), at })));
  const whole = await rows.find().sort(order).toArray();
  const read: unknown[] = [];
  for (let after: PageMark | null = null; ;) {
    const found: Row[] = await rows
      .find(rowsAfter(after, order))
      .sort(order)
      .limit(limit + 1)
      .toArray();
    const page: Page<Row> = pageOf(found, limit, ({ at, _id }) => ({ at, id: _id }));
    read.push(...page.items);
    if (page.next === null) break;
    after = page.next;
  }
  expect(read).toEqual(whole);
}
