import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { chargedOf, type ChargeLine } from '../../domain/pricing/funds.ts';
import { factsOf } from '../../domain/deliveries/guards.ts';
import { isTerminal, step } from '../../domain/deliveries/lifecycle.ts';
import { cancelRuleOf, type CancelRule } from '../../money/charges/cancel-rules.ts';
import { lateMoments } from '../../money/charges/faults.ts';
import { waitOf } from '../../money/charges/wait.ts';
import type { CancelDelivery, Doer } from '../commands.ts';
import { planCancel } from './cancel-delivery.ts';
import type { Here } from '../move-delivery.ts';

/** How long terms hold that no clock changes, ms. */
const HOLD_MS = 5 * 60_000;

/**
 * The terms of a cancel. `rule` is null if the caller may not cancel, and `whyNot` says why. Times are service time in
 * ms, amounts are minor units.
 */
export type CancelTerms = {
  readonly delivery: Delivery;
  readonly rule: CancelRule | null;
  readonly whyNot: string | null;
  readonly opensReturn: boolean;
  /** The amount that the vendor would pay, and its lines. */
  readonly fee: number;
  readonly breakdown: readonly ChargeLine[];
  /** The part of the hold that would be available again. */
  readonly refund: number;
  readonly validUntilAt: number;
};

const NOTHING = { opensReturn: false, fee: 0, breakdown: [], refund: 0 } as const;

/**
 * The terms on which this caller may cancel the delivery now, for this reason. It plans the cancel itself, so both agree.
 */
export function cancelTerms(
  delivery: Delivery,
  doer: Doer,
  here: Here,
  reason: CancelDelivery['reason'] = null,
): CancelTerms {
  const { now, terms } = here;
  const judged = step(delivery.state, 'cancel', doer.type, factsOf(delivery, delivery, now));
  if (!judged.ok) {
    const whyNot = isTerminal(delivery.state) ? `delivery_${delivery.state}` : (judged.told.reason ?? judged.code);
    return { delivery, rule: null, whyNot, ...NOTHING, validUntilAt: now + HOLD_MS };
  }
  const { after, effects } = planCancel(delivery, { reason }, { verb: 'cancel', stop: null, doer }, here, []);
  const { hold = 0, charges: breakdown = [] } = after.funds ?? {};
  const fee = chargedOf(breakdown);
  return {
    delivery,
    rule: cancelRuleOf(delivery, now, terms),
    whyNot: null,
    opensReturn: effects.some(({ kind }) => kind === 'open_delivery'),
    fee,
    breakdown,
    refund: Math.max(0, hold - fee),
    validUntilAt: Math.min(now + HOLD_MS, ...changesAt(delivery, here, reason)),
  };
}

/** When the clock alone changes the terms: the free time ends, another minute of waiting begins, or the courier is late. */
function changesAt(delivery: Delivery, here: Here, reason: CancelDelivery['reason']): number[] {
  const { now, terms } = here;
  const late = reason === 'courier_late' ? lateMoments(delivery, terms.courierLateMs) : [];
  return [...late.filter((at) => at > now), ...ruleChangesAt(delivery, here)];
}

function ruleChangesAt(delivery: Delivery, { now, terms }: Here): number[] {
  switch (cancelRuleOf(delivery, now, terms)) {
    case 'soon_after_assignment':
      return [(delivery.times.assignedAt ?? now) + terms.soonMs];
    case 'at_pickup':
      return [waitOf(delivery, now, terms).untilAt ?? Infinity];
    case 'before_assignment':
    case 'after_assignment':
    case 'after_pickup':
      return [];
  }
}
