import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/money/amount.ts';
import { listUnpaid } from '../../../src/money/payouts/list-unpaid.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aBankAccount } from './a-payout.ts';

test('[J403] the earnings that no batch pays are read in pages, and 100 of them are named', async () => {
  const all = Array.from({ length: 2500 }, () => newId('cou')).toSorted();
  const paid = new Set(all.slice(0, 1200));
  let reads = 0;
  const unpaid = await listUnpaid(
    {
      earnings: {
        listAtLeast: async ({ after }, limit) => {
          reads += 1;
          const begin = after === null ? 0 : all.indexOf(after.courierId) + 1;
          const page = all.slice(begin, begin + limit);
          return page.map((courierId) => ({ courierId, book: 'test.EUR', amount: amountOf(900) }));
        },
      },
      bankAccounts: {
        findMany: async (ids) => ids.filter((id) => paid.has(id)).map((id) => aBankAccount(id)),
      },
      couriers: { findMany: async () => [] },
      settings: defaultSettings(),
    },
    false,
  );
  expect(unpaid.map(({ courierId }) => courierId)).toEqual(all.slice(1200, 1300));
  expect(reads).toBe(2);
});
