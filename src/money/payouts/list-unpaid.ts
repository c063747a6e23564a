import type { Context } from '../../ports/context.ts';
import type { BankAccountStore, CourierStore } from '../../ports/couriers.ts';
import type { EarningStore, Earnings } from '../../ports/money/earnings.ts';
import { currencyOf } from '../ledger/accounts.ts';
import type { Payout } from './payout.ts';

export type UnpaidNeeds = Pick<Context, 'settings'> & {
  readonly bankAccounts: Pick<BankAccountStore, 'findMany'>;
  readonly couriers: Pick<CourierStore, 'findMany'>;
  readonly earnings: Pick<EarningStore, 'listAtLeast'>;
};

/** Earnings that no batch pays. The courier has a bank account in another currency, or none, and then its currency is null. */
export type Unpaid = Pick<Payout, 'courierId' | 'currency' | 'amount'> & { readonly accountCurrency: string | null };

/** How many earnings that no batch pays are named. */
export const MOST_UNPAID = 100;
/** Earnings of one read. */
const PAGE = 1000;

/** Lists the earnings of a mode that no batch pays, in the order of their couriers and at most `MOST_UNPAID`. Robo-couriers need no pay. */
export async function listUnpaid(ctx: UnpaidNeeds, liveMode: boolean): Promise<readonly Unpaid[]> {
  const amount = ctx.settings.payouts.minAmount;
  const unpaid: Unpaid[] = [];
  let after: Earnings | null = null;
  do {
    const page: readonly Earnings[] = await ctx.earnings.listAtLeast({ liveMode, amount, after }, PAGE);
    unpaid.push(...(await unpaidOf(ctx, page)));
    after = page.length < PAGE ? null : (page.at(-1) ?? null);
  } while (after !== null && unpaid.length < MOST_UNPAID);
  return unpaid.slice(0, MOST_UNPAID);
}

async function unpaidOf({ bankAccounts, couriers }: UnpaidNeeds, page: readonly Earnings[]): Promise<Unpaid[]> {
  const ids = [...new Set(page.map(({ courierId }) => courierId))];
  const accounts = new Map((await bankAccounts.findMany(ids)).map(({ courierId, currency }) => [courierId, currency]));
  const unpaid = page
    .map(({ courierId, book, amount }) => ({
      courierId,
      currency: currencyOf(book),
      amount,
      accountCurrency: accounts.get(courierId) ?? null,
    }))
    .filter(({ currency, accountCurrency }) => currency !== accountCurrency);
  const named = await couriers.findMany(unpaid.map(({ courierId }) => courierId));
  const robos = new Set(named.filter(({ kind }) => kind === 'robo').map(({ id }) => id));
  return unpaid.filter(({ courierId }) => !robos.has(courierId));
}
