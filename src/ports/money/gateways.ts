/** Payment gateways: other parties, who take the money of payers. */
import type { PayoutId } from '../../domain/ids.ts';
import type { Sending, Transfer, TransferOrder } from '../../money/payouts/transfer.ts';
import type { ListedTransfer } from '../../money/reconcile/judge-transfers.ts';
import type { ListedPayment } from '../../money/reconcile/reconciliation.ts';
import type { ListedChargeback } from '../../money/top-ups/chargeback.ts';
import type { PaidPart, Payment } from '../../money/top-ups/judge-payment.ts';
import type { RefundOrder } from '../../money/top-ups/top-up-refund.ts';
import type { GatewayName } from '../../money/gateways.ts';
import type { Checkout, TopUp } from '../../money/top-ups/top-up.ts';

/** A callback that its gateway has signed. It says which payment to look at, and proves nothing about money. */
export type Callback = {
  readonly reference: string;
  /** True if it reports that the payer has paid. */
  readonly isPaid: boolean;
};

/** The vendor as gateways know it. They send receipts to its e-mail address; null if it has none. */
export type CheckoutPayer = { readonly email: string | null };

/** The headers of a request, with names in lower case. */
export type CallbackHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A gateway. Every call refuses `gateway_unavailable` if the gateway does not answer in time, or cannot answer now. The
 * gateway may have accepted such a request.
 */
export type Gateway = {
  readonly name: GatewayName;
  /** The modes whose payments it takes. */
  readonly modes: readonly ('test' | 'live')[];
  /** Says whether it takes payments in this currency, ISO 4217. */
  takes(currency: string): boolean;
  /**
   * Opens a page on which the payer pays. However often it is opened, only the page that is stored can be paid.
   * Refuses `top_up_refused` if the gateway will never take this payment.
   */
  open(topUp: TopUp, payer: CheckoutPayer): Promise<OpenCheckout>;
  /** Asks the gateway about the payment of a top-up. */
  verify(topUp: TopUp): Promise<Payment>;
  /** Reads a callback. A callback whose signature is wrong is forged. */
  readCallback(body: Buffer, headers: CallbackHeaders): CallbackVerdict;
  /** Money that it takes back; absent if it does not say. */
  readonly chargebacks?: GatewayChargebacks;
  /**
   * All successful payments of a top-up, the oldest first, with the ids that `verify` returns. Those that were refunded since may be
   * missing. Absent if a page takes one payment.
   */
  readonly paymentsOf?: (topUp: TopUp) => Promise<readonly PaidPart[]>;
  /** The payments that it has received; absent if it cannot list them. */
  readonly payments?: GatewayPayments;
  /** Absent if it makes no transfers. */
  readonly transfers?: GatewayTransfers;
  readonly refunds: GatewayRefunds;
};

/** The money that a gateway takes back. Both calls refuse `gateway_unavailable` like those of a gateway. */
export type GatewayChargebacks = {
  /** The reference of a payment that a callback names by the gateway's own id; null if it has none. */
  referenceOf(paymentId: string): Promise<string | null>;
  /**
   * All that it has taken back of the payment of a top-up. Those that we may have asked for name the refund, and no two name the
   * same.
   */
  list(topUp: TopUp): Promise<readonly ListedChargeback[]>;
};

/** The half-open time span and the mode of a list of a gateway. Times are service time in ms. */
export type ListSpan = { readonly liveMode: boolean; readonly from: number; readonly to: number };

/** A page of a list of a gateway. `next` leads to the following one; null at the end. */
export type ListedPage<T> = {
  readonly items: readonly T[];
  readonly next: string | null;
  /** The rows of the page that cannot be read: the name of each there, and what is wrong. Absent for none. */
  readonly unread?: readonly string[];
};

/** The payments that a gateway has received. A call refuses `gateway_unavailable` like those of a gateway. */
export type GatewayPayments = {
  /**
   * Returns a page of the successful payments that were begun in the span.
   * @param after `next` of the page before; null for the first page
   */
  list(span: ListSpan, after: string | null): Promise<ListedPage<ListedPayment>>;
};

/**
 * The transfers of a gateway to bank accounts. Every call refuses `gateway_unavailable` like those of a gateway. If the sending
 * itself does so, the transfer may exist.
 */
export type GatewayTransfers = {
  /** Says whether it makes transfers in this currency, ISO 4217. */
  pays(currency: string): boolean;
  /**
   * Does all that comes before a transfer and moves no money. Returns the sending, which makes the transfer. If the reference is
   * known, the sending changes nothing and returns the known transfer. A transfer that the gateway refuses has failed, with the
   * reason `refused_by_gateway`.
   */
  prepare(order: TransferOrder): Promise<Sending>;
  find(reference: PayoutId): Promise<Transfer | 'absent'>;
  /**
   * Returns a page of the transfers that were made in the span and have succeeded.
   * @param after `next` of the page before; null for the first page
   */
  list(span: ListSpan, after: string | null): Promise<ListedPage<ListedTransfer>>;
};

/**
 * The refunds of payments. Every call refuses `gateway_unavailable` like those of a gateway. If the sending itself does so, the
 * refund may exist.
 */
export type GatewayRefunds = {
  /**
   * Does all that comes before a refund and moves no money. Returns the sending, which refunds a payment or a part of it. If the
   * reference is known, the sending changes nothing and returns the known refund.
   */
  prepare(order: RefundOrder): Promise<Sending>;
  /**
   * Looks for a refund that was sent, or was about to be sent. It is absent only if it may be sent again. A gateway that
   * cannot say so wants a person to look.
   */
  find(order: RefundOrder): Promise<Transfer | 'absent'>;
};

/** A checkout, with the time from which it takes no payment; service time. */
export type OpenCheckout = Checkout & { readonly expiresAt: number };

export type CallbackVerdict =
  | { readonly is: 'about'; readonly callback: Callback }
  /** It reports that money of a payment was taken back or returned. */
  | { readonly is: 'taken_back'; readonly paymentId: string }
  /** The gateway has signed it, and it does not concern a top-up. */
  | { readonly is: 'other' }
  | { readonly is: 'forged' };

/** The gateways that this server is configured for, the preferred one first. */
export type GatewayPorts = { readonly gateways: readonly Gateway[] };
