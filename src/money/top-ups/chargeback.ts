import type { TopUpRefundId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';

/** The card holder disputes the payment, or somebody refunds it at the gateway itself. */
export const CHARGEBACK_CAUSES = ['dispute', 'refund'] as const;
/** `open` may still come back, `final` never does, and `returned` has come back. */
export const CHARGEBACK_STATES = ['open', 'final', 'returned'] as const;
export type ChargebackState = (typeof CHARGEBACK_STATES)[number];

/** Money of a payment that its gateway has taken back from us. Its id is the gateway's own. */
export type Chargeback = {
  readonly id: string;
  readonly cause: (typeof CHARGEBACK_CAUSES)[number];
  readonly state: ChargebackState;
  readonly amount: Amount;
  readonly currency: string;
};

/** A chargeback as its gateway lists it. `names` is the refund of ours that it says it carries out; null for none. */
export type ListedChargeback = Chargeback & { readonly names: TopUpRefundId | null };
