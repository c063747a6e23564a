import { expect, test } from 'vitest';
import { amountOf } from '../../../../src/money/amount.ts';
import { makePayouts } from '../../../../src/money/payouts/make-payouts.ts';
import { adjustEarnings } from '../../../../src/money/wallets/adjust-earnings.ts';
import { openPayees } from './payees.ts';

const { ctx, batchOf, earned, earnerOf } = await openPayees('moving-earnings');

test('[J396] a courier whose earnings shrink while a batch is made is paid what is left, with this batch', async () => {
  const [currency, amount] = ['CHF', amountOf(-100)];
  const courierId = await earnerOf(currency, '00');
  const batch = await batchOf(currency);
  const takenAfterRead = async (...read: Parameters<typeof ctx.earnings.balances>) => {
    const balances = await ctx.earnings.balances(...read);
    await adjustEarnings(ctx, { courierId, currency, amount, reason: 'paid twice', reference: 'back' });
    return balances;
  };
  await makePayouts({ ...ctx, earnings: { ...ctx.earnings, balances: takenAfterRead } }, batch);
  await makePayouts(ctx, await batchOf(currency));
  const { items } = await ctx.payouts.list({ courierId }, { limit: 2, after: null });
  expect(items).toMatchObject([{ amount: 800, batchId: batch.id }]);
  expect(await earned(courierId, currency)).toBe(0);
  expect(await batchOf(currency)).toMatchObject({ state: 'made', payouts: 1, amount: 800 });
});
