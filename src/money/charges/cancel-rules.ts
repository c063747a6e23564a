import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { hasCourier } from '../../domain/deliveries/lifecycle.ts';
import { WHOLE_BP } from '../../domain/pricing/rules.ts';
import type { Settings } from '../../settings.ts';

type Terms = Settings['charges'];
type RuleRow = {
  /** The part of the fee that the vendor pays, basis points. */
  readonly shareBp: (terms: Terms) => number;
  /** Whether waiting at the pickup is charged too. */
  readonly hasWait: boolean;
};

/** The rules of the cancellation policy, in the order in which a delivery passes them. */
// One row per line: this is a table.
// oxfmt-ignore
export const CANCEL_POLICY = {
  before_assignment:     { shareBp: () => 0,                       hasWait: false },
  soon_after_assignment: { shareBp: () => 0,                       hasWait: false },
  after_assignment:      { shareBp: (terms) => terms.assignedBp,   hasWait: false },
  at_pickup:             { shareBp: (terms) => terms.atPickupBp,   hasWait: true },
  after_pickup:          { shareBp: () => WHOLE_BP,                hasWait: true },
} as const satisfies Record<string, RuleRow>;

export type CancelRule = keyof typeof CANCEL_POLICY;
export const CANCEL_RULES = Object.keys(CANCEL_POLICY) as CancelRule[];

/** The rule for a cancel now. */
export function cancelRuleOf({ state, pickup, times }: Delivery, now: number, { soonMs }: Terms): CancelRule {
  if (!hasCourier(state)) return 'before_assignment';
  switch (pickup.state) {
    case 'arrived':
      return 'at_pickup';
    case 'pending':
      return now - (times.assignedAt ?? now) <= soonMs ? 'soon_after_assignment' : 'after_assignment';
    case 'delivered':
    case 'failed':
    case 'canceled':
      return 'after_pickup';
  }
}
