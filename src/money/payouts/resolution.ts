import { changesOf, type AuditChange } from '../../domain/audit.ts';
import type { StaffId } from '../../domain/ids.ts';
import { moveOutgoing, type Booking, type Outgoing, type OutgoingVerb } from './outgoing.ts';

/** What a person can find out about money that a gateway was told to send. */
export const OUTCOME_NAMES = ['paid', 'failed'] as const;
type Outcome = (typeof OUTCOME_NAMES)[number];
export type Resolution = { readonly outcome: Outcome; readonly reason: string };

/** The move that follows from each outcome. */
const VERBS: Readonly<Record<Outcome, OutgoingVerb>> = { paid: 'pay', failed: 'fail' };

/**
 * The money after a person has ended it, with what that books and changes. The server never asks the gateway about it
 * afterwards. Null unless it waits for a person: in another state the gateway may still send it.
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
  if (before.state !== 'needs_action') return null;
  const moved = moveOutgoing({ ...before, reason, resolvedBy }, VERBS[outcome], now);
  if (moved === null) return null;
  const changes = changesOf({ status: before.state, reason: before.reason }, { status: moved.next.state, reason });
  return { ...moved, changes };
}
