import type { DomainEvent, EventType } from '../../domain/deliveries/events.ts';
import { distanceM, isSamePlace, type Coordinates } from '../../domain/geo/geo.ts';
import type { VehicleType } from '../../domain/couriers/courier.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import { crowSpeedMps, type Leg } from '../../domain/learning/travel.ts';
import type { Context } from '../../ports/context.ts';

/** The couriers' last known stops, followed through the event log. */
export type Trails = {
  /** Takes an event in the order of the log. Returns the leg that ended with it, or null. */
  take(event: DomainEvent): Leg | null;
  /** Looks which couriers have left their stop. Called every few seconds of service time. */
  look(): void;
  /** Events may be missing, so all starting places are forgotten. */
  forget(): void;
};

type Needs = Pick<Context, 'positions' | 'settings'> & { readonly travel: Pick<Context['travel'], 'setOffS'> };
/** Where and when a courier set out; service time in ms. */
type Start = {
  readonly place: Coordinates;
  readonly at: number;
  /** Set while the courier is at a stop; they leave after `at`. Null once they have left, and away from stops. */
  readonly waiting: Waiting | null;
  /** Seconds from the collection of goods to the start, if both are known. */
  readonly setOffS?: number;
};
type Waiting = {
  readonly vehicle: VehicleType;
  readonly liveMode: boolean;
  /** The goods that they collected last at this stop. */
  readonly collected: { readonly id: DeliveryId; readonly at: number } | null;
};

/** Events that show a courier at a stop of the delivery: one leg ends there, and the next one starts. */
const AT_STOP: readonly EventType[] = [
  'courier.arrived_pickup',
  'picked_up',
  'courier.arrived_drop_off',
  'drop_off.delivered',
  'drop_off.failed',
  'delivered',
  'delivery.failed',
];
/** Events at which a courier sets out or changes their way. The part of the way before leads nowhere. */
const SETS_OUT: readonly EventType[] = ['delivery.created', 'courier.assigned', 'courier.unassigned', 'canceled'];
/** An older fix does not show where a courier set out: three minutes on the way are a kilometre. */
const FRESH_MS = 60_000;
/**
 * The first fix that shows a courier away from a stop tells when they left only if it is this near to the circle of the stop.
 * Metres.
 */
const NEAR_M = 400;
/** Most couriers followed. Beyond that, the one without events for the longest time is forgotten. */
const MOST_COURIERS = 50_000;

/**
 * Follows every courier from stop to stop, over all their deliveries, so that other deliveries make no leg longer. It
 * knows only the events that this process has read. After a restart it does not learn from legs in progress.
 */
export function followTrails(ctx: Needs): Trails {
  const starts = new Map<CourierId, Start>();
  const set = (courierId: CourierId, start: Start | null): void => {
    // Taken out first, so that the order of the map is the order of the last event.
    starts.delete(courierId);
    if (start === null) return;
    const [oldest] = starts.keys();
    if (oldest !== undefined && starts.size >= MOST_COURIERS) starts.delete(oldest);
    starts.set(courierId, start);
  };
  return {
    forget: () => starts.clear(),
    take: (event) => {
      const courierId = event.route.courier_id;
      if (courierId === null) return null;
      const at = Date.parse(event.created_at);
      const start = starts.get(courierId) ?? null;
      if (SETS_OUT.includes(event.type)) {
        set(courierId, stay(ctx, event, courierId, start) ?? placeAt(ctx, courierId, at));
        return null;
      }
      if (event.type === 'in_transit') {
        if (start !== null) set(courierId, depart(ctx, event, courierId, start));
        return null;
      }
      if (!AT_STOP.includes(event.type)) return null;
      const place = isSeen(event) ? stopOf(event) : null;
      const end = place === null ? null : { place, at, waiting: waitingOf(event, at) };
      // A courier who is elsewhere has left already, or the pin is wrong. Nobody will know when they leave.
      set(courierId, end === null || isAway(ctx, courierId, end) ? null : end);
      return start === null || end === null ? null : legOf(ctx, event, start, end);
    },
    look: () => {
      for (const [courierId, start] of starts) {
        const left = leftBy(ctx, courierId, start);
        // Their place in the order stays, as nothing was heard of them.
        if (left !== null) starts.set(courierId, left);
      }
    },
  };
}

function waitingOf({ type, data, delivery_id: id, live_mode: liveMode }: DomainEvent, at: number): Waiting | null {
  const vehicle = data.courier?.vehicle_type;
  if (vehicle === undefined) return null;
  return { vehicle, liveMode, collected: type === 'picked_up' ? { id, at } : null };
}

/**
 * A correction by staff was true at another time. A courier who gives a reason for being elsewhere is not at the stop.
 */
function isSeen({ data: { actor, override_reason: why } }: DomainEvent): boolean {
  return (actor.type === 'courier' || actor.type === 'system') && why === undefined;
}

function placeAt({ positions }: Needs, courierId: CourierId, at: number): Start | null {
  const position = positions.last(courierId);
  if (position === null || Math.abs(at - position.at) > FRESH_MS) return null;
  return { place: { lat: position.lat, lng: position.lng }, at: position.at, waiting: null };
}

/**
 * The start of a courier whose way changes while they are at a stop, and who leaves from there later; null for another one.
 * Goods that were collected keep them until their departure, unless these very goods are canceled.
 */
function stay(ctx: Needs, event: DomainEvent, courierId: CourierId, start: Start | null): Start | null {
  if (start === null || start.waiting === null) return null;
  const { collected } = start.waiting;
  if (collected !== null) return collected.id === event.delivery_id ? null : start;
  const at = Date.parse(event.created_at);
  const later = { ...start, at: Math.max(start.at, at) };
  return placeAt(ctx, courierId, at) === null || isAway(ctx, courierId, later) ? null : later;
}

/** The start of a courier who departs with goods: by their report, by a fix, or when couriers usually do. */
function depart(ctx: Needs, event: DomainEvent, courierId: CourierId, start: Start): Start {
  const stop = stopOf(event);
  if (start.waiting?.collected == null || stop === null || !isSamePlace(start.place, stop)) return start;
  const at = Date.parse(event.created_at);
  if (event.data.actor.type === 'courier' && isSeen(event)) return leave(start, at);
  return leftBy(ctx, courierId, start) ?? leaveUnseen(ctx, start, at);
}

/** The start of a courier whose fix shows them away from their stop: a little before it. Null if it does not show that. */
function leftBy(ctx: Needs, courierId: CourierId, start: Start): Start | null {
  const { place, at, waiting } = start;
  if (waiting === null) return null;
  const fix = ctx.positions.last(courierId);
  if (fix === null || fix.at <= at || !isAway(ctx, courierId, start)) return null;
  const awayM = distanceM(fix, place);
  if (awayM > ctx.settings.geofence.departM + NEAR_M) return leaveUnseen(ctx, start, fix.at);
  return leave(start, Math.max(at, fix.at - (awayM / crowSpeedMps(waiting.vehicle)) * 1000));
}

/** Whether the last fix, if it is not old, shows the courier away from the stop. Indoors it may be as wrong as the phone says. */
function isAway({ positions, settings }: Needs, courierId: CourierId, { place, at }: Start): boolean {
  const fix = positions.last(courierId);
  if (fix === null || at - fix.at > FRESH_MS) return false;
  return distanceM(fix, place) - fix.accuracyM >= settings.geofence.departM;
}

function leave({ place, waiting }: Start, at: number): Start {
  const collected = waiting?.collected ?? null;
  return { place, at, waiting: null, ...(collected === null ? {} : { setOffS: (at - collected.at) / 1000 }) };
}

/** The start of a courier who has left by this time, nobody knows when: with goods, when couriers usually do. */
function leaveUnseen({ travel }: Needs, { place, at, waiting }: Start, by: number): Start {
  if (waiting === null || waiting.collected === null) return { place, at, waiting: null };
  const { vehicle, liveMode, collected } = waiting;
  const usualAt = collected.at + travel.setOffS({ from: place, vehicle, liveMode }) * 1000;
  return { place, at: Math.min(by, usualAt), waiting: null };
}

function stopOf({ data: { delivery, stop = 0 } }: DomainEvent): Coordinates | null {
  if (delivery === undefined) return null;
  return (stop === 0 ? delivery.pickup : delivery.drop_off[stop - 1])?.coordinates ?? null;
}

function legOf({ settings }: Needs, event: DomainEvent, start: Start, end: Start): Leg | null {
  const { courier, actor } = event.data;
  if (courier === undefined || isSamePlace(start.place, end.place)) return null;
  // The geofence reports an arrival only after the courier has been there for a while.
  const lateMs = actor.type === 'system' ? settings.geofence.dwellMs : 0;
  return {
    from: start.place,
    to: end.place,
    startedAt: start.at,
    arrivedAt: end.at - lateMs,
    vehicle: courier.vehicle_type,
    liveMode: event.live_mode,
    ...(start.setOffS === undefined ? {} : { setOffS: start.setOffS }),
  };
}
