import { z } from 'zod';
import type { Amount } from '../../../money/amount.ts';
import { availableOf, type Balance } from '../../../money/ledger/decide.ts';
import { PAYER } from '../billing/payer.ts';

/** Whose wallet staff ask about. Vendors leave it out. */
export const BalanceQuery = z.strictObject({
  ...PAYER,
  live_mode: PAYER.live_mode.describe('For staff: the mode of the wallet, by default true'),
});

const amount = z.number().int().min(0);

export const BalanceView = z.strictObject({
  object: z.literal('wallet_balance').describe('The kind of object'),
  currency: z.string().length(3).describe('ISO 4217 code of the currency of all amounts'),
  available: amount.describe('The money that may be spent now, minor units'),
  held: amount.describe('The money that is reserved for open deliveries, minor units'),
  owed: amount.describe(
    'The part of charges that exceeded the money reserved for them, minor units. The next money in the wallet pays it ' +
      'first. Until then no money can be reserved',
  ),
  pending: amount.describe(
    'Top-ups that payers have paid and that their payment gateway has not confirmed, minor units. They cannot be spent yet',
  ),
  frozen: z.boolean().describe('True while the wallet refuses new deliveries. Open ones go on and are charged'),
  live_mode: z.boolean().describe('The mode. Test money and live money never mix'),
});

/** The balance of a wallet as its vendor sees it. `pending` is not part of the other amounts. */
export function presentBalance(
  balance: Balance,
  pending: Amount,
  currency: string,
  liveMode: boolean,
): z.output<typeof BalanceView> {
  const { held, owed, isFrozen } = balance;
  const amounts = { available: Math.max(0, availableOf(balance)), held, owed, pending, frozen: isFrozen };
  return { object: 'wallet_balance', currency, ...amounts, live_mode: liveMode };
}
