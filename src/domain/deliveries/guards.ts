import { canCarry, hasRoom, type Courier } from '../couriers/courier.ts';
import { notActive } from '../couriers/not-active.ts';
import { isoTime } from '../time.ts';
import { lastVisitOf, pickupDueAt, type Delivery } from './delivery.ts';
import type { ActorType } from './states.ts';
import type { Offer } from '../offers/offer.ts';
import { hasBegunProof } from '../proof/verification.ts';
import type { No } from '../refusals/refusals.ts';
import { isStopEnded, type Stop } from './stops/stop.ts';
import { placesVisited } from './stops/visits.ts';
import { judgeLocation } from '../vendors/accept.ts';
import type { Hours } from '../vendors/hours.ts';
import type { VendorLocation } from '../vendors/vendor.ts';
import { judgeImmediate, judgeScheduled } from '../window.ts';
import { estimateWay } from './way.ts';
import type { Coordinates } from '../geo/geo.ts';
import { hintAtSwap } from '../geo/swapped.ts';
import { counted } from '../refusals/shown-text.ts';

/** How often couriers may give a delivery back. After that only staff may unassign it. */
export const MOST_RELEASES = 5;
/** How late a pickup must be before the vendor may change the courier, ms. */
export const VENDOR_MAY_CHANGE_AFTER_MS = 10 * 60_000;

/** Everything that a guard may look at. A fact that does not apply is null. Times are service time in ms. */
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
  /** The hours that count at the location; null: it is always open. */
  readonly hours: Hours | null;
  readonly maxDistanceM: number;
  /** When a delivery of test mode ends by itself; null if the question is another one. */
  readonly testOverAt: number | null;
};

/** Facts for a verb that needs only the delivery. Other callers add the facts that apply. */
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
    hours: null,
    maxDistanceM: Infinity,
    testOverAt: null,
    ...more,
  };
}

const GUARD_TABLE = {
  canStartNow,
  hasSoundWindow,
  isDue,
  canTake,
  mayLetGo,
  mayStopSearch,
  isBeforeLastProof,
  allStopsEnded: ({ delivery }) => judgeStops(delivery, isStopEnded, 'must have ended'),
  allStopsFailed: (facts, by) =>
    mayEndTest(facts, by) ??
    judgeStops(
      facts.delivery,
      ({ state }) => state === 'failed' || state === 'canceled',
      'must have failed or been canceled',
    ),
  isReturn: ({ delivery }) =>
    delivery.kind === 'return' && delivery.courierId !== null
      ? null
      : { code: 'invalid_state_transition', detail: 'Only a return with a courier begins in `in_transit`.' },
} satisfies Record<string, (facts: Facts, by: ActorType) => No | null>;

export type Guard = keyof typeof GUARD_TABLE;
export const GUARDS: Record<Guard, (facts: Facts, by: ActorType) => No | null> = GUARD_TABLE;

function canStartNow(facts: Facts): No | null {
  const { pickup, dropOffs } = facts.delivery;
  const windows = dropOffs.map(({ window }) => window);
  return judgeImmediate(pickup.window, windows, facts.now) ?? isTakenThere(facts) ?? isWithinReach(facts);
}

function hasSoundWindow(facts: Facts): No | null {
  const { pickup, dropOffs } = facts.delivery;
  const windows = dropOffs.map(({ window }) => window);
  return judgeScheduled(pickup.window, windows, facts.now) ?? isTakenThere(facts) ?? isWithinReach(facts);
}

/** Only a vendor location has conditions of its own. */
function isTakenThere({ location, hours, delivery, now }: Facts): No | null {
  if (location === null) return null;
  const { priority, pickup, dropOffs, orderId } = delivery;
  return judgeLocation(location, hours, {
    priority,
    pickup: pickup.place,
    dropOffs: dropOffs.map(({ place }) => place),
    readyAt: pickup.window?.readyAt ?? null,
    now,
    pointer: orderId === undefined ? '/pickup/location_id' : '/location_id',
  });
}

function isWithinReach({ delivery, maxDistanceM }: Facts): No | null {
  return judgeReach(placesVisited(delivery.pickup.place, delivery.dropOffs), maxDistanceM);
}

/**
 * Judges whether a delivery along these places may be so long, by the estimate. The caller gives the places in their order
 * by straight lines. So the answer is the same whether or not the way along streets is known.
 * @param mostM the longest delivery, metres
 */
export function judgeReach(places: readonly Coordinates[], mostM: number): No | null {
  const estimateM = lengthM(places);
  if (estimateM <= mostM) return null;
  const [length, limit] = [estimateM, mostM].map((m) => `${(m / 1000).toFixed(1)} km`);
  const detail = `The way along all stops is about ${length} long, and the limit is ${limit}.`;
  const hint = hintAtSwap(places, (others) => lengthM(others) <= mostM);
  const metadata = { distance_m: estimateM, max_distance_m: mostM };
  return { ...refuseParameters('distance_too_long', '/drop_off', detail + hint), metadata };
}

/** The length of an estimate, which is the same for each vehicle. */
function lengthM(places: readonly Coordinates[]): number {
  return estimateWay(places, 'scooter').distanceM;
}

function refuseParameters(reason: string, pointer: string, detail: string): No & { detail: string } {
  const errors = [{ pointer, code: reason, message: detail }];
  return { code: 'invalid_delivery_parameters', reason, detail, errors };
}

function isDue({ now, delivery }: Facts): No | null {
  if (now >= delivery.searchFromAt) return null;
  return { code: 'invalid_state_transition', detail: `The search starts at ${isoTime(delivery.searchFromAt)}.` };
}

function judgeStops({ dropOffs }: Delivery, isDone: (stop: Stop) => boolean, rule: string): No | null {
  const open = dropOffs.filter((stop) => !isDone(stop)).map(({ index, state }) => `stop ${index} is \`${state}\``);
  if (open.length === 0) return null;
  const detail = `Every drop-off ${rule} first; ${open.join(', ')}.`;
  return { code: 'invalid_state_transition', reason: 'stops_open', detail };
}

function canTake(facts: Facts, by: ActorType): No | null {
  const { courier, delivery, isByHand } = facts;
  if (by === 'courier' && isByHand) {
    return { code: 'forbidden', detail: 'A courier takes a delivery only by accepting an offer.' };
  }
  if (courier === null || courier.liveMode !== delivery.liveMode) return { code: 'courier_not_found' };
  const gone = isByHand ? null : judgeOffer(facts, courier);
  if (gone !== null) return gone;
  if (courier.state !== 'active') return notActive(courier);
  if (courier.availability !== 'online') return unavailable('offline', 'The courier is offline.');
  if ((courier.kind === 'robo') !== (delivery.robo !== null)) {
    const detail = 'Robo-couriers carry deliveries with `test_specifications`, and other couriers carry all others.';
    return unavailable('wrong_kind', detail);
  }
  if (!hasRoom(courier)) {
    return unavailable(
      'at_capacity',
      `The courier has ${counted(courier.active.length, 'delivery', 'deliveries')}, which is their limit.`,
    );
  }
  if (isByHand) return null;
  if (delivery.formerCouriers.includes(courier.id)) return { code: 'courier_excluded' };
  // The vehicle may have changed since the offer was made.
  if (canCarry(courier.vehicleType, delivery)) return null;
  return unavailable(
    'wrong_vehicle',
    `The goods do not fit the courier’s present vehicle, \`${courier.vehicleType}\`.`,
  );
}

function unavailable(reason: string, detail: string): No {
  return { code: 'courier_unavailable', reason, detail };
}

function judgeOffer({ offer, delivery, now }: Facts, courier: Courier): No | null {
  if (offer === null || offer.deliveryId !== delivery.id || offer.courierId !== courier.id)
    return { code: 'offer_taken' };
  if (offer.state === 'expired' || (offer.state === 'open' && offer.expiresAt <= now)) return { code: 'offer_expired' };
  return offer.state === 'open' ? null : { code: 'offer_taken' };
}

function mayLetGo({ before, delivery, now }: Facts, by: ActorType): No | null {
  if (by === 'staff') return null;
  if (delivery.formerCouriers.length > MOST_RELEASES) {
    const detail = `The delivery was given back ${MOST_RELEASES} times, which is the limit; only staff can unassign it.`;
    return { code: 'too_many_releases', detail };
  }
  return by === 'vendor' ? judgeLate(before ?? delivery, now) : null;
}

/** Judges whether the courier is, or came, so late that the vendor may change them; null if so. */
function judgeLate(delivery: Delivery, now: number): No | null {
  const { arrivedAt } = delivery.pickup;
  const allowedAt = pickupDueAt(delivery) + VENDOR_MAY_CHANGE_AFTER_MS;
  if ((arrivedAt ?? now) >= allowedAt) return null;
  if (arrivedAt !== null) {
    const detail = `The courier arrived at ${isoTime(arrivedAt)}, less than 10 minutes late, so only staff can change them.`;
    return { code: 'not_late_enough', reason: 'courier_arrived', detail };
  }
  const detail = `A vendor can change the courier from ${isoTime(allowedAt)}, when the pickup is 10 minutes late.`;
  return { code: 'not_late_enough', detail, metadata: { allowed_at: isoTime(allowedAt) } };
}

/** After the pickup the server itself ends only a delivery of test mode whose time is over. */
function mayEndTest(facts: Facts, by: ActorType): No | null {
  if (by !== 'system' || isTestOver(facts)) return null;
  const detail = 'After the pickup, the server by itself ends only deliveries of test mode.';
  return { code: 'invalid_state_transition', reason: 'test_not_over', detail };
}

function isTestOver({ before, testOverAt, now }: Facts): boolean {
  return before?.liveMode === false && testOverAt !== null && now >= testOverAt;
}

/** People may cancel at any time. The server itself only cancels if a search ended without a courier, or a test is over. */
function mayStopSearch(facts: Facts, by: ActorType): No | null {
  if (by !== 'system' || isTestOver(facts)) return null;
  const { before, now } = facts;
  const isOver = before !== null && before.courierId === null && now >= before.searchUntilAt;
  if (isOver) return null;
  const detail = 'The server by itself cancels a delivery only if its search ended without a courier.';
  return { code: 'invalid_state_transition', reason: 'search_not_over', detail };
}

/** Once the courier proves the last handover, the goods are with the recipient and cannot be called back. */
function isBeforeLastProof(facts: Facts, by: ActorType): No | null {
  if (by === 'system') return mayEndTest(facts, by);
  const { before } = facts;
  if (before === null || !hasBegunProof(lastVisitOf(before))) return null;
  const detail = 'The courier has begun to prove the last handover, so the delivery can no longer be canceled.';
  return { code: 'invalid_state_transition', reason: 'proof_begun', detail };
}
