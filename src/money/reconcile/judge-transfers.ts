import type { PayoutId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import type { Entry } from '../ledger/entries.ts';
import { factOf } from '../payouts/book-payout.ts';
import type { Payout } from '../payouts/payout.ts';
import type { Transfer } from '../payouts/transfer.ts';
import { isAsBooked, type Unmatched } from './reconciliation.ts';

/** A transfer that a gateway says it has carried out. Times are service time in ms. */
export type ListedTransfer = {
  /** The gateway's own name of the transfer. */
  readonly gatewayId: string;
  /** The payout that it names; null if it names none of ours. */
  readonly payoutId: PayoutId | null;
  /** Null if the gateway says a part of a minor unit, which cannot be booked. */
  readonly amount: Amount | null;
  readonly currency: string;
  /** When the transfer was made at the gateway. */
  readonly createdAt: number;
};

/** The facts that book the end of a payout: its money has left, or it came back. */
export function endsOf(payoutId: PayoutId): readonly string[] {
  return [factOf('payout_paid', payoutId), factOf('payout_return', payoutId)];
}

/** Finds transfers that the ledger does not have as paid, or that it has otherwise. The entries are the ends of their payouts. */
export function judgeTransfers(
  transfers: readonly ListedTransfer[],
  entries: readonly Entry[],
  liveMode: boolean,
): readonly (Unmatched | null)[] {
  const booked = new Map(entries.map((entry) => [entry.key, entry]));
  return transfers.map(({ gatewayId, payoutId, amount, currency }) => {
    const entry = payoutId === null ? undefined : paidWith(booked, payoutId);
    const of = { topUpId: null, payoutId, gatewayId, amount, currency };
    if (entry === undefined) return { side: 'theirs', why: 'not_booked', ...of };
    return isAsBooked(entry, of, liveMode) ? null : { side: 'theirs', why: 'amount_differs', ...of };
  });
}

/** A paid payout whose transfer the gateway does not list, judged by what the gateway says about it; null if that is paid too. */
export function judgeUnlisted(
  { id: payoutId, amount, currency }: Pick<Payout, 'id' | 'amount' | 'currency'>,
  transfer: Transfer | 'absent',
): Unmatched | null {
  if (transfer !== 'absent' && transfer.status === 'success') return null;
  return { side: 'ours', why: 'not_listed', topUpId: null, payoutId, gatewayId: null, amount, currency };
}

/** The entry that took the money of a payout out of the house; none if it came back. */
function paidWith(booked: ReadonlyMap<string, Entry>, payoutId: PayoutId): Entry | undefined {
  return booked.has(factOf('payout_return', payoutId)) ? undefined : booked.get(factOf('payout_paid', payoutId));
}
