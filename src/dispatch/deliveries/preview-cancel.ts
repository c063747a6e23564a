import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { factsOf } from '../../domain/deliveries/guards.ts';
import { hasCourier, isTerminal, step } from '../../domain/deliveries/lifecycle.ts';
import type { Doer } from '../commands.ts';
import { planCancel } from './cancel-delivery.ts';
import type { Here } from '../move-delivery.ts';

/** The rules of the cancellation policy, in the order in which a delivery passes them. */
export const CANCEL_RULES = [
  'before_assignment',
  'soon_after_assignment',
  'after_assignment',
  'at_pickup',
  'after_pickup',
] as const;
type CancelRule = (typeof CANCEL_RULES)[number];

/** How long after the assignment a cancel counts as soon after it, ms. */
const SOON_MS = 120_000;
/** How long terms hold that no clock changes, ms. */
const HOLD_MS = 5 * 60_000;

/** The terms of a cancel. `rule` is null if the caller may not cancel, and `whyNot` says why. Service time in ms. */
export type CancelTerms = {
  readonly delivery: Delivery;
  readonly rule: CancelRule | null;
  readonly whyNot: string | null;
  readonly opensReturn: boolean;
  readonly validUntilAt: number;
};

/** The terms on which this caller may cancel the delivery now. The same table decides as for the cancel. */
export function cancelTerms(delivery: Delivery, doer: Doer, here: Here): CancelTerms {
  const { now } = here;
  const validUntilAt = now + HOLD_MS;
  const judged = step(delivery.state, 'cancel', doer.type, factsOf(delivery, delivery, now));
  if (!judged.ok) {
    const whyNot = isTerminal(delivery.state) ? `delivery_${delivery.state}` : (judged.told.reason ?? judged.code);
    return { delivery, rule: null, whyNot, opensReturn: false, validUntilAt };
  }
  const rule = ruleOf(delivery, now);
  const soonUntilAt = (delivery.times.assignedAt ?? now) + SOON_MS;
  const { effects } = planCancel(delivery, { reason: null }, { verb: 'cancel', stop: null, doer }, here, []);
  return {
    delivery,
    rule,
    whyNot: null,
    opensReturn: effects.some(({ kind }) => kind === 'open_delivery'),
    validUntilAt: rule === 'soon_after_assignment' ? Math.min(soonUntilAt, validUntilAt) : validUntilAt,
  };
}

function ruleOf({ state, pickup, times }: Delivery, now: number): CancelRule {
  if (!hasCourier(state)) return 'before_assignment';
  switch (pickup.state) {
    case 'arrived':
      return 'at_pickup';
    case 'pending':
      return now - (times.assignedAt ?? now) <= SOON_MS ? 'soon_after_assignment' : 'after_assignment';
    case 'delivered':
    case 'failed':
    case 'canceled':
      return 'after_pickup';
  }
}
