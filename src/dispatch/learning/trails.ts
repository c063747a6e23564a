import type { DomainEvent, EventType } from '../../domain/deliveries/events.ts';
import { distanceM, isSamePlace, type Coordinates } from '../../domain/geo/geo.ts';
import type { CourierId, DeliveryId } from '../../domain/ids.ts';
import { crowSpeedMps, type Leg } from '../../domain/learning/travel.ts';
import type { Context } from '../../ports/context.ts';

/** The couriers' last known stops, followed through the event log. */
export type Trails = {
  /** Takes an event in the order of the log. Returns the leg that ended with it, or null. */
  take(event: DomainEvent): Leg | null;
  /** Events may be missing, so all starting places are forgotten. */
  forget(): void;
};

type Needs = Pick<Context, 'positions' | 'settings'> & { readonly travel: Pick<Context['travel'], 'setOffS'> };
/** Where and when a courier set out; service time in ms. */
type Start = {
  readonly place: Coordinates;
  readonly at: number;
  /** The goods that they collected last at this place; null from their first departure on. */
  readonly collected: { readonly id: DeliveryId; readonly at: number } | null;
  /** Seconds from that collection to the start, if the departure is known. */
  readonly setOffS?: number;
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
        // A courier who has collected other goods leaves from there, and later.
        const isWaiting = start?.collected != null && start.collected.id !== event.delivery_id;
        set(courierId, isWaiting ? start : placeAt(ctx, courierId, at));
        return null;
      }
      if (event.type === 'in_transit') {
        if (start !== null) set(courierId, departure(ctx, event, courierId, start));
        return null;
      }
      if (!AT_STOP.includes(event.type)) return null;
      const place = isSeen(event) ? stopOf(event) : null;
      const collected = event.type === 'picked_up' ? { id: event.delivery_id, at } : null;
      const end = place === null ? null : { place, at, collected };
      set(courierId, end);
      return start === null || end === null ? null : legOf(ctx, event, start, end);
    },
  };
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
  return { place: { lat: position.lat, lng: position.lng }, at: position.at, collected: null };
}

/**
 * The start of a courier who leaves with goods: when they report it, or a little before the fix that shows them away from the
 * pickup. If there is neither, they leave when couriers usually do.
 */
function departure(ctx: Needs, event: DomainEvent, courierId: CourierId, start: Start): Start {
  const { data, live_mode: liveMode } = event;
  const { place, collected } = start;
  const stop = stopOf(event);
  if (collected === null || stop === null || data.courier === undefined || !isSamePlace(place, stop)) return start;
  const at = Date.parse(event.created_at);
  const vehicle = data.courier.vehicle_type;
  const leaving = (then: number): Start => ({
    place,
    at: then,
    collected: null,
    setOffS: (then - collected.at) / 1000,
  });
  if (data.actor.type === 'courier' && isSeen(event)) return leaving(at);
  const fix = placeAt(ctx, courierId, at);
  const awayM = fix === null ? 0 : distanceM(fix.place, place);
  if (fix === null || awayM < ctx.settings.geofence.departM) {
    const usualS = ctx.travel.setOffS({ from: place, vehicle, liveMode });
    return { place, at: Math.min(at, collected.at + usualS * 1000), collected: null };
  }
  return leaving(Math.max(collected.at, fix.at - (awayM / crowSpeedMps(vehicle)) * 1000));
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
