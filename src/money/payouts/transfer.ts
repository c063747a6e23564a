import type { BankDetails } from '../../domain/couriers/bank-account.ts';
import type { PayoutId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';

/** A transfer to a bank account. The reference names it for ever: a gateway carries it out once. */
export type TransferOrder = {
  readonly reference: PayoutId;
  readonly amount: Amount;
  readonly currency: string;
  readonly to: BankDetails;
};

export const TRANSFER_STATUSES = ['pending', 'needs_action', 'success', 'failed', 'reversed'] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** The causes that the server itself names. All others are the own words of a gateway. */
export type OwnCause =
  | 'refused_by_gateway'
  | 'transfer_differs'
  | 'not_seen_at_gateway'
  | 'no_usable_answer'
  | 'never_sent';

/** A transfer or a refund as its gateway reports it. */
export type Transfer = {
  readonly status: TransferStatus;
  readonly amount: number;
  readonly currency: string;
  /** The gateway’s own word for the cause; null for none. */
  readonly reason: string | null;
};

/**
 * Sends what was prepared: the first call of a gateway that may move money. `not_taken` means that the gateway turned the call
 * away because it had too many, so it has done nothing.
 */
export type Sending = () => Promise<Transfer | 'not_taken'>;

/**
 * A refund that may have been sent, and that its gateway does not show. It may appear later. If it were sent again, the payer
 * might get the money twice, so a person must find out.
 */
export function unseenRefund({ amount, currency }: Pick<Transfer, 'amount' | 'currency'>): Transfer {
  return { status: 'needs_action', amount, currency, reason: 'not_seen_at_gateway' satisfies OwnCause };
}

/** A transfer or a refund that its gateway has refused. It does not exist, so it has failed for ever. */
export function refusedTransfer({ amount, currency }: Pick<Transfer, 'amount' | 'currency'>): Transfer {
  return { status: 'failed', amount, currency, reason: 'refused_by_gateway' satisfies OwnCause };
}
