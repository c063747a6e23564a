import type { AdjustmentId, StaffId, VendorId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import { bookOf, platformAccount, vendorAccount } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import { move } from '../ledger/entries.ts';

export const ADJUSTMENT_STATES = ['awaiting_approval', 'booked', 'rejected'] as const;
export type AdjustmentState = (typeof ADJUSTMENT_STATES)[number];

export const ADJUSTMENT_DECISIONS = ['approve', 'reject'] as const;
export type AdjustmentDecision = (typeof ADJUSTMENT_DECISIONS)[number];
/** The state that each decision leads to. */
export const ENDS = { approve: 'booked', reject: 'rejected' } as const satisfies Record<
  AdjustmentDecision,
  AdjustmentState
>;

/** What an adjustment moves between the wallet of a vendor and the platform. */
export type AdjustedMoney = {
  readonly vendorId: VendorId;
  readonly liveMode: boolean;
  readonly currency: string;
  /** Minor units: above 0 into the wallet, below 0 out of it. */
  readonly amount: Amount;
  readonly reason: string;
};

/** An adjustment that one member of finance asked for and that a second one books. `*At` fields are service time in ms. */
export type Adjustment = AdjustedMoney & {
  readonly id: AdjustmentId;
  readonly state: AdjustmentState;
  readonly requestedBy: StaffId;
  /** The person who approved or rejected it; null while it waits. */
  readonly decidedBy: StaffId | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Rises by one with each change. */
  readonly version: number;
};

/** The most that one adjustment moves, minor units. */
export const MOST_ADJUSTED = 10 ** 12;

/** The command that books an adjustment. The vendor sees it with its reason. */
export function bookAdjustment({ vendorId, liveMode, currency, amount, reason }: AdjustedMoney, key: string): Command {
  const book = bookOf(liveMode, currency);
  const postings = move(amount, platformAccount('adjustment', book), vendorAccount('wallet', vendorId, book));
  return { do: 'post', entry: { key, kind: 'adjustment', book, vendorId, postings, about: vendorId, reason } };
}

/** The adjustment after a decision, and what the decision books. Null if somebody has decided before. */
export function planDecision(
  before: Adjustment,
  decision: AdjustmentDecision,
  decidedBy: StaffId,
  now: number,
): { readonly next: Adjustment; readonly command: Command | null } | null {
  if (before.state !== 'awaiting_approval') return null;
  const next = { ...before, state: ENDS[decision], decidedBy, updatedAt: now, version: before.version + 1 };
  return { next, command: decision === 'approve' ? bookAdjustment(before, `adjustment:${before.id}`) : null };
}
