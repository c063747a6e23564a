import type { TopUpId, VendorId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import type { GatewayName } from '../gateways.ts';
import type { Chargeback } from './chargeback.ts';

export const TOP_UP_STATES = ['pending', 'succeeded', 'failed', 'expired'] as const;
export type TopUpState = (typeof TOP_UP_STATES)[number];

/** Why a top-up ended without a credit. */
export const TOP_UP_REASONS = ['refused', 'declined', 'not_paid', 'unconfirmed', 'mismatch'] as const;
export type TopUpReason = (typeof TOP_UP_REASONS)[number];

/** Money that a vendor pays into its wallet through a payment gateway. Its id is the reference at the gateway. */
export type TopUp = {
  readonly id: TopUpId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly gateway: GatewayName;
  readonly amount: Amount;
  readonly currency: string;
  /** Where the gateway sends the payer afterwards; null for a page of the gateway. */
  readonly returnUrl: string | null;
  readonly state: TopUpState;
  /** Null while it is pending or if it succeeded. */
  readonly reason: TopUpReason | null;
  /** True once the gateway has reported a payment. It is not credited before the gateway confirms it. */
  readonly isPaid: boolean;
  /** The page on which the payer pays, and the gateway's own id; null until the gateway has answered. */
  readonly checkout: Checkout | null;
  /** The gateway's own id of the payment that is booked. Absent until then, or if a page of the gateway takes one payment. */
  readonly paymentId?: string;
  /** What the gateway has taken back of the payment. Absent for nothing. */
  readonly chargebacks?: readonly Chargeback[];
  readonly createdAt: number;
  /** From when the gateway accepts no payment. */
  readonly expiresAt: number;
  /** Null while it is pending. */
  readonly endedAt: number | null;
};

/** The payment that a gateway has made for a top-up. */
export type Checkout = { readonly url: string; readonly gatewayId: string };
