import type { TopUpId } from '../../domain/ids.ts';
import { amountOf, type Amount } from '../amount.ts';
import { bookOf, platformAccount } from '../ledger/accounts.ts';
import { move, type Entry } from '../ledger/entries.ts';

/** What the gateway of a payment keeps of it; null if that is not known. `topUpId` is null if it names no top-up of ours. */
type Kept = { readonly topUpId: TopUpId | null; readonly currency: string; readonly fee: Amount | null };

/** Fees of payments in one currency, minor units. */
export type FeeSum = { readonly currency: string; readonly amount: Amount };

/** The fees of matched payments: a sum for each currency, and the number of payments whose fee is not known. */
export type Fees = { readonly fees: readonly FeeSum[]; readonly feesUnknown: number };

/** The fact that books what a gateway kept of the payment of a top-up. */
export function feeFactOf(topUpId: TopUpId): string {
  return `gateway_fee:${topUpId}`;
}

/** The entries of the fees of these payments. Afterwards, the clearing account has what the gateway still owes us of them. */
export function feeEntries(payments: readonly Kept[], liveMode: boolean): readonly Entry[] {
  return payments.flatMap(({ topUpId, fee, currency }) => {
    if (topUpId === null || fee === null || fee === 0) return [];
    const book = bookOf(liveMode, currency);
    const postings = move(fee, platformAccount('processing_cost', book), platformAccount('clearing', book));
    const key = feeFactOf(topUpId);
    return [{ key, kind: 'gateway_fee', book, vendorId: null, postings, about: topUpId, reason: null } as const];
  });
}

/** The fees with those of more payments. */
export function withFees({ fees, feesUnknown }: Fees, payments: readonly Kept[]): Fees {
  const sums = new Map(fees.map(({ currency, amount }) => [currency, amount]));
  for (const { fee, currency } of payments)
    if (fee !== null) sums.set(currency, amountOf((sums.get(currency) ?? 0) + fee));
  const unknown = payments.filter(({ fee }) => fee === null).length;
  const found = [...sums].map(([currency, amount]) => ({ currency, amount })).filter(({ amount }) => amount !== 0);
  return { fees: found, feesUnknown: feesUnknown + unknown };
}
