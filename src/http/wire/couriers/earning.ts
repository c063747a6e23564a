import { z } from 'zod';
import { idSchema, isId } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import type { EarningKind } from '../../../money/ledger/entries.ts';
import { isLive, type Book } from '../../../money/ledger/accounts.ts';
import type { Earning } from '../../../ports/money/earnings.ts';
import { listOf, pageQuery } from '../../lists.ts';
import { DateRange, DATES_BEGIN } from '../date-range.ts';
import { BankAccountView } from './bank-account.ts';

/** The kinds of entries by the names that couriers read. A courier earns the same if the platform pays for the delivery. */
const EARNING_TYPES = {
  charge: 'delivery',
  platform_charge: 'delivery',
  adjustment: 'adjustment',
  payout: 'payout',
  payout_return: 'payout_return',
} as const satisfies Record<EarningKind, string>;

export const EarningQuery = z.strictObject({
  ...pageQuery,
  date_range: DateRange.exactOptional().describe(
    `Half-open range of the time of the entry, from/to, at most 92 days. ${DATES_BEGIN}`,
  ),
});

const amount = z.number().int();

export const EarningView = z.strictObject({
  id: idSchema('txn').describe('The id of the entry in the ledger'),
  object: z.literal('earning').describe('The kind of object'),
  type: z.enum([...new Set(Object.values(EARNING_TYPES))]).describe('The reason why the earnings changed'),
  currency: z.string().describe('ISO 4217 code of all amounts'),
  amount: amount.describe(
    'The change of the earnings, minor units: `pay` and `tip` of a delivery. Below 0 for a payout, and for an adjustment that takes money back',
  ),
  pay: amount.describe('The part for the work, minor units'),
  tip: amount.describe('The part that is a tip, minor units'),
  balance_after: amount.describe('The earnings in this currency after it, minor units'),
  delivery_id: idSchema('del').nullable().describe('The delivery; null for an entry about none'),
  payout_id: idSchema('pay').nullable().describe('The payout; null for an entry about none'),
  reason: z.string().nullable().describe('Why an adjustment was made; null for any other entry'),
  created_at: z.iso.datetime().describe('When it was booked, UTC'),
});

export const EarningsView = listOf(EarningView).extend({
  balances: z
    .array(
      z.strictObject({
        currency: z.string().describe('ISO 4217 code'),
        available: amount.min(0).describe('The earnings that were not paid out, minor units'),
      }),
    )
    .max(100)
    .describe('The earnings of the courier now, for each currency'),
  bank_account: BankAccountView.nullable().describe('The account to which they are paid; null if none is set'),
});

/** An entry as its courier sees it. */
export function presentEarning({
  id,
  kind,
  book,
  at,
  about,
  reason,
  ...earning
}: Earning): z.output<typeof EarningView> {
  return {
    id,
    object: 'earning',
    type: EARNING_TYPES[kind],
    currency: currencyOf(book),
    amount: earning.amount,
    pay: earning.amount - earning.tip,
    tip: earning.tip,
    balance_after: earning.balance,
    delivery_id: isId('del', about) ? about : null,
    payout_id: isId('pay', about) ? about : null,
    reason,
    created_at: isoTime(at),
  };
}

/** The earnings in each currency. A courier has only one mode. */
export function presentBalances(
  balances: readonly { readonly book: Book; readonly amount: number }[],
): z.output<typeof EarningsView>['balances'] {
  return balances.map(({ book, amount: available }) => ({ currency: currencyOf(book), available }));
}

function currencyOf(book: Book): string {
  return book.slice(isLive(book) ? 'live.'.length : 'test.'.length);
}
