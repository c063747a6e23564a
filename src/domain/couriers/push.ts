import type { DomainEvent, EventType } from '../deliveries/events.ts';
import type { CourierId, DeliveryId, OfferId } from '../ids.ts';

/**
 * The types of pushes, with their words on the lock screen. Pushes pass through other companies' servers, so the words
 * name no person and no place.
 */
// One row per line: this is a table.
// oxfmt-ignore
export const PUSHES = {
  offer:               { title: 'New delivery offer',                 means: 'An offer waits for an answer.' },
  offer_withdrawn:     { title: 'A delivery offer was withdrawn',     means: 'An offer that an earlier push announced is gone.' },
  delivery_assigned:   { title: 'A delivery was assigned to you',     means: 'A dispatcher assigned a delivery to the courier.' },
  delivery_unassigned: { title: 'A delivery was taken off your list', means: 'The courier no longer has the delivery.' },
  delivery_canceled:   { title: 'A delivery was canceled',            means: 'A delivery of the courier was canceled.' },
  delivery_changed:    { title: 'A delivery has changed',             means: 'The address, the instructions or other data of a delivery changed.' },
  pickup_ready:        { title: 'A pickup is ready',                  means: 'The goods of a delivery can be collected.' },
  pickup_delayed:      { title: 'A pickup was delayed',               means: 'The goods of a delivery can be collected later than before.' },
} as const;

export type PushType = keyof typeof PUSHES;
export const PUSH_TYPES = Object.keys(PUSHES) as PushType[];

/** The events of a delivery that a courier should learn of while their app is closed. */
const OF_EVENTS: { readonly [T in EventType]?: PushType } = {
  'courier.assigned': 'delivery_assigned',
  'courier.unassigned': 'delivery_unassigned',
  canceled: 'delivery_canceled',
  'delivery.updated': 'delivery_changed',
  'delivery.ready': 'pickup_ready',
  'delivery.delayed': 'pickup_delayed',
};

/** The content of a push: ids and no more. The app that it wakes connects and reads the rest there. */
export type CourierPush = {
  readonly type: PushType;
  readonly courierId: CourierId;
  readonly deliveryId: DeliveryId;
  /** Null if the push is not about an offer. */
  readonly offerId: OfferId | null;
  /** Machine time in ms after which the push is useless. */
  readonly ttlRealMs: number;
};

/** The push that an event causes; null if no courier has the delivery, or if they did it themselves. */
export function pushOf({ type, data, delivery_id, route }: DomainEvent): Omit<CourierPush, 'ttlRealMs'> | null {
  const push = OF_EVENTS[type];
  const { courier_id: courierId } = route;
  if (push === undefined || courierId === null || data.actor.type === 'courier') return null;
  return { type: push, courierId, deliveryId: delivery_id, offerId: null };
}
