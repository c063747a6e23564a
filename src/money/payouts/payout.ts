import type { AuditActor } from '../../domain/audit.ts';
import type { CourierId, PayoutId, StaffId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import type { GatewayName } from '../gateways.ts';
import type { Outgoing } from './outgoing.ts';

/** All payouts that were asked for together: those of a mode, a currency and a date. */
export type PayoutBatchId = `${'live' | 'test'}.${string}.${string}`;

/** A batch. Its payouts are made page by page, in the order of the couriers. `*At` fields are service time in ms. */
export type PayoutBatch = {
  readonly id: PayoutBatchId;
  readonly liveMode: boolean;
  readonly currency: string;
  /** A calendar date: `2026-01-31`. */
  readonly date: string;
  /** The gateway that carries out its payouts. Absent in batches that were asked for before it was stored. */
  readonly gateway?: GatewayName;
  /** The one who asked for it. They may approve none of its payouts. */
  readonly requestedBy: AuditActor;
  readonly state: 'making' | 'made';
  /** The last courier who was looked at; null before the first. */
  readonly after: CourierId | null;
  /** The number and the sum of the payouts that were made. */
  readonly payouts: number;
  readonly amount: Amount;
  readonly createdAt: number;
  /** How often the next page could not be made, one time after the other. */
  readonly failures: number;
};

/** Money on its way to the bank account of a courier. The id is the reference of the transfer at the gateway. */
export type Payout = Outgoing & {
  readonly id: PayoutId;
  readonly batchId: PayoutBatchId;
  readonly courierId: CourierId;
  /** The account as it was when the payout was made, encrypted. */
  readonly sealedDetails: string;
  readonly last4: string;
  readonly requestedBy: AuditActor;
  /** The second person, for a payout above the limit or of a suspended courier; null for none. */
  readonly approvedBy: StaffId | null;
};

/** The causes that the server names for a payout that it does not send, or not again. */
export type UnsentCause =
  | 'not_approved'
  | 'bank_account_unreadable'
  | 'bank_account_replaced'
  | typeof COURIER_SUSPENDED;

/** While this is the reason of an approved payout, the approval counts for a suspended courier. */
export const COURIER_SUSPENDED = 'courier_suspended';

/** The id of the batch of a mode, a currency and a date. */
export function batchIdOf(liveMode: boolean, currency: string, date: string): PayoutBatchId {
  return `${liveMode ? 'live' : 'test'}.${currency}.${date}`;
}
