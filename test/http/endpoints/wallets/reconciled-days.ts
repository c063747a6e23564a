import type { Day } from '../../../../src/dispatch/reconcile/day.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { amountOf } from '../../../../src/money/amount.ts';
import type { ListedPayment, Reconciliation } from '../../../../src/money/reconcile/reconciliation.ts';
import type { Gateway, ListedPage } from '../../../../src/ports/money/gateways.ts';
import { aSandboxPayment, aTopUp } from '../../../money/top-ups/a-top-up.ts';
import { openHouse } from '../../house.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** A house with days of the sandbox, on which payments are made and top-ups credited. */
export async function openDays(name: string) {
  const house = await openHouse(name);
  const { ctx } = house;
  const sandbox = ctx.gateways.find(({ name }) => name === 'sandbox') as Gateway;
  /** Each test has a day of its own, long ago. */
  let days = 0;
  function aDay(): Day {
    days += 1;
    return { gateway: sandbox, liveMode: false, from: (10_000 + 10 * days) * DAY_MS, subject: 'payments' };
  }

  /** A payment of the sandbox that was begun on the day, after this time. */
  async function paidAt(day: Day, sinceMs: number, amount = 1000, reference: string = newId('top')) {
    const money = { amount: amountOf(amount), currency: 'EUR' };
    await ctx.sandbox.add(aSandboxPayment({ reference, ...money, createdAt: day.from + sinceMs }));
    await ctx.sandbox.resolve(reference, { status: 'paid', paid: money }, { count: 0, dueAt: 0 });
    return reference;
  }

  /** A top-up of the day, made by us after this time. It is settled once its payment is there. */
  async function toppedUp(day: Day, sinceMs: number, over: Partial<ReturnType<typeof aTopUp>> = {}) {
    const createdAt = day.from + sinceMs;
    const topUp = aTopUp({ createdAt, expiresAt: createdAt, checkout: { url: '', gatewayId: '' }, ...over });
    await ctx.topUps.add(topUp, 1);
    return topUp;
  }

  const credit = ({ id, vendorId, amount }: ReturnType<typeof aTopUp>) =>
    ctx.ledger.post(
      {
        do: 'post',
        entry: {
          key: `top_up:${id}`,
          kind: 'top_up',
          book: 'test.EUR',
          vendorId,
          postings: [
            { account: 'clearing::test.EUR', amount: amountOf(0 - amount) },
            { account: `wallet:${vendorId}:test.EUR`, amount },
          ],
          about: id,
          reason: null,
        },
      },
      null,
    );

  /** A credited top-up of the day. */
  async function credited(day: Day, sinceMs: number) {
    const topUp = await toppedUp(day, sinceMs);
    await credit(topUp);
    await ctx.topUps.end(topUp.id, { state: 'succeeded', reason: null, isFinal: true });
    return topUp;
  }

  const shown = ({ matched, unmatched }: Reconciliation) => ({
    matched,
    unmatched: unmatched.map(({ side, why, topUpId }) => [side, why, topUpId]),
  });

  /** The sandbox with another list of payments. */
  const listing = (pageOf: (after: string | null) => ListedPage<ListedPayment>): Gateway => ({
    ...sandbox,
    payments: { list: async (_span, after) => pageOf(after) },
  });

  return { house, ctx, sandbox, aDay, paidAt, toppedUp, credited, shown, listing };
}
