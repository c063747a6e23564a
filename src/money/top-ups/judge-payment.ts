import type { Amount } from '../amount.ts';
import type { TopUp, TopUpReason } from './top-up.ts';

/** The answer of a gateway about the payment of a reference. */
export type Payment =
  /** The money has arrived at the gateway. */
  | {
      readonly is: 'paid';
      readonly reference: string;
      /** The gateway's own id of the payment. Absent if a page takes one payment. */
      readonly paymentId?: string;
      readonly amount: Amount;
      readonly currency: string;
    }
  /** The payer has paid, and the money is on its way to the gateway. */
  | { readonly is: 'processing' }
  /** Nobody has paid yet, and somebody still may. */
  | { readonly is: 'open' }
  /** Nobody has paid, and the gateway takes no payment for it any more. */
  | { readonly is: 'closed' }
  /** The gateway has declined the payment or given it up. */
  | { readonly is: 'declined' }
  /** The gateway has no payment with this reference. */
  | { readonly is: 'unknown' };

/** The end of a top-up without a credit. Unless it is final, the gateway is asked again later. */
type Ending = {
  readonly is: 'end';
  readonly state: 'failed' | 'expired';
  readonly reason: TopUpReason;
  readonly isFinal: boolean;
};

/** One of the payments of a top-up at its gateway, which has an own id for it. */
export type PaidPart = { readonly id: string; readonly amount: Amount; readonly currency: string };

/** How long the gateway is asked, service time: about a payment on its way, and about a page that has expired. */
type Patience = { readonly giveUpMs: number; readonly afterExpiryMs: number };

/** The consequence for the top-up. */
export type Verdict =
  | { readonly is: 'credit'; readonly paymentId: string | undefined }
  /** The payment differs from the top-up, so people must decide about its money. */
  | {
      readonly is: 'suspend';
      readonly paymentId: string | undefined;
      readonly amount: Amount;
      readonly currency: string;
    }
  | Ending
  | { readonly is: 'wait'; readonly isPaid: boolean }
  /** The gateway has answered about another reference. Nothing in the answer can be used. */
  | { readonly is: 'distrust' };

/**
 * Judges what a gateway answered about a top-up. Money is credited only if reference, amount and currency agree. A payment
 * that arrives late is credited too, because the payer's money is gone. The clock of the gateway may be behind ours, so a
 * page that has expired by ours is asked about until the gateway says that it is closed.
 */
export function judgePayment(
  topUp: TopUp,
  payment: Payment,
  now: number,
  { giveUpMs, afterExpiryMs }: Patience,
): Verdict {
  const end = (state: Ending['state'], reason: TopUpReason, isFinal = true): Ending => ({
    is: 'end',
    state,
    reason,
    isFinal,
  });
  switch (payment.is) {
    case 'paid': {
      const { reference, paymentId, amount, currency } = payment;
      if (reference !== topUp.id) return { is: 'distrust' };
      return amount === topUp.amount && currency === topUp.currency
        ? { is: 'credit', paymentId }
        : { is: 'suspend', paymentId, amount, currency };
    }
    case 'processing':
      return now < topUp.createdAt + giveUpMs ? { is: 'wait', isPaid: true } : end('expired', 'unconfirmed');
    case 'declined':
      return end('failed', 'declined');
    case 'closed':
      return end('expired', 'not_paid');
    case 'open':
    case 'unknown':
      if (now < topUp.expiresAt) return { is: 'wait', isPaid: false };
      // Nobody has seen a page whose address got lost.
      return end('expired', 'not_paid', topUp.checkout === null || now >= topUp.expiresAt + afterExpiryMs);
  }
}
