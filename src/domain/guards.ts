import { hasRoom, type Courier } from './courier.ts';
import type { Delivery } from './delivery.ts';
import type { ActorType } from './states.ts';
import type { Offer } from './offer.ts';
import type { RefusalCode } from './refusals.ts';
import { isStopEnded } from './stop.ts';
import type { VendorLocation } from './vendor.ts';
import { judgeReady, judgeWindows } from './window.ts';

/** How often a delivery may be given back before only staff may go on. */
export const MOST_RELEASES = 5;
/** How late a pickup must be before the vendor may change the courier, ms. */
export const VENDOR_MAY_CHANGE_AFTER_MS = 10 * 60_000;

/** All that a guard may look at; what does not apply is null. Times are service time in ms. */
export type Facts = {
  readonly now: number;
  /** The delivery as it is; null at its birth. */
  readonly before: Delivery | null;
  /** The delivery as it would be after the verb. */
  readonly delivery: Delivery;
  readonly courier: Courier | null;
  readonly offer: Offer | null;
  readonly isByHand: boolean;
  readonly location: VendorLocation | null;
  readonly maxDistanceM: number;
};

/** Facts of a verb that needs no more than the delivery; the rest is named where it applies. */
export function factsOf(
  before: Delivery | null,
  delivery: Delivery,
  now: number,
  more: Partial<Omit<Facts, 'before' | 'delivery' | 'now'>> = {},
): Facts {
  return {
    now,
    before,
    delivery,
    courier: null,
    offer: null,
    isByHand: false,
    location: null,
    maxDistanceM: Infinity,
    ...more,
  };
}

/** A guard's no: a refusal code and what to tell with it. */
export type No = {
  readonly code: RefusalCode;
  readonly detail?: string;
  readonly reason?: string;
  readonly metadata?: Record<string, unknown>;
};

const GUARD_TABLE = {
  canStartNow,
  hasSoundWindow,
  isDue: ({ now, delivery }) => (now >= delivery.searchFromAt ? null : { code: 'invalid_state_transition' }),
  canTake,
  mayLetGo,
  mayStopSearch,
  allStopsEnded: ({ delivery }) =>
    delivery.dropOffs.every(isStopEnded) ? null : { code: 'invalid_state_transition', reason: 'stops_open' },
  allStopsFailed: ({ delivery }) =>
    delivery.dropOffs.every(({ state }) => state === 'failed' || state === 'canceled')
      ? null
      : { code: 'invalid_state_transition', reason: 'stops_open' },
  isReturn: ({ delivery }) =>
    delivery.kind === 'return' && delivery.courierId !== null ? null : { code: 'invalid_state_transition' },
} satisfies Record<string, (facts: Facts, by: ActorType) => No | null>;

export type Guard = keyof typeof GUARD_TABLE;
export const GUARDS: Record<Guard, (facts: Facts, by: ActorType) => No | null> = GUARD_TABLE;

function canStartNow(facts: Facts): No | null {
  const { location, delivery, now } = facts;
  if (location !== null && !location.isReady)
    return { code: 'invalid_delivery_parameters', reason: 'location_not_ready' };
  const code = judgeReady(delivery.pickup.window, now);
  return code === null ? isWithinReach(facts) : { code };
}

function hasSoundWindow(facts: Facts): No | null {
  const { pickup, dropOffs } = facts.delivery;
  const code = judgeWindows(
    pickup.window,
    dropOffs.map(({ window }) => window),
    facts.now,
  );
  return code === null ? isWithinReach(facts) : { code };
}

function isWithinReach({ delivery, maxDistanceM }: Facts): No | null {
  if (delivery.distanceM <= maxDistanceM) return null;
  return {
    code: 'invalid_delivery_parameters',
    reason: 'distance_too_long',
    metadata: { distance_m: delivery.distanceM, max_distance_m: maxDistanceM },
  };
}

function canTake(facts: Facts, by: ActorType): No | null {
  const { courier, delivery, isByHand } = facts;
  if (by === 'courier' && isByHand) return { code: 'forbidden' };
  if (courier === null || courier.liveMode !== delivery.liveMode) return { code: 'courier_not_found' };
  const gone = isByHand ? null : judgeOffer(facts, courier);
  if (gone !== null) return gone;
  if (courier.state !== 'active') return { code: 'courier_not_verified' };
  if (courier.availability !== 'online') return { code: 'courier_unavailable', reason: 'offline' };
  if ((courier.kind === 'robo') !== (delivery.robo !== null))
    return { code: 'courier_unavailable', reason: 'wrong_kind' };
  if (!hasRoom(courier)) return { code: 'courier_unavailable', reason: 'at_capacity' };
  if (!isByHand && delivery.formerCouriers.includes(courier.id)) return { code: 'courier_excluded' };
  return null;
}

function judgeOffer({ offer, delivery, now }: Facts, courier: Courier): No | null {
  if (offer === null || offer.deliveryId !== delivery.id || offer.courierId !== courier.id)
    return { code: 'offer_taken' };
  if (offer.state === 'expired' || (offer.state === 'open' && offer.expiresAt <= now)) return { code: 'offer_expired' };
  return offer.state === 'open' ? null : { code: 'offer_taken' };
}

function mayLetGo({ before, delivery, now }: Facts, by: ActorType): No | null {
  if (by === 'staff') return null;
  if (delivery.formerCouriers.length > MOST_RELEASES) return { code: 'too_many_releases' };
  if (by !== 'vendor') return null;
  // Both count: food that was ready long ago does not make a courier late who was found a moment ago.
  const dueAt = Math.max(delivery.pickup.window?.readyAt ?? 0, before?.times.assignedAt ?? delivery.times.createdAt);
  if (now - dueAt >= VENDOR_MAY_CHANGE_AFTER_MS) return null;
  return {
    code: 'not_late_enough',
    metadata: { allowed_at: new Date(dueAt + VENDOR_MAY_CHANGE_AFTER_MS).toISOString() },
  };
}

/** People may cancel at any time; time itself only ends a search that found nobody. */
function mayStopSearch({ before, now }: Facts, by: ActorType): No | null {
  if (by !== 'system') return null;
  const isOver = before !== null && before.courierId === null && now >= before.searchUntilAt;
  return isOver ? null : { code: 'invalid_state_transition', reason: 'search_not_over' };
}
