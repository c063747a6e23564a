import type { SandboxPayment } from '../../ports/money/sandbox.ts';
import { modeOf, type DisputeStatus, type Money } from './modes.ts';

/** A callback, and from when it is sent, service time in ms. */
type Notice = { readonly type: string; readonly dueAt: number };
type Dispute = Money & { readonly id: string; readonly status: DisputeStatus };

/** All callbacks of a payment that has a result, in their order: those about the result, and one about each step of a dispute. */
export function noticesOf(payment: SandboxPayment): readonly Notice[] {
  const { amount, status, createdAt, resolvedAt = createdAt } = payment;
  const { callbacks = 1, callbackDelayMs = 0 } = modeOf(amount);
  const type = status === 'paid' ? 'payment.paid' : 'payment.declined';
  const result = Array.from({ length: callbacks }, () => ({ type, dueAt: resolvedAt + callbackDelayMs }));
  return [...result, ...stepsOf(payment).map(({ at }) => ({ type: 'dispute.updated', dueAt: at }))];
}

/** The dispute of a payment as it stands now; null if nothing was taken back. */
export function disputeOf(payment: SandboxPayment, now: number): Dispute | null {
  const { reference, paid } = payment;
  const step = stepsOf(payment).findLast(({ at }) => at <= now);
  return step === undefined || paid === null ? null : { id: `dispute_${reference}`, status: step.status, ...paid };
}

/** The steps with their times. A payment of an earlier release does not say when it was paid, so it has none. */
function stepsOf({
  amount,
  status,
  resolvedAt,
}: SandboxPayment): { readonly at: number; readonly status: DisputeStatus }[] {
  if (status !== 'paid' || resolvedAt === undefined) return [];
  return (modeOf(amount).dispute ?? []).map((step) => ({ at: resolvedAt + step.fromMs, status: step.status }));
}
