/**
 * Names of rooms. The server alone chooses them. No name may be 20 characters long: the sharded adapter takes such a
 * name for a socket's id.
 */
import type { DomainEvent, EventRoute } from '../../domain/deliveries/events.ts';
import type { Viewer } from '../../domain/views/present-event.ts';
import type { CourierId, DeliveryId, VendorId } from '../../domain/ids.ts';
import type { Namespace } from '../protocol.ts';
import type { SocketCaller } from '../sockets.ts';

/** One courier's connection. */
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

/** The connections that are catching up on a delivery and must not hear it live yet. */
export function holdRoom(id: DeliveryId): string {
  return `h:${id}`;
}

/** What decides who hears of a delivery. `dropOffs` is how many it has. */
export type Route = EventRoute & { readonly deliveryId: DeliveryId; readonly dropOffs: number };

/** The route of an event: who hears of the delivery as of then. */
export function routeOf({ delivery_id: deliveryId, route, data }: DomainEvent): Route {
  return { ...route, deliveryId, dropOffs: data.delivery?.drop_off.length ?? 1 };
}

/** A room of one namespace, and as whom its members see events. */
export type Place = { readonly namespace: Namespace; readonly room: string; readonly viewer: Viewer };

/** Who hears of a delivery: in each namespace one room, and one for each recipient. */
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

/** As whom a connection sees events. */
export function viewerOf(caller: SocketCaller): Viewer {
  return caller.type === 'recipient' ? { stop: caller.stop } : VIEWER_OF[caller.type];
}
