import { expect, test } from 'vitest';
import { reconcileDay } from '../../../../src/dispatch/reconcile/reconcile-days.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import { HOUR_MS, openDays } from './reconciled-days.ts';

const { ctx, aDay, paidAt, credited, shown, listing } = await openDays('gateway fees');

test('[J293] the fee of a matched payment is booked once, whoever compares its day, and clearing has what we are owed', async () => {
  const day = aDay();
  const topUp = await credited(day, 0);
  await paidAt(day, 0, 1000, topUp.id);
  // Its money is not booked, so its fee is not either.
  await paidAt(day, 1);
  const [first, second] = await Promise.all([reconcileDay(ctx, day, null), reconcileDay(ctx, day, null)]);
  for (const one of [first, second, await reconcileDay(ctx, day, first)])
    expect(one).toMatchObject({ matched: 1, fees: [{ currency: 'EUR', amount: 15 }], feesUnknown: 0 });
  const booked = await ctx.ledger.find([`top_up:${topUp.id}`, `gateway_fee:${topUp.id}`]);
  const amounts = booked.flatMap(({ postings }) => postings.map(({ account, amount }) => [account, amount]));
  expect(amounts).toContainEqual(['processing_cost::test.EUR', -15]);
  const owed = amounts.filter(([account]) => account === 'clearing::test.EUR').map(([, amount]) => Number(amount));
  expect(owed.toSorted((a, b) => a - b)).toEqual([-1000, 15]);
  const posts: unknown[] = [];
  const ledger: typeof ctx.ledger = {
    ...ctx.ledger,
    post: (command, entry) => {
      posts.push(command);
      return ctx.ledger.post(command, entry);
    },
  };
  await reconcileDay({ ...ctx, ledger }, day, first);
  expect(posts).toEqual([]);
});

test('[J293] a fee that differs leaves its payment unmatched, and an unknown one is counted and looked at again', async () => {
  const day = aDay();
  const topUp = await credited(day, 0);
  const paid = { gatewayId: '1', topUpId: topUp.id, amount: topUp.amount, currency: 'EUR', createdAt: day.from };
  const withFee = (fee: number | null) => ({
    ...day,
    gateway: listing(() => ({ items: [{ ...paid, fee: fee === null ? null : amountOf(fee) }], next: null })),
  });
  const unknown = await reconcileDay(ctx, withFee(null), null);
  expect(unknown).toMatchObject({ matched: 1, fees: [], feesUnknown: 1, dueAt: unknown.ranAt + HOUR_MS });
  expect(await ctx.reconciliations.find(unknown.id)).toEqual(unknown);
  expect(await ctx.ledger.find([`gateway_fee:${topUp.id}`])).toEqual([]);
  const known = await reconcileDay(ctx, withFee(29), unknown);
  expect(known).toMatchObject({ matched: 1, fees: [{ currency: 'EUR', amount: 29 }], feesUnknown: 0, dueAt: null });
  const other = await reconcileDay(ctx, withFee(30), known);
  expect(shown(other)).toEqual({ matched: 0, unmatched: [['theirs', 'fee_differs', topUp.id]] });
  expect(other.fees).toEqual([]);
});
