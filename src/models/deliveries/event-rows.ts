import type { DomainEvent } from '../../domain/deliveries/events.ts';

/**
 * An event as a document: its key makes a sequence number unique, `webhooks` says whether a sender still owes it. Once its
 * delivery has ended, `endsOn` says when it goes.
 */
export type EventRow = DomainEvent & {
  readonly _id: string;
  readonly webhooks: 'due' | 'done';
  readonly endsOn?: Date;
};

/** What is stored beside the event is not read with it. */
export const AS_EVENT = { projection: { _id: 0, webhooks: 0, endsOn: 0 } } as const;

export function eventKey({ delivery_id: deliveryId, sequence }: DomainEvent): string {
  return `${deliveryId}:${sequence}`;
}

/** @param ends when the event goes; null while its delivery is open */
export function eventRow(event: DomainEvent, ends: Date | null): EventRow {
  return { _id: eventKey(event), ...event, webhooks: 'due', ...(ends === null ? {} : { endsOn: ends }) };
}

export function eventOf({ _id, webhooks: _webhooks, endsOn: _endsOn, ...event }: EventRow): DomainEvent {
  return event;
}
