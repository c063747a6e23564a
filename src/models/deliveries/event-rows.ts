import type { DomainEvent } from '../../domain/deliveries/events.ts';
import type { EventRow } from './event-shape.ts';

/** Leaves out the fields that only the store needs. */
export const AS_EVENT = { projection: { _id: 0, webhooks: 0, endsOn: 0 } } as const;

export function eventKey({ delivery_id: deliveryId, sequence }: DomainEvent): string {
  return `${deliveryId}:${sequence}`;
}

/** @param ends when the event expires; null while its delivery is open */
export function eventRow(event: DomainEvent, ends: Date | null): EventRow {
  return { _id: eventKey(event), ...event, webhooks: 'due', ...(ends === null ? {} : { endsOn: ends }) };
}

export function eventOf({ _id, webhooks: _webhooks, endsOn: _endsOn, ...event }: EventRow): DomainEvent {
  return event;
}
