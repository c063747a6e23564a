import type { Carried } from './carried.ts';
import { assignmentOf, stopsToGo, type Delivery } from './delivery.ts';
import type { DueRules } from './due.ts';
import { distanceM, type Coordinates } from '../geo/geo.ts';
import { hasCourier, isTerminal, leavesFrom } from './lifecycle.ts';
import type { EtaRange } from '../time.ts';
import type { Ways } from '../learning/ways.ts';
import { legS, setOffS, setsOutAt } from '../learning/leg-time.ts';
import { isSameStay, itineraryOf, pickupNotLeft, type Assigned, type StopToGo } from './stops/itinerary.ts';
import type { EtaReason } from './states.ts';
import { isStopEnded } from './stops/stop.ts';
import { SET_OFF_S, STOP_SERVICE_S } from './way.ts';

/** Expected time to find a courier while the delivery has none. */
const EXPECTED_SEARCH_S = 180;

/** Expected time until a courier near the pickup has accepted. */
const EXPECTED_ANSWER_S = 30;

/** The pickup of a delivery that nobody carries yet, by a courier who needs so many seconds to get there from now. */
export function expectedPickup(reachS: number, readyAt: number | null, now: number): EtaRange {
  return range(notBefore(after(certain(now), EXPECTED_ANSWER_S + reachS), readyAt), now);
}

/** When the courier will be at the open stops. */
export type Etas = {
  readonly pickup: EtaRange | null;
  /** At the next drop-off. */
  readonly dropOff: EtaRange | null;
  /** By the number of the stop; the pickup is 0. */
  readonly stops: ReadonlyMap<number, EtaRange>;
  /** The fact on which the arrival at the next stop rests, and when it was known; service time. Null after the end. */
  readonly basis: { readonly reason: EtaReason; readonly at: number } | null;
  /** Whether the courier is on the way and near their next stop, and that is a stop of this delivery. */
  readonly isImminent: boolean;
};

/** No stop is open, or the arrivals cannot be estimated. */
export const NO_ETAS: Etas = { pickup: null, dropOff: null, stops: new Map(), basis: null, isImminent: false };

/** Where a courier is. `at` is the service time of that position; absent if it is now. */
export type SeenAt = Coordinates & { readonly at?: number };

/**
 * A moment of a delivery: the service time, where its courier is (null if that is unknown), the deliveries of its courier,
 * which may include this one, how long ways take, and how long an arrival is known.
 */
export type Moment = {
  readonly now: number;
  readonly place: SeenAt | null;
  readonly carried: readonly Carried[];
  readonly ways: Ways;
  readonly rules: ArrivalRules;
};

/** The settings that say how long an arrival is known. */
type ArrivalRules = {
  readonly search: Pick<DueRules['search'], 'alarmAfterMs' | 'promiseMs'>;
  readonly presence: { readonly lostAfterMs: number };
};

/** A moment of a delivery without a courier, or of one whose courier does not matter. */
export function momentWithout(now: number, ways: Ways, rules: ArrivalRules): Moment {
  return { now, place: null, carried: [], ways, rules };
}

/** A position older than this no longer says where the courier is. */
const RECENT_MS = 60_000;
/** How near to the next stop a courier counts as imminent, metres in a straight line. */
const IMMINENT_M = 500;

/**
 * The expected arrivals of a delivery, as everybody sees them at this moment and its events keep them: none while they rest on
 * no fact. They are counted from now, so those of a courier who is lost or has forgotten the delivery, or of a search that
 * takes too long, would move on for as long as nothing happens.
 */
export function etaOf(delivery: Delivery, moment: Moment): Etas {
  if (isTerminal(delivery.state)) return NO_ETAS;
  const expected = expectedEtas(delivery, moment);
  return isArrivalKnown(delivery, moment) ? expected : { ...expected, pickup: null, dropOff: null, stops: new Map() };
}

/** The arrivals include the stops that the courier makes first for other deliveries (`itineraryOf`). */
function expectedEtas(delivery: Delivery, moment: Moment): Etas {
  const { now, place, ways } = moment;
  const assigned = assignedWith(delivery, moment);
  const itinerary = itineraryOf(assigned, place);
  const [first] = itinerary;
  const stops = new Map<number, EtaRange>();
  const startsAt = hasCourier(delivery.state)
    ? setsOutAt(ways, delivery, { assigned, first, now })
    : Math.max(now, delivery.searchFromAt);
  let span = certain(startsAt);
  // Somewhere in the shop, a phone shows a place for which no route was asked. The priced one begins at the pickup.
  let from = pickupNotLeft(assigned) ?? place ?? (isStopEnded(delivery.pickup) ? delivery.pickup.place : null);
  for (const [index, { delivery: owner, stop }] of itinerary.entries()) {
    span = after(span, from === null ? EXPECTED_SEARCH_S : legS(ways, delivery, from, stop.place, span.at));
    span = notBefore(span, stop.window?.readyAt ?? null);
    if (owner === delivery) stops.set(stop.index, range(span, now));
    if (!isSameStay(stop, itinerary[index + 1]?.stop)) span = after(span, serviceS(ways, delivery, stop, now));
    from = stop.place;
  }
  const [next] = stops.values();
  return {
    pickup: stops.get(0) ?? null,
    dropOff: [...stops].find(([index]) => index > 0)?.[1] ?? null,
    stops,
    basis: basisOf(delivery, place, now, next ?? null),
    isImminent: isImminent(delivery, itinerary, moment),
  };
}

/** How many times its estimated duration a delivery may take, and the promised time on top, until its arrival is not known. */
const MOST_ESTIMATES = 2;

function isArrivalKnown(delivery: Delivery, { now, place, rules: { search, presence } }: Moment): boolean {
  const assignment = assignmentOf(delivery);
  if (assignment === null) {
    return !leavesFrom(delivery.state, 'assign') || now - delivery.searchCountsFromAt < search.alarmAfterMs;
  }
  const heardAt = Math.max(assignment.at, knownAt(place, now));
  const windows = stopsToGo(delivery).flatMap(({ window }) => window ?? []);
  const readyAts = windows.map(({ readyAt }) => readyAt ?? 0);
  const begunAt = Math.max(assignment.at, delivery.times.pickedUpAt ?? 0, ...readyAts);
  const mostMs = search.promiseMs + MOST_ESTIMATES * delivery.durationS * 1000;
  const overdueAt = Math.max(begunAt + mostMs, ...windows.map(({ deadlineAt }) => deadlineAt ?? 0));
  return now - heardAt <= presence.lostAfterMs && now <= overdueAt;
}

/** When the courier was at this place, service time; 0 for an unknown place. */
function knownAt(place: SeenAt | null, now: number): number {
  return place === null ? 0 : (place.at ?? now);
}

/** The deliveries of this delivery's courier. This one is as given, and the only one while it has no courier. */
function assignedWith(delivery: Delivery, { carried }: Moment): Assigned[] {
  return hasCourier(delivery.state) ? [...carried.filter(({ id }) => id !== delivery.id), delivery] : [delivery];
}

/** Seconds at a stop until the courier leaves it. Where they have arrived, those since then are over. */
function serviceS(ways: Ways, delivery: Delivery, stop: Assigned['pickup'], now: number): number {
  const setOff = stop.index === 0 ? setOffS(ways, delivery, stop) : 0;
  const handoverS = stop.index === 0 ? STOP_SERVICE_S - SET_OFF_S : STOP_SERVICE_S;
  const pastS = stop.state === 'arrived' ? (now - (stop.arrivedAt ?? now)) / 1000 : 0;
  return Math.max(0, handoverS - pastS) + setOff;
}

/** A wait for the goods or for a window counts before the position, because then the way does not decide. */
function basisOf(delivery: Delivery, place: SeenAt | null, now: number, next: EtaRange | null): Etas['basis'] {
  if (next === null) return null;
  const [stop] = stopsToGo(delivery);
  if (stop !== undefined && stop.window?.readyAt === next.at && next.at > now) {
    return { reason: stop.index === 0 ? 'not_ready' : 'window', at: now };
  }
  if (!hasCourier(delivery.state)) return { reason: 'no_courier', at: now };
  if (place === null) return { reason: 'no_position', at: now };
  const at = place.at ?? now;
  return { reason: now - at > RECENT_MS ? 'old_position' : 'position', at };
}

/** Goods that are collected together have the same next stop. */
function isImminent(delivery: Delivery, itinerary: readonly StopToGo[], { now, place }: Moment): boolean {
  const own = itinerary.findIndex((one) => one.delivery === delivery);
  const next = itinerary[own]?.stop;
  if (next === undefined || place === null || !hasCourier(delivery.state) || next.state === 'arrived') return false;
  if (!itinerary.slice(0, own).every(({ stop }) => isSameStay(stop, next))) return false;
  return now - (place.at ?? now) <= RECENT_MS && distanceM(place, next.place) <= IMMINENT_M;
}

/** A moment that is not known exactly: the expected time, its earliest and latest time, and a lower limit; epoch ms. */
type Span = {
  readonly at: number;
  readonly earliestAt: number;
  readonly latestAt: number;
  readonly floorAt: number;
};

const EARLY = 0.9;
const LATE = 1.25;
const LEAST_EARLY_MS = 60_000;
const LEAST_LATE_MS = 120_000;

function certain(at: number): Span {
  return { at, earliestAt: at, latestAt: at, floorAt: at };
}

/** The moment this many seconds later. A way takes a tenth less at best and a quarter more at worst. */
function after({ at, earliestAt, latestAt, floorAt }: Span, seconds: number): Span {
  const ms = seconds * 1000;
  return { at: at + ms, earliestAt: earliestAt + EARLY * ms, latestAt: latestAt + LATE * ms, floorAt };
}

/** A courier who arrives earlier waits until then, so the uncertainty of their way no longer counts. */
function notBefore({ at, earliestAt, latestAt, floorAt }: Span, readyAt: number | null): Span {
  if (readyAt === null) return { at, earliestAt, latestAt, floorAt };
  return {
    at: Math.max(at, readyAt),
    earliestAt: Math.max(earliestAt, readyAt),
    latestAt: Math.max(latestAt, readyAt),
    floorAt: Math.max(floorAt, readyAt),
  };
}

/** The range as callers see it: at least a minute early and two late, but never before the lower limit. */
function range({ at, earliestAt, latestAt, floorAt }: Span, now: number): EtaRange {
  const lowerAt = Math.min(earliestAt, at - LEAST_EARLY_MS);
  return {
    at: Math.round(at),
    lowerAt: Math.round(Math.max(now, floorAt, lowerAt)),
    upperAt: Math.round(Math.max(latestAt, at + LEAST_LATE_MS)),
  };
}
