import type { CourierId } from '../ids.ts';
import type { Delivery, Times } from './delivery.ts';
import type { DomainEvent } from './events.ts';
import { hasCourier } from './lifecycle.ts';
import type { Stop } from './stops/stop.ts';

type CarriedStop = Pick<Stop, 'index' | 'visit' | 'state' | 'place' | 'window' | 'arrivedAt'>;

/**
 * The fields of a delivery with a courier that the geofence, the watch for silent couriers, the fan-out of positions,
 * expected arrivals and the end of alarms need. Every change of them makes an event.
 */
export type Carried = Pick<Delivery, 'id' | 'vendorId' | 'liveMode' | 'state' | 'sequence'> & {
  readonly courierId: CourierId;
  readonly pickup: CarriedStop;
  readonly dropOffs: readonly CarriedStop[];
  readonly times: Pick<Times, 'createdAt' | 'assignedAt' | 'pickedUpAt'>;
};

/** The carried delivery as it is stored; null if it has no courier. */
export function carriedOf(delivery: Delivery): Carried | null {
  const { id, vendorId, liveMode, state, sequence, courierId, pickup, dropOffs, times } = delivery;
  if (courierId === null || !hasCourier(state)) return null;
  const { createdAt, assignedAt, pickedUpAt } = times;
  return {
    id,
    vendorId,
    liveMode,
    state,
    sequence,
    courierId,
    pickup: stopOf(pickup),
    dropOffs: dropOffs.map(stopOf),
    times: { createdAt, assignedAt, pickedUpAt },
  };
}

/**
 * The carried delivery as it was after the event; null if it had no courier then.
 * @throws Error if the event of such a delivery does not contain it
 */
export function carriedAfter({ id: eventId, delivery_id: id, sequence, data, route }: DomainEvent): Carried | null {
  const { to: state, delivery } = data;
  if (route.courier_id === null || !hasCourier(state)) return null;
  if (delivery === undefined) throw new Error(`event ${eventId} does not contain its delivery`);
  const timeOf = (step: string): number | null => msOf(delivery.timestamps[step] ?? null);
  return {
    id,
    vendorId: route.vendor_id,
    liveMode: route.live_mode,
    state,
    sequence,
    courierId: route.courier_id,
    pickup: stopIn(delivery.pickup),
    dropOffs: delivery.drop_off.map(stopIn),
    times: {
      createdAt: Date.parse(delivery.created_at),
      assignedAt: timeOf('assigned_at'),
      pickedUpAt: timeOf('picked_up_at'),
    },
  };
}

function stopOf({ index, visit, state, place, window, arrivedAt }: Stop): CarriedStop {
  return { index, visit, state, place: { lat: place.lat, lng: place.lng }, window, arrivedAt };
}

function stopIn(stop: NonNullable<DomainEvent['data']['delivery']>['pickup']): CarriedStop {
  const { visit, status: state, coordinates, window, arrived_at: arrivedAt } = stop;
  return {
    index: stop.stop,
    visit,
    state,
    place: { lat: coordinates.lat, lng: coordinates.lng },
    window: window === null ? null : { readyAt: msOf(window.ready_at), deadlineAt: msOf(window.deadline_at) },
    arrivedAt: msOf(arrivedAt),
  };
}

function msOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
