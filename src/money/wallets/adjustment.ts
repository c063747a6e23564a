import type { AdjustmentId, StaffId, VendorId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import { bookOf, platformAccount, vendorAccount, type AccountId } from '../ledger/accounts.ts';
import type { Command } from '../ledger/decide.ts';
import { move, type Entry } from '../ledger/entries.ts';

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

/** The command that books an adjustment of an account. Its owner sees it with its reason. */
export function bookAdjustment(
  account: AccountId,
  { amount, ...entry }: Pick<Entry, 'key' | 'book' | 'vendorId' | 'about' | 'reason'> & { readonly amount: Amount },
): Command {
  const postings = move(amount, platformAccount('adjustment', entry.book), account);
  return { do: 'post', entry: { ...entry, kind: 'adjustment', postings } };
}

function bookWallet({ id, vendorId, liveMode, currency, amount, reason }: Adjustment): Command {
  const book = bookOf(liveMode, currency);
  const entry = { key: `adjustment:${id}`, book, vendorId, about: vendorId, amount, reason };
  return bookAdjustment(vendorAccount('wallet', vendorId, book), entry);
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
  return { next, command: decision === 'approve' ? bookWallet(before) : null };
}
