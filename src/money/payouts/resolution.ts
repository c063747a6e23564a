import { changesOf, type AuditChange } from '../../domain/audit.ts';
import type { StaffId } from '../../domain/ids.ts';
import { moveOutgoing, type Booking, type Outgoing, type OutgoingState, type OutgoingVerb } from './outgoing.ts';

/** How a person can end money that waits for them. */
export const OUTCOME_NAMES = ['paid', 'failed'] as const;
type Outcome = (typeof OUTCOME_NAMES)[number];
export type Resolution = { readonly outcome: Outcome; readonly reason: string };

/** The move that follows from each outcome. */
const VERBS: Readonly<Record<Outcome, OutgoingVerb>> = { paid: 'pay', failed: 'fail' };

/** The states in which money waits for a person. In another one the gateway may still send it. */
const WAITING: readonly OutgoingState[] = ['awaiting_approval', 'needs_action'];

/**
 * The money after a person has ended it, with what that books and changes. The server never asks the gateway about it
 * afterwards. Null unless it waits for a person. Money that waits for an approval was not sent, so it can only fail.
 */
export function planResolution<Row extends Outgoing>(
  before: Row,
  { outcome, reason }: Resolution,
  resolvedBy: StaffId,
  now: number,
): {
  readonly next: Row;
  readonly books: Booking | null;
  readonly changes: Readonly<Record<string, AuditChange>>;
} | null {
  if (!WAITING.includes(before.state)) return null;
  const moved = moveOutgoing({ ...before, reason, resolvedBy }, VERBS[outcome], now);
  if (moved === null) return null;
  const changes = changesOf({ status: before.state, reason: before.reason }, { status: moved.next.state, reason });
  return { ...moved, changes };
}
