import type { StaffId } from '../../domain/ids.ts';
import type { Amount } from '../amount.ts';
import type { GatewayName } from '../gateways.ts';

export const OUTGOING_STATES = [
  'awaiting_approval',
  'pending',
  'processing',
  'needs_action',
  'paid',
  'failed',
  'reversed',
  'canceled',
] as const;
export type OutgoingState = (typeof OUTGOING_STATES)[number];

const UNPAID = ['awaiting_approval', 'pending', 'processing', 'needs_action'] as const;

/** The moves of money that leaves, and what each books. No other code changes its state. */
// One row per line: this is a table.
// oxfmt-ignore
const MOVES = {
  approve:   { from: ['awaiting_approval'],                     to: 'pending',      books: null },
  lapse:     { from: ['awaiting_approval'],                     to: 'canceled',     books: 'give_back' }, // nobody approved it in time
  send:      { from: ['pending'],                               to: 'processing',   books: null },        // before the gateway is called
  put_back:  { from: ['processing'],                            to: 'pending',      books: null },        // the gateway did not take the call
  ask:       { from: ['pending', 'processing'],                 to: 'needs_action', books: null },        // a person must act at the gateway, or end it
  pay:       { from: ['processing', 'needs_action'],            to: 'paid',         books: 'pay_out' },
  fail:      { from: UNPAID,                                    to: 'failed',       books: 'give_back' },
  reverse:   { from: ['processing', 'needs_action'],            to: 'reversed',     books: 'give_back' }, // it was paid and came back before we looked
  take_back: { from: ['paid'],                                  to: 'reversed',     books: 'take_back' },
} as const satisfies Record<string, { from: readonly OutgoingState[]; to: OutgoingState; books: Booking | null }>;
export type OutgoingVerb = keyof typeof MOVES;

/** What moves money: out of its account, out of the house, back from the way, and back from outside. */
export type Booking = 'reserve' | 'pay_out' | 'give_back' | 'take_back';

/** Money that leaves through a gateway. Its id is the reference there. `*At` fields are service time in ms. */
export type Outgoing = {
  readonly id: string;
  readonly liveMode: boolean;
  readonly currency: string;
  readonly amount: Amount;
  /** The gateway that carries it out. */
  readonly gateway: GatewayName;
  readonly state: OutgoingState;
  /** The person who ended it, if it waited for one. The gateway is not asked about it any more. */
  readonly resolvedBy?: StaffId;
  /** Why it failed, came back, or needs or needed a person, or what the person who ended it wrote; null otherwise. */
  readonly reason: string | null;
  /** How often the gateway was asked since the last change of the state. */
  readonly looks: number;
  /** How often the present look brought nothing: no answer, or one that could not be written. */
  readonly failures: number;
  /** When the server looks at it next; null for never. */
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Rises by one with each change. */
  readonly version: number;
};

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** How long after each look the gateway is asked again while a transfer is open. The last one repeats. */
const OPEN_LOOKS_MS = [5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS] as const;
/** How long after each look a paid one is looked at again. A bank may send money back weeks later. */
const PAID_LOOKS_MS = [MINUTE_MS, HOUR_MS, DAY_MS, 3 * DAY_MS, 10 * DAY_MS, 31 * DAY_MS] as const;

/** Says whether the verb leads from the state. */
export function mayMove({ state }: Pick<Outgoing, 'state'>, verb: OutgoingVerb): boolean {
  const from: readonly OutgoingState[] = MOVES[verb].from;
  return from.includes(state);
}

/** The money after the verb, and what the move books. Null if the verb does not lead from its state. */
export function moveOutgoing<Row extends Outgoing>(
  row: Row,
  verb: OutgoingVerb,
  now: number,
  sets: Partial<Row> = {},
): { readonly next: Row; readonly books: Booking | null } | null {
  if (!mayMove(row, verb)) return null;
  const { to, books } = MOVES[verb];
  const moved = { ...row, ...sets, state: to, looks: 0, failures: 0, updatedAt: now, version: row.version + 1 };
  return { next: { ...moved, dueAt: dueAfter(moved, now) }, books };
}

/** The money after a look at the gateway that changed nothing. */
export function lookedAt<Row extends Outgoing>(row: Row, now: number): Row {
  const looked = { ...row, looks: row.looks + 1, failures: 0, version: row.version + 1 };
  return { ...looked, dueAt: dueAfter(looked, now) };
}

/** The money after a look that brought nothing. The look is not counted and is made again at `dueAt`, service time in ms. */
export function putOff<Row extends Outgoing>(row: Row, dueAt: number): Row {
  return { ...row, failures: row.failures + 1, dueAt, version: row.version + 1 };
}

function dueAfter(
  { state, looks, resolvedBy }: Pick<Outgoing, 'state' | 'looks' | 'resolvedBy'>,
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
