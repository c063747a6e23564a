import type { AuditActor } from '../../domain/audit.ts';
import type { CourierId, PayoutId, StaffId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import type { GatewayName } from '../top-ups/top-up.ts';

export const PAYOUT_STATES = [
  'awaiting_approval',
  'pending',
  'processing',
  'needs_action',
  'paid',
  'failed',
  'reversed',
  'canceled',
] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

/** The moves of a payout, and what each books. No other code changes its state. */
// One row per line: this is a table.
// oxfmt-ignore
const MOVES = {
  approve:   { from: ['awaiting_approval'],                     to: 'pending',      books: null },
  lapse:     { from: ['awaiting_approval'],                     to: 'canceled',     books: 'give_back' }, // nobody approved it in time
  send:      { from: ['pending'],                               to: 'processing',   books: null },        // before the gateway is called
  ask:       { from: ['processing'],                            to: 'needs_action', books: null },        // the gateway waits for a person
  pay:       { from: ['processing', 'needs_action'],            to: 'paid',         books: 'pay_out' },
  fail:      { from: ['pending', 'processing', 'needs_action'], to: 'failed',       books: 'give_back' },
  reverse:   { from: ['processing', 'needs_action'],            to: 'reversed',     books: 'give_back' }, // it was paid and came back before we looked
  take_back: { from: ['paid'],                                  to: 'reversed',     books: 'take_back' },
} as const satisfies Record<string, { from: readonly PayoutState[]; to: PayoutState; books: Booking | null }>;
export type PayoutVerb = keyof typeof MOVES;

/** What moves money: out of the earnings, out of the house, back from the way, and back from the bank. */
export type Booking = 'reserve' | 'pay_out' | 'give_back' | 'take_back';

/** All payouts that were asked for together: those of a mode, a currency and a date. */
export type PayoutBatchId = `${'live' | 'test'}.${string}.${string}`;

/** A batch. Its payouts are made page by page, in the order of the couriers. `*At` fields are service time in ms. */
export type PayoutBatch = {
  readonly id: PayoutBatchId;
  readonly liveMode: boolean;
  readonly currency: string;
  /** A calendar date: `2026-01-31`. */
  readonly date: string;
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
export type Payout = {
  readonly id: PayoutId;
  readonly batchId: PayoutBatchId;
  readonly courierId: CourierId;
  readonly liveMode: boolean;
  readonly currency: string;
  readonly amount: Amount;
  /** The gateway that carries it out. */
  readonly gateway: GatewayName;
  readonly state: PayoutState;
  /** The account as it was when the payout was made, encrypted. */
  readonly sealedDetails: string;
  readonly last4: string;
  readonly requestedBy: AuditActor;
  /** The second person, for a payout above the limit; null for none. */
  readonly approvedBy: StaffId | null;
  /** The person who ended it, if it waited for one. The gateway is not asked about it any more. */
  readonly resolvedBy?: StaffId;
  /** Why it failed, came back or needs a person; null otherwise. */
  readonly reason: string | null;
  /** How often the gateway was asked since the last change of the state. */
  readonly looks: number;
  /** How often the present look brought nothing: no answer, or one that could not be written. Absent for never. */
  readonly failures?: number;
  /** When the server looks at it next; null for never. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly version: number;
};

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** How long after each look the gateway is asked again while a transfer is open. The last one repeats. */
const OPEN_LOOKS_MS = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS] as const;
/** When a paid transfer is looked at again. A bank may send money back days later. */
const PAID_LOOKS_MS = [MINUTE_MS, HOUR_MS, 24 * HOUR_MS, 72 * HOUR_MS] as const;

/** The id of the batch of a mode, a currency and a date. */
export function batchIdOf(liveMode: boolean, currency: string, date: string): PayoutBatchId {
  return `${liveMode ? 'live' : 'test'}.${currency}.${date}`;
}

/** Says whether the verb leads from the state of the payout. */
export function mayMovePayout({ state }: Pick<Payout, 'state'>, verb: PayoutVerb): boolean {
  const from: readonly PayoutState[] = MOVES[verb].from;
  return from.includes(state);
}

/** The payout after the verb, and what the move books. Null if the verb does not lead from its state. */
export function movePayout(
  payout: Payout,
  verb: PayoutVerb,
  now: number,
  sets: Partial<Pick<Payout, 'approvedBy' | 'reason' | 'resolvedBy'>> = {},
): { readonly payout: Payout; readonly books: Booking | null } | null {
  if (!mayMovePayout(payout, verb)) return null;
  const { to, books } = MOVES[verb];
  const { failures: _forgotten, ...rest } = payout;
  const moved = { ...rest, ...sets, state: to, looks: 0, updatedAt: now, version: payout.version + 1 };
  return { payout: { ...moved, dueAt: dueAfter(moved, now) }, books };
}

/** The payout after a look at the gateway that changed nothing. */
export function lookedAt({ failures: _forgotten, ...payout }: Payout, now: number): Payout {
  const looked = { ...payout, looks: payout.looks + 1, version: payout.version + 1 };
  return { ...looked, dueAt: dueAfter(looked, now) };
}

/** The payout after a look that brought nothing. The look is not counted and is made again at `dueAt`, service time in ms. */
export function putOff(payout: Payout, dueAt: number): Payout {
  return { ...payout, failures: (payout.failures ?? 0) + 1, dueAt, version: payout.version + 1 };
}

function dueAfter(
  { state, looks, resolvedBy }: Pick<Payout, 'state' | 'looks' | 'resolvedBy'>,
  now: number,
): number | null {
  if (resolvedBy !== undefined) return null;
  switch (state) {
    case 'pending':
      return looks === 0 ? now : now + (OPEN_LOOKS_MS[looks] ?? HOUR_MS);
    // The birth sets the deadline of an approval. Only a lapse that could not be written comes here.
    case 'awaiting_approval':
    case 'processing':
    case 'needs_action':
      return now + (OPEN_LOOKS_MS[looks] ?? HOUR_MS);
    case 'paid': {
      const waitMs = PAID_LOOKS_MS[looks];
      return waitMs === undefined ? null : now + waitMs;
    }
    case 'failed':
    case 'reversed':
    case 'canceled':
      return null;
  }
}
