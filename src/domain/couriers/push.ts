import type { DomainEvent, EventType } from '../deliveries/events.ts';
import type { CourierId, DeliveryId, DocumentId, OfferId } from '../ids.ts';

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
  document_expiring:   { title: 'One of your documents expires soon', means: 'An approved document of the courier expires soon.' },
} as const;

export type PushType = keyof typeof PUSHES;
export const PUSH_TYPES = Object.keys(PUSHES) as PushType[];

/** The events of a delivery that a courier should learn of while their app is closed. */
const OF_EVENTS: { readonly [T in EventType]?: DeliveryPush['type'] } = {
  'courier.assigned': 'delivery_assigned',
  'courier.unassigned': 'delivery_unassigned',
  canceled: 'delivery_canceled',
  'delivery.updated': 'delivery_changed',
  'delivery.ready': 'pickup_ready',
  'delivery.delayed': 'pickup_delayed',
};

/** A push about a delivery or an offer: ids and no more. The app that it wakes connects and reads the rest there. */
export type DeliveryPush = {
  readonly type: Exclude<PushType, 'document_expiring'>;
  readonly courierId: CourierId;
  readonly deliveryId: DeliveryId;
  /** Null if the push is not about an offer. */
  readonly offerId: OfferId | null;
  /** Machine time in ms after which the push is useless. */
  readonly ttlRealMs: number;
};

/** A push about a document, which the app reads. */
export type DocumentPush = Pick<DeliveryPush, 'courierId' | 'ttlRealMs'> & {
  readonly type: 'document_expiring';
  readonly documentId: DocumentId;
};

export type CourierPush = DeliveryPush | DocumentPush;

/** The type and the ids of a push, by their names on the wire. */
export function dataOf(push: CourierPush): Readonly<Record<string, string>> {
  if (push.type === 'document_expiring') return { type: push.type, document_id: push.documentId };
  const { type, deliveryId, offerId } = push;
  return { type, delivery_id: deliveryId, ...(offerId === null ? {} : { offer_id: offerId }) };
}

/** The object of a push. A newer push about the same object takes the place of an older one. */
export function objectOf(push: CourierPush): string {
  return push.type === 'document_expiring' ? push.documentId : push.deliveryId;
}

/** The push that an event causes; null if no courier has the delivery, or if they did it themselves. */
export function pushOf({ type, data, delivery_id, route }: DomainEvent): Omit<DeliveryPush, 'ttlRealMs'> | null {
  const push = OF_EVENTS[type];
  const { courier_id: courierId } = route;
  if (push === undefined || courierId === null || data.actor.type === 'courier') return null;
  return { type: push, courierId, deliveryId: delivery_id, offerId: null };
}
