import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isTerminal } from '../../domain/deliveries/lifecycle.ts';
import { isStopEnded, type Stop } from '../../domain/deliveries/stops/stop.ts';
import { Refusal, refuseCaller, refuseField, type Explained } from '../../domain/refusals/refusals.ts';
import type { Doer } from '../commands.ts';

/** Why a delivery or one of its fields can no longer be changed. */
const UPDATE_REASONS = [
  'delivery_ended',
  'stop_ended',
  'already_collected',
  'order_value_collected',
  'courier_assigned',
  'courier_arrived',
  'moved_too_far',
  'tip_lowered',
  'not_charged',
  'verification_lowered',
  'proof_begun',
  'edited_too_often',
  'delayed_too_often',
  'delayed_too_long',
] as const;

/** The refusal of a change, with a reason of the closed list. */
export function refuseUpdate(reason: (typeof UPDATE_REASONS)[number], told: Omit<Explained, 'reason'>): Refusal {
  return new Refusal('update_not_allowed', { ...told, reason });
}

/** Callers who may speak for the goods at the pickup. */
const KITCHEN: readonly Doer['type'][] = ['vendor', 'staff', 'internal'];

/** Refuses a caller who may not speak for the goods. */
export function refuseOutsider(doer: Doer): void {
  if (!KITCHEN.includes(doer.type)) throw refuseCaller(doer.type, KITCHEN);
}

/** Refuses a change of goods that the courier has collected. */
export function refuseCollected({ pickup }: Delivery): void {
  if (isStopEnded(pickup)) throw stopEnded(pickup);
}

/** The refusal of a ready time outside its range. */
export function outOfRange(rule: string): Refusal {
  return refuseField('/ready_at', 'out_of_range', rule);
}

/** The refusal of a stop number that the delivery does not have. */
export function unknownStop({ dropOffs }: Delivery, stop: number, pointer: string): Refusal {
  const rule = `must name a stop of the delivery, whose drop-offs are 1 to ${dropOffs.length}; it is ${stop}`;
  return refuseField(pointer, 'unknown_stop', rule);
}

/** Events of a delivery after which its fields can no longer change. Its end dates all of them in one transaction. */
const MOST_EVENTS = 5000;

/** Refuses an edit of a delivery that has changed too often. Its couriers and its end are not affected. */
export function refuseManyEdits({ sequence }: Delivery): void {
  if (sequence < MOST_EVENTS) return;
  const detail = `The delivery has ${sequence} events, and its fields can change only while it has fewer than ${MOST_EVENTS}.`;
  throw refuseUpdate('edited_too_often', { detail, metadata: { at_most: MOST_EVENTS } });
}

/** Refuses a change of a delivery that has ended. */
export function refuseEnded({ state }: Delivery): void {
  if (!isTerminal(state)) return;
  const detail = `The delivery is \`${state}\` and can no longer be changed.`;
  throw refuseUpdate('delivery_ended', { detail });
}

/** The refusal of a change of a stop that has ended. */
export function stopEnded({ index, state }: Stop): Refusal {
  const detail = `Stop ${index} is \`${state}\` and can no longer be changed.`;
  return refuseUpdate('stop_ended', { detail, metadata: { stop: index } });
}
