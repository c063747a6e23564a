import type { DomainEvent } from '../domain/events.ts';

/** An event as a document: its key makes a sequence number unique, `webhooks` says whether a sender still owes it. */
export type EventRow = DomainEvent & { readonly _id: string; readonly webhooks: 'due' | 'done' };

export function eventKey({ delivery_id: deliveryId, sequence }: DomainEvent): string {
  return `${deliveryId}:${sequence}`;
}

export function eventRow(event: DomainEvent): EventRow {
  return { _id: eventKey(event), ...event, webhooks: 'due' };
}
