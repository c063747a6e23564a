/**
 * Names of rooms. Only the server chooses them. A name must not have 20 characters, because the sharded adapter treats
 * such a name as the id of a socket.
 */
import type { DomainEvent, EventRoute } from '../../domain/deliveries/events.ts';
import type { Viewer } from '../../domain/views/present-event.ts';
import type { CourierId, DeliveryId, VendorId } from '../../domain/ids.ts';
import type { Namespace } from '../protocol.ts';
import type { SocketCaller } from '../sockets.ts';

/** The connection of one courier. */
export function courierRoom(id: CourierId): string {
  return `c:${id}`;
}

/** All connections of a vendor in one mode. */
export function vendorRoom(id: VendorId, liveMode: boolean): string {
  return `v:${id}:${liveMode ? 'live' : 'test'}`;
}

/** The recipients of one drop-off of a delivery. */
export function recipientRoom(id: DeliveryId, stop: number): string {
  return `d:${id}:${stop}`;
}

/** The dispatchers who watch a cell. */
export function cellRoom(cell: string): string {
  return `g:${cell}`;
}

/** The connections that catch up on a delivery and must not receive live events yet. */
export function holdRoom(id: DeliveryId): string {
  return `h:${id}`;
}

/** The facts that decide which rooms receive a delivery. `dropOffs` is their number. */
export type Route = EventRoute & { readonly deliveryId: DeliveryId; readonly dropOffs: number };

/** The route of an event: the facts as they were at the time of the event. */
export function routeOf({ delivery_id: deliveryId, route, data }: DomainEvent): Route {
  return { ...route, deliveryId, dropOffs: data.delivery?.drop_off.length ?? 1 };
}

/** A room of one namespace, with the viewer for whom its events are made. */
export type Place = { readonly namespace: Namespace; readonly room: string; readonly viewer: Viewer };

/** The rooms that receive a delivery: one in each namespace, and one for each recipient. */
export function placesOf({ deliveryId, dropOffs, ...route }: Route): Place[] {
  const { courier_id: courierId, vendor_id: vendorId, live_mode: liveMode, cell } = route;
  return [
    ...(courierId === null ? [] : [courierPlace(courierId)]),
    { namespace: '/vendor', room: vendorRoom(vendorId, liveMode), viewer: 'vendor' },
    ...Array.from({ length: dropOffs }, (_, index) => recipientPlace(deliveryId, index + 1)),
    { namespace: '/admin', room: cellRoom(cell), viewer: 'staff' },
  ];
}

export function courierPlace(id: CourierId): Place {
  return { namespace: '/courier', room: courierRoom(id), viewer: 'courier' };
}

function recipientPlace(id: DeliveryId, stop: number): Place {
  return { namespace: '/track', room: recipientRoom(id, stop), viewer: { stop } };
}

const VIEWER_OF = { courier: 'courier', vendor: 'vendor', staff: 'staff' } as const;

/** The viewer for whom events of a connection are made. */
export function viewerOf(caller: SocketCaller): Viewer {
  return caller.type === 'recipient' ? { stop: caller.stop } : VIEWER_OF[caller.type];
}
