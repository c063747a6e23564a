import { COUNTED_EVENTS } from '../../../domain/analytics/roll-up.ts';
import type { DomainEvent, EventRoute } from '../../../domain/deliveries/events.ts';
import { ENDING } from '../../../engines/retention.ts';
import {
  date,
  flag,
  id,
  maybe,
  number,
  omissible,
  oneOf,
  part,
  text,
  whole,
  word,
} from '../../../engines/shapes/fields.ts';
import { shape } from '../../../engines/shapes/shape.ts';

/**
 * An event as a document. Its key makes its sequence number unique. `webhooks` says whether its attempts are still to
 * be made, and `counted` whether the roll-ups must count it. Once its delivery has ended, `endsOn` says when the event expires.
 */
export type EventRow = DomainEvent & {
  readonly _id: string;
  readonly webhooks: 'due' | 'done';
  readonly counted?: 'due' | 'done';
  readonly endsOn?: Date;
};

/** All events of a delivery are on one shard, so their `_id`, made of delivery and sequence, is unique. */
export const EVENTS_LOG = shape<EventRow>({
  name: 'events',
  holds: 'One fact about a delivery, in its published form. It never changes.',
  kept: 'Until `RETENTION_EVENTS_MS` after the end of the delivery.',
  shardKey: { delivery_id: 'hashed' },
  tenant: {
    pins: ({ vendorId, liveMode }) => ({ vendor_id: vendorId, live_mode: liveMode }),
    keys: ['_id', 'id', 'delivery_id'],
  },
  indexes: [
    { key: { delivery_id: 1, sequence: 1 } },
    { key: { vendor_id: 1, live_mode: 1, created_at: -1, id: -1 } },
    { key: { vendor_id: 1, live_mode: 1, type: 1, created_at: -1, id: -1 } },
    { key: { id: 1 } },
    { key: { webhooks: 1, created_at: 1, _id: 1 }, partialFilterExpression: { webhooks: 'due' } },
    { key: { webhooks: 1, delivery_id: 1, sequence: 1, type: 1 }, partialFilterExpression: { webhooks: 'due' } },
    { key: { counted: 1, created_at: 1, _id: 1 }, partialFilterExpression: { counted: 'due' } },
    ENDING,
  ],
  fields: {
    _id: text('The delivery’s id and the sequence number, so that each number is unique.'),
    id: id('evt', 'The event’s id.'),
    object: oneOf(['event'], 'The kind of object, for readers.'),
    type: word('The type of the event. The list of types grows with the catalogue of events.'),
    api_version: text('The version of the API whose form the event has.'),
    created_at: text('When the event happened, in ISO 8601.'),
    live_mode: flag('False for an event of test mode.'),
    sequence: number('The event’s number within its delivery.'),
    delivery_id: id('del', 'The delivery.'),
    external_id: omissible(text('The vendor’s own id of the delivery.')),
    vendor_id: id('ven', 'The vendor.'),
    data: whole('The payload. Each type has a zod schema for it, which the compiler and the readers check.'),
    route: part<EventRoute>(
      {
        vendor_id: id('ven', 'The vendor whose sockets get it.'),
        live_mode: flag('The mode whose sockets get it.'),
        courier_id: maybe(id('cou', 'The courier whose phone gets it.')),
        cell: text('The H3 cell of the pickup, resolution 7.'),
      },
      'The readers of the event. The route is never sent.',
    ),
    webhooks: oneOf(['due', 'done'], 'Whether the event’s attempts are still to be made.'),
    counted: omissible(oneOf(['due', 'done'], 'Whether the roll-ups have counted the event.')),
    endsOn: omissible(date('When the database may delete the event; left out while the delivery is open.')),
  },
});

/** Leaves out the fields that only the store needs. */
export const AS_EVENT = { projection: { _id: 0, webhooks: 0, counted: 0, endsOn: 0 } } as const;

export function eventKey({ delivery_id: deliveryId, sequence }: DomainEvent): string {
  return `${deliveryId}:${sequence}`;
}

/** @param ends when the event expires; null while its delivery is open */
export function eventRow(event: DomainEvent, ends: Date | null): EventRow {
  const counted = COUNTED_EVENTS.includes(event.type) ? { counted: 'due' as const } : {};
  return { _id: eventKey(event), ...event, webhooks: 'due', ...counted, ...(ends === null ? {} : { endsOn: ends }) };
}

export function eventOf({
  _id,
  webhooks: _webhooks,
  counted: _counted,
  endsOn: _endsOn,
  ...event
}: EventRow): DomainEvent {
  return event;
}
