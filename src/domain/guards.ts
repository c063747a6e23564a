import { hasRoom, type Courier } from './courier.ts';
import type { Delivery } from './delivery.ts';
import { distanceM, type Coordinates } from './geo.ts';
import type { ActorType } from './states.ts';
import type { Offer } from './offer.ts';
import type { RefusalCode } from './refusals.ts';
import { isStopEnded, type Stop } from './stop.ts';
import type { VendorLocation } from './vendor.ts';
import { judgeWindows } from './window.ts';

/** How close a courier must be to act at a stop, metres. */
export const NEAR_STOP_M = 300;
/** How often a delivery may be given back before only staff may go on. */
export const MOST_RELEASES = 5;
/** How late a pickup must be before the vendor may change the courier, ms. */
export const VENDOR_MAY_CHANGE_AFTER_MS = 10 * 60_000;

/** All that a guard may look at; what does not apply is null. Times are service time in ms. */
export type Facts = {
  readonly now: number;
  /** The delivery as it would be after the verb. */
  readonly delivery: Delivery;
  readonly courier: Courier | null;
  readonly offer: Offer | null;
  readonly isByHand: boolean;
  readonly location: VendorLocation | null;
  readonly maxDistanceM: number;
  /** The stop the verb is about, and the last known place of who acts. */
  readonly stop: Stop | null;
  readonly place: Coordinates | null;
  readonly overrideReason: string | null;
};

/** A guard's no: a refusal code and what to tell with it. */
export type No = { readonly code: RefusalCode; readonly reason?: string; readonly metadata?: Record<string, unknown> };

const GUARD_TABLE = {
  canStartNow,
  hasSoundWindow,
  isDue: ({ now, delivery }) => (now >= delivery.searchFromAt ? null : { code: 'invalid_state_transition' }),
  canTake,
  mayLetGo,
  isNearStop,
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
  const { location, delivery, maxDistanceM } = facts;
  if (location !== null && !location.isReady)
    return { code: 'invalid_delivery_parameters', reason: 'location_not_ready' };
  if (delivery.distanceM > maxDistanceM) {
    return {
      code: 'invalid_delivery_parameters',
      reason: 'distance_too_long',
      metadata: { distance_m: delivery.distanceM, max_distance_m: maxDistanceM },
    };
  }
  return null;
}

function hasSoundWindow(facts: Facts): No | null {
  const { pickup, dropOffs } = facts.delivery;
  const code = judgeWindows(
    pickup.window,
    dropOffs.map(({ window }) => window),
    facts.now,
  );
  return code === null ? canStartNow(facts) : { code };
}

function canTake(facts: Facts): No | null {
  const { courier, delivery, offer, now, isByHand } = facts;
  if (courier === null || courier.liveMode !== delivery.liveMode) return { code: 'courier_not_found' };
  if (!isByHand && (offer === null || offer.state !== 'open')) return { code: 'offer_taken' };
  if (!isByHand && offer !== null && offer.expiresAt <= now) return { code: 'offer_expired' };
  if (courier.state !== 'active') return { code: 'courier_not_verified' };
  if (courier.availability !== 'online') return { code: 'courier_unavailable', reason: 'offline' };
  if ((courier.kind === 'robo') !== (delivery.robo !== null))
    return { code: 'courier_unavailable', reason: 'wrong_kind' };
  if (!hasRoom(courier)) return { code: 'courier_unavailable', reason: 'at_capacity' };
  if (!isByHand && delivery.formerCouriers.includes(courier.id)) return { code: 'courier_excluded' };
  return null;
}

function mayLetGo({ delivery, now, overrideReason }: Facts, by: ActorType): No | null {
  if (by === 'staff') return null;
  if (delivery.formerCouriers.length > MOST_RELEASES) return { code: 'too_many_releases' };
  if (by !== 'vendor') return null;
  const dueAt = delivery.pickup.window?.readyAt ?? delivery.times.assignedAt ?? delivery.times.createdAt;
  if (now - dueAt >= VENDOR_MAY_CHANGE_AFTER_MS || overrideReason !== null) return null;
  return {
    code: 'not_late_enough',
    metadata: { allowed_at: new Date(dueAt + VENDOR_MAY_CHANGE_AFTER_MS).toISOString() },
  };
}

function isNearStop({ stop, place, overrideReason }: Facts, by: ActorType): No | null {
  // Staff act from a desk and an unknown place proves nothing: both are recorded with the actor instead.
  if (by === 'staff' || overrideReason !== null || stop === null || place === null) return null;
  const away = Math.round(distanceM(place, stop.place));
  return away <= NEAR_STOP_M
    ? null
    : { code: 'too_far_from_stop', metadata: { distance_m: away, at_most_m: NEAR_STOP_M } };
}
