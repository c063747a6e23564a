import type { StaffId, SuspenseId, TopUpId, VendorId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import { bookOf, platformAccount, vendorAccount } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import { move, type Entry } from '../ledger/entries.ts';
import type { GatewayName } from '../gateways.ts';

export const SUSPENSE_STATES = ['open', 'awaiting_approval', 'credited', 'returned'] as const;
export type SuspenseState = (typeof SUSPENSE_STATES)[number];
/** Into the wallet of the vendor, or back to the payer through the gateway. */
export const SUSPENSE_DECISIONS = ['credit', 'return'] as const;
export type SuspenseDecision = (typeof SUSPENSE_DECISIONS)[number];

/** Money that arrived and that belongs to nobody until finance decides about it. `*At` fields are service time in ms. */
export type Suspense = {
  readonly id: SuspenseId;
  readonly gateway: GatewayName;
  /** The top-up that was paid for. */
  readonly topUpId: TopUpId;
  /** The gateway's own id of a further payment for the top-up. Absent for the payment that differs from it. */
  readonly paymentId?: string;
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly currency: string;
  readonly amount: Amount;
  readonly state: SuspenseState;
  /** Null until somebody has decided. */
  readonly decision: SuspenseDecision | null;
  readonly reason: string | null;
  readonly decidedBy: StaffId | null;
  /** The second person, for an amount above the limit; null for none. */
  readonly approvedBy: StaffId | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** When the server complains next that nobody has decided, or approved the decision; null once the money has left. */
  readonly dueAt: number | null;
  /** Rises by one with each change. */
  readonly version: number;
};

const ENDS = { credit: 'credited', return: 'returned' } as const satisfies Record<SuspenseDecision, SuspenseState>;

/** The name of a payment in the ledger: its top-up, and for a further payment also the gateway's own id of it. */
export type PaymentName = TopUpId | `${TopUpId}:${string}`;

/** The name of the payment of a top-up, or of a further one. */
export function nameOfPayment(topUpId: TopUpId, furtherId?: string): PaymentName {
  return furtherId === undefined ? topUpId : `${topUpId}:${furtherId}`;
}

/** The fact that credits the payment of a top-up to its wallet. */
export function creditFactOf(name: PaymentName): string {
  return `top_up:${name}`;
}

/** The fact that books the money of a payment as suspense. */
export function suspenseFactOf(name: PaymentName): string {
  return `suspense:${name}`;
}

/** The top-up of a payment. */
type PaidTopUp = Pick<Suspense, 'gateway' | 'vendorId' | 'liveMode'> & { readonly id: TopUpId };

/**
 * The money of a payment that differs from its top-up, or of a further one.
 * @param alertMs how long finance has to decide before the server complains
 */
export function suspenseOf(
  { id: topUpId, gateway, vendorId, liveMode }: PaidTopUp,
  arrived: Pick<Suspense, 'id' | 'amount' | 'currency' | 'createdAt' | 'paymentId'>,
  alertMs: number,
): Suspense {
  const nobody = { decision: null, reason: null, decidedBy: null, approvedBy: null } as const;
  const times = { updatedAt: arrived.createdAt, dueAt: arrived.createdAt + alertMs };
  return { ...arrived, gateway, topUpId, vendorId, liveMode, state: 'open', ...nobody, ...times, version: 1 };
}

/** The command that books the money as suspense. The vendor does not see it. A payment is booked once. */
export function bookArrival({ topUpId, paymentId, liveMode, amount, currency }: Suspense): Command {
  const book = bookOf(liveMode, currency);
  const postings = move(amount, platformAccount('clearing', book), platformAccount('suspense', book));
  const key = suspenseFactOf(nameOfPayment(topUpId, paymentId));
  return { do: 'post', entry: { key, kind: 'suspense', book, vendorId: null, postings, about: topUpId, reason: null } };
}

/** A change of money in suspense, and what it books; null for nothing. */
export type SuspenseStep = { readonly next: Suspense; readonly command: Command | null };

/**
 * The step of somebody who decides. An amount above the limit waits for a second person, who has `alertMs` before the server
 * complains, and another decision may replace it until then. Null if the money has left the suspense.
 */
export function planDecision(
  before: Suspense,
  asked: { readonly decision: SuspenseDecision; readonly reason: string; readonly by: StaffId },
  { limit, alertMs, now }: { readonly limit: number; readonly alertMs: number; readonly now: number },
): SuspenseStep | null {
  if (!isInSuspense(before)) return null;
  const { decision, reason, by: decidedBy } = asked;
  const decided = { ...before, decision, reason, decidedBy, updatedAt: now, version: before.version + 1 };
  return before.amount > limit
    ? { next: { ...decided, state: 'awaiting_approval', dueAt: now + alertMs }, command: null }
    : ended(decided, decision);
}

/** The step of the second person; null if the money does not wait for one. */
export function planApproval(before: Suspense, approvedBy: StaffId, now: number): SuspenseStep | null {
  if (before.state !== 'awaiting_approval' || before.decision === null) return null;
  return ended({ ...before, approvedBy, updatedAt: now, version: before.version + 1 }, before.decision);
}

/** Says whether the money still waits for its end. */
export function isInSuspense({ state }: Pick<Suspense, 'state'>): boolean {
  return state === 'open' || state === 'awaiting_approval';
}

/** Both ends are the same fact, so the money leaves the suspense once. */
function ended(decided: Suspense, decision: SuspenseDecision): SuspenseStep {
  const { id, topUpId, vendorId, liveMode, currency, amount, reason } = decided;
  const book = bookOf(liveMode, currency);
  const isCredit = decision === 'credit';
  const to = isCredit ? vendorAccount('wallet', vendorId, book) : platformAccount('clearing', book);
  const entry: Entry = {
    key: `suspense_end:${id}`,
    kind: isCredit ? 'suspense_credit' : 'suspense_return',
    book,
    vendorId: isCredit ? vendorId : null,
    postings: move(amount, platformAccount('suspense', book), to),
    about: topUpId,
    reason,
  };
  return { next: { ...decided, state: ENDS[decision], dueAt: null }, command: { do: 'post', entry } };
}
