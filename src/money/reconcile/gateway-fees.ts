import type { TopUpId } from '../../domain/ids.ts';
import { amountOf, type Amount } from '../amount.ts';
import { bookOf, platformAccount } from '../ledger/accounts.ts';
import { move, type Entry } from '../ledger/entries.ts';
import type { PaymentName } from '../suspense/suspense.ts';

/** What the gateway of a payment keeps of it; null if that is not known. */
type Kept = { readonly currency: string; readonly fee: Amount | null };
/** The same with the names of the payment; both are null if it names no top-up of ours. */
type NamedKept = Kept & { readonly topUpId: TopUpId | null; readonly name: PaymentName | null };

/** Fees of payments in one currency, minor units. */
export type FeeSum = { readonly currency: string; readonly amount: Amount };

/** The fees of matched payments: a sum for each currency, and the number of payments whose fee is not known. */
export type Fees = { readonly fees: readonly FeeSum[]; readonly feesUnknown: number };

/** The fact that books what a gateway kept of a payment. */
export function feeFactOf(name: PaymentName): string {
  return `gateway_fee:${name}`;
}

/** The entries of the fees of these payments. Afterwards, the clearing account has what the gateway still owes us of them. */
export function feeEntries(payments: readonly NamedKept[], liveMode: boolean): readonly Entry[] {
  return payments.flatMap(({ topUpId, name, fee, currency }) => {
    if (topUpId === null || name === null || fee === null || fee === 0) return [];
    const book = bookOf(liveMode, currency);
    const postings = move(fee, platformAccount('processing_cost', book), platformAccount('clearing', book));
    const key = feeFactOf(name);
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
