/**
 * Names of rooms. The server alone chooses them. No name may be 20 characters long: the sharded adapter takes such a
 * name for a socket's id.
 */
import type { Audience } from '../domain/events.ts';
import type { DomainEvent } from '../domain/events.ts';
import type { CourierId, DeliveryId, VendorId } from '../domain/ids.ts';
import type { Namespace } from './protocol.ts';

/** One courier's connection. */
export function courierRoom(id: CourierId): string {
  return `c:${id}`;
}

/** All connections of a vendor in one mode. */
export function vendorRoom(id: VendorId, liveMode: boolean): string {
  return `v:${id}:${liveMode ? 'live' : 'test'}`;
}

/** The recipients of a delivery. */
export function deliveryRoom(id: DeliveryId): string {
  return `d:${id}`;
}

/** The dispatchers who watch a cell. */
export function cellRoom(cell: string): string {
  return `g:${cell}`;
}

/** The connections that are catching up on a delivery and must not hear it live yet. */
export function holdRoom(id: DeliveryId): string {
  return `h:${id}`;
}

/** What decides who hears of a delivery; an event's `route` and `delivery_id` have this shape. */
export type Route = DomainEvent['route'] & { readonly delivery_id: DeliveryId };

type Line = {
  readonly namespace: Namespace;
  readonly audience: Audience;
  readonly roomOf: (route: Route) => string | null;
};

/** Who hears of a delivery in each namespace: exactly one room. */
export const LINES: readonly Line[] = [
  {
    namespace: '/courier',
    audience: 'courier',
    roomOf: (route) => (route.courier_id === null ? null : courierRoom(route.courier_id)),
  },
  {
    namespace: '/vendor',
    audience: 'vendor',
    roomOf: (route) => vendorRoom(route.vendor_id, route.live_mode),
  },
  { namespace: '/track', audience: 'track', roomOf: (route) => deliveryRoom(route.delivery_id) },
  { namespace: '/admin', audience: 'staff', roomOf: (route) => cellRoom(route.cell) },
];

export const AUDIENCE_OF: Readonly<Record<Namespace, Audience>> = {
  '/courier': 'courier',
  '/vendor': 'vendor',
  '/track': 'track',
  '/admin': 'staff',
};
