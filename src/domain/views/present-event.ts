import type { VehicleType } from '../couriers/courier.ts';
import type { VendorId } from '../ids.ts';
import { rowOf, type Audience, type DomainEvent, type EventData, type EventType } from '../deliveries/events.ts';
import { isTerminal } from '../deliveries/lifecycle.ts';
import { isStopEnded } from '../deliveries/stops/stop.ts';

/** An event as one audience receives it. */
export type PresentedEvent = Omit<DomainEvent, 'route' | 'data' | 'vendor_id'> & {
  readonly vendor_id?: VendorId;
  readonly data: PresentedData;
};

type Unnamed = { readonly first_name: string; readonly vehicle_type: VehicleType };
type PresentedData = Partial<Omit<EventData, 'courier'>> & { readonly courier?: EventData['courier'] | Unnamed };

/** The reader of an event: one of the audiences. A recipient is known by the number of their own drop-off. */
export type Viewer = Exclude<Audience, 'track'> | { readonly stop: number };

/**
 * The event as this viewer may see it. It is the only difference between readers. An audience outside the row's
 * receives the envelope with empty data, so that sequences have no holes. Couriers and recipients receive no snapshot
 * of the delivery. Recipients receive no ids of persons, no vendor id, no override reason, and not why a courier was
 * unassigned: people write these for colleagues. For another recipient's stop they receive only the sequence.
 */
export function present(event: DomainEvent, viewer: Viewer): PresentedEvent {
  const { route: _route, vendor_id: vendorId, external_id: externalId, data, ...envelope } = event;
  const audience = typeof viewer === 'object' ? 'track' : viewer;
  const isFor = rowOf(event.type).to.includes(audience);
  if (typeof viewer === 'object') {
    if (!isAbout(event, viewer.stop)) return { ...envelope, type: 'delivery.updated', data: {} };
    return { ...envelope, data: isFor ? withoutPersons(event.type, data) : {} };
  }
  const named = externalId === undefined ? envelope : { ...envelope, external_id: externalId };
  if (!isFor) return { ...named, vendor_id: vendorId, data: {} };
  if (audience === 'courier') return { ...named, vendor_id: vendorId, data: withoutDelivery(data) };
  return { ...named, vendor_id: vendorId, data };
}

/**
 * Says whether an event is about this drop-off, or about something that all recipients share. Once a stop has ended,
 * other events are about the other stops. If stops end differently, the end of the delivery is the end of only those
 * stops that ended the same way.
 */
function isAbout({ data: { stop: about = 0, to, delivery } }: DomainEvent, stop: number): boolean {
  if (about !== 0 && about !== stop) return false;
  const own = delivery?.drop_off[stop - 1]?.status;
  if (own === undefined || !isStopEnded({ state: own })) return true;
  return isTerminal(to) ? own === to : about === stop;
}

function withoutDelivery({ delivery: _delivery, ...data }: EventData): PresentedData {
  return data;
}

function withoutPersons(
  type: EventType,
  { delivery: _delivery, override_reason: _why, changed: _changed, actor, courier, reason, ...data }: EventData,
): PresentedData {
  const { id: _id, ...unnamed } = courier ?? { id: null };
  return {
    ...data,
    actor: { type: actor.type },
    ...(courier === undefined ? {} : { courier: unnamed as Unnamed }),
    ...(reason === undefined || type === 'courier.unassigned' ? {} : { reason }),
  };
}
