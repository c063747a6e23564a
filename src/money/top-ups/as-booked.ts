import { currencyOf, kindOfAccount } from '../ledger/accounts.ts';
import type { Entry } from '../ledger/entries.ts';
import { creditFactOf, suspenseFactOf } from '../suspense/suspense.ts';
import type { Verdict } from './judge-payment.ts';
import type { TopUp } from './top-up.ts';

/** The facts under which the first payment of a top-up is booked: one of them at most. */
export function bookingFactsOf({ id }: Pick<TopUp, 'id'>): readonly [credit: string, suspense: string] {
  return [creditFactOf(id), suspenseFactOf(id)];
}

/**
 * The verdict about a top-up that is not settled but may be booked: an earlier release booked before it ended the top-up, and
 * a process may have died in between. What is booked decides, also if the gateway now names another payment, or no payment.
 * @param booked the entry under one of `bookingFactsOf`; undefined if there is none
 */
export function asBooked(
  { paymentId }: Pick<TopUp, 'paymentId'>,
  verdict: Verdict,
  booked: Entry | undefined,
): Verdict {
  if (booked === undefined) return verdict;
  if (booked.kind === 'top_up') return { is: 'credit', paymentId };
  const arrived = booked.postings.find(({ account }) => kindOfAccount(account) === 'suspense');
  if (arrived === undefined) throw new Error(`the entry ${booked.key} does not book suspense`);
  return { is: 'suspend', paymentId, amount: arrived.amount, currency: currencyOf(booked.book) };
}
