import type { AuditActor } from '../../domain/audit.ts';
import type { DeliveryId, DisputeId, ProofId, VendorId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';

export const DISPUTE_STATES = ['open', 'in_review', 'accepted', 'rejected', 'withdrawn'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** The states in which the reserve has the disputed amount. */
export const OPEN_DISPUTES = ['open', 'in_review'] as const satisfies readonly DisputeState[];

/** The moves of a dispute, and what each books. No other code changes its state. */
// One row per line: this is a table.
// oxfmt-ignore
const MOVES = {
  review:   { from: ['open'],      to: 'in_review', books: null },
  accept:   { from: OPEN_DISPUTES, to: 'accepted',  books: 'refund' },
  reject:   { from: OPEN_DISPUTES, to: 'rejected',  books: 'release' },
  withdraw: { from: OPEN_DISPUTES, to: 'withdrawn', books: 'release' },
} as const satisfies Record<string, { from: readonly DisputeState[]; to: DisputeState; books: DisputeBooking | null }>;
export type DisputeVerb = keyof typeof MOVES;

/** The way of the reserved money: all of it back to the revenue, or a refund to the vendor and the rest back. */
type DisputeBooking = 'release' | 'refund';

/** The reasons for which a vendor disputes a charge. */
export const DISPUTE_REASONS = [
  'never_delivered',
  'arrived_late',
  'delivered_early',
  'delivered_to_wrong_address',
  'missing_or_incorrect_items',
  'damaged_items',
  'poor_delivery_experience',
  'overcharge',
  'wait_fee',
  'cancellation_fee',
  'return_fee',
  'other',
] as const;
export type DisputeReason = (typeof DISPUTE_REASONS)[number];

/** The side on which the cause of a decided dispute lies. */
export const FAULT_PARTIES = ['vendor', 'recipient', 'courier', 'platform', 'unknown'] as const;
export type FaultParty = (typeof FAULT_PARTIES)[number];

/** A vendor’s dispute of the charge of one delivery. Amounts are minor units, `*At` fields service time in ms. */
export type Dispute = {
  readonly id: DisputeId;
  readonly deliveryId: DeliveryId;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly currency: string;
  /** The amount that the vendor wants back. The reserve has it while the dispute is open. */
  readonly amount: Amount;
  readonly reason: DisputeReason;
  readonly description: string;
  /** Proofs of the delivery on which the vendor relies. */
  readonly proofIds: readonly ProofId[];
  readonly state: DisputeState;
  /** What the vendor got back of the amount; null unless it was accepted. */
  readonly refunded: Amount | null;
  readonly partyAtFault: FaultParty | null;
  /** The words of the decision to the vendor; null before. */
  readonly note: string | null;
  /** The one who reviews it or has decided; null before. */
  readonly handledBy: AuditActor | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
};

/** Says whether the verb leads from the state of the dispute. */
export function mayMoveDispute({ state }: Pick<Dispute, 'state'>, verb: DisputeVerb): boolean {
  const from: readonly DisputeState[] = MOVES[verb].from;
  return from.includes(state);
}

/** A dispute after a verb, and what the move books. */
export type DisputeStep = { readonly dispute: Dispute; readonly books: DisputeBooking | null };

/** The next step of a dispute. Null if the verb does not lead from its state. */
export function moveDispute(
  dispute: Dispute,
  verb: DisputeVerb,
  now: number,
  sets: Partial<Pick<Dispute, 'refunded' | 'partyAtFault' | 'note' | 'handledBy'>> = {},
): DisputeStep | null {
  if (!mayMoveDispute(dispute, verb)) return null;
  const { to, books } = MOVES[verb];
  return { dispute: { ...dispute, ...sets, state: to, updatedAt: now, version: dispute.version + 1 }, books };
}
