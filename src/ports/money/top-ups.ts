/** Top-ups, as stored. */
import type { TopUpId, VendorId } from '../../domain/ids.ts';
import type { Amount } from '../../money/amount.ts';
import type { Chargeback } from '../../money/top-ups/chargeback.ts';
import type { GatewayMode, GatewayName } from '../../money/gateways.ts';
import type { Command } from '../../money/ledger/decide.ts';
import type { Suspense } from '../../money/suspense/suspense.ts';
import type { TopUp, TopUpReason, TopUpState } from '../../money/top-ups/top-up.ts';
import type { Page, PageRequest } from '../pages.ts';
import type { OpenCheckout } from './gateways.ts';

/** The end of a top-up. Unless it is final, somebody looks at the gateway again later. */
export type TopUpEnd = {
  readonly state: Exclude<TopUpState, 'pending'>;
  readonly reason: TopUpReason | null;
  readonly isFinal: boolean;
  /** The gateway's own id of the payment that was booked; absent for none. */
  readonly paymentId?: string | undefined;
  /** The money that this end books; absent for none, or if it is booked already. */
  readonly arrived?: Arrived | undefined;
};

/** Money of a payment, as it is booked. One that differs from its top-up is also a row of suspense; null otherwise. */
export type Arrived = { readonly command: Command; readonly suspense: Suspense | null };

/** Filters of the list of top-ups; a missing one means all. */
export type TopUpFilter = {
  readonly vendorId?: VendorId;
  readonly liveMode?: boolean;
  readonly state?: TopUpState;
};

/** The gateway, the mode and the half-open time span of a list of paid money. Times are service time in ms. */
export type PaidSpan = Pick<TopUp, 'gateway' | 'liveMode'> & { readonly from: number; readonly to: number };

export type TopUpStore = {
  /**
   * Adds a top-up and returns it. If one with this id is stored, it stays, and is returned. Returns null if the vendor has
   * `most` pending ones in this mode, even if many are added at once.
   */
  add(topUp: TopUp, most: number): Promise<TopUp | null>;
  find(id: TopUpId): Promise<TopUp | null>;
  /** Newest first. */
  list(filter: TopUpFilter, page: PageRequest): Promise<Page<TopUp>>;
  /** Top-ups whose money was booked and that were made in a span, the oldest first. */
  listPaid(of: PaidSpan, page: PageRequest): Promise<Page<TopUp>>;
  /** The `paymentId` of each of these top-ups that has one. */
  paymentIdsOf(ids: readonly TopUpId[]): Promise<ReadonlyMap<TopUpId, string>>;
  /** Stores what the gateway has made, unless a page is stored. Returns the top-up as it is then; null if it is absent. */
  open(id: TopUpId, made: OpenCheckout): Promise<TopUp | null>;
  /** Makes the top-up due for a look at its gateway. Returns false if it is absent, or was settled for ever. */
  report(id: TopUpId, gateway: GatewayName, isPaid: boolean): Promise<boolean>;
  /** Makes a top-up due whose money is booked, because something came later. Returns false if there is none. */
  reportLater(id: TopUpId, gateway: GatewayName): Promise<boolean>;
  /** Notes what the gateway has taken back, and when somebody looks again; null for never. A report in the meantime stays due. */
  noteChargebacks(id: TopUpId, chargebacks: readonly Chargeback[], dueAt: number | null): Promise<void>;
  /**
   * Top-ups of one mode at which somebody must look at this gateway now, longest due first. Each is due again later if nobody
   * settles it.
   */
  claimDue(of: GatewayMode, limit: number): Promise<readonly TopUp[]>;
  /**
   * Ends a top-up, and books the money that has arrived in the same transaction. One whose money is booked stays as it is.
   * Returns false if it stays, or has ended like this before. Then nothing is booked.
   */
  end(id: TopUpId, end: TopUpEnd): Promise<boolean>;
  /** Notes whether the gateway says that the payer has paid. */
  markPaid(id: TopUpId, isPaid: boolean): Promise<void>;
  /** The sum of the pending top-ups in this currency that were paid, minor units. */
  sumPaid(vendorId: VendorId, liveMode: boolean, currency: string): Promise<Amount>;
};

export type TopUpPorts = { readonly topUps: TopUpStore };
