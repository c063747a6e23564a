import { z } from 'zod';
import { VEHICLE_TYPES } from '../couriers/courier.ts';
import { DeliveryView } from './delivery-view.ts';
import { idSchema, type CourierId, type DeliveryId, type EventId, type VendorId } from '../ids.ts';
import { ACTOR_TYPES, STATES } from './states.ts';

/** The readers of events. `webhook` is the vendor's server, `vendor` its sockets. */
export const AUDIENCES = ['vendor', 'staff', 'courier', 'track', 'webhook'] as const;
export type Audience = (typeof AUDIENCES)[number];

const OFFICE: readonly Audience[] = ['vendor', 'staff', 'webhook'];
const ALL: readonly Audience[] = AUDIENCES;

const Card = z.strictObject({ id: idSchema('cou'), first_name: z.string(), vehicle_type: z.enum(VEHICLE_TYPES) });

const moved = {
  from: z.enum(STATES).nullable(),
  to: z.enum(STATES),
  stage: z.string().nullable(),
  stop: z.number().int().exactOptional(),
  actor: z.strictObject({ type: z.enum(ACTOR_TYPES), id: z.string().exactOptional() }),
  reason: z.string().exactOptional(),
  override_reason: z
    .string()
    .exactOptional()
    .describe(
      'Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it',
    ),
  ready_at: z.iso.datetime().exactOptional(),
  courier: Card.exactOptional(),
  delivery: DeliveryView.exactOptional(),
};

const Moved = z.strictObject(moved);
const Assigned = z.strictObject({ ...moved, courier: Card });
const AtStop = z.strictObject({ ...moved, stop: z.number().int() });
const Prepared = z.strictObject({ ...moved, ready_at: z.iso.datetime() });
const Explained = z.strictObject({ ...moved, reason: z.string() });

type EventRow = {
  readonly data: z.ZodObject;
  readonly to: readonly Audience[];
  readonly history: boolean;
  readonly webhook: 'published' | 'additive' | 'none';
};

/** The one catalogue of events: their payload, their readers, history and webhooks. */
// One row per line: this is a table.
// oxfmt-ignore
export const EVENTS = {
  'delivery.created':         { data: Moved,     to: OFFICE, history: true, webhook: 'published' },
  'delivery.searching':       { data: Moved,     to: OFFICE, history: true, webhook: 'additive' },
  'courier.assigned':         { data: Assigned,  to: ALL,    history: true, webhook: 'published' },
  'courier.unassigned':       { data: Explained, to: ALL,    history: true, webhook: 'additive' },
  'courier.arrived_pickup':   { data: AtStop,    to: ALL,    history: true, webhook: 'additive' },
  picked_up:                  { data: Moved,     to: ALL,    history: true, webhook: 'published' },
  in_transit:                 { data: Moved,     to: ALL,    history: true, webhook: 'published' },
  'courier.arrived_drop_off': { data: AtStop,    to: ALL,    history: true, webhook: 'additive' },
  'drop_off.delivered':       { data: AtStop,    to: ALL,    history: true, webhook: 'additive' },
  'drop_off.failed':          { data: AtStop,    to: ALL,    history: true, webhook: 'additive' },
  delivered:                  { data: Moved,     to: ALL,    history: true, webhook: 'published' },
  'delivery.failed':          { data: Moved,     to: ALL,    history: true, webhook: 'additive' },
  canceled:                   { data: Moved,     to: ALL,    history: true, webhook: 'published' },
  'delivery.updated':         { data: Moved,     to: ALL,    history: true, webhook: 'additive' },
  'delivery.ready':           { data: Prepared,  to: ALL,    history: true, webhook: 'additive' },
  'delivery.delayed':         { data: Prepared,  to: ALL,    history: true, webhook: 'additive' },
  'delivery.search_delayed':  { data: Moved,     to: OFFICE, history: true, webhook: 'additive' },
} as const satisfies Record<string, EventRow>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** The catalogue's row of an event type. */
export function rowOf(type: EventType): EventRow {
  return EVENTS[type];
}

export type EventData = z.output<typeof Moved>;

/** The stored event, in wire form except for `route`, which is never sent. */
export type DomainEvent = {
  readonly id: EventId;
  readonly object: 'event';
  readonly type: EventType;
  readonly api_version: string;
  readonly created_at: string;
  readonly live_mode: boolean;
  readonly sequence: number;
  readonly delivery_id: DeliveryId;
  readonly external_id?: string;
  readonly vendor_id: VendorId;
  readonly data: EventData;
  readonly route: EventRoute;
};

export type EventRoute = {
  readonly vendor_id: VendorId;
  readonly live_mode: boolean;
  readonly courier_id: CourierId | null;
  /** The H3 resolution-7 cell of the pickup. */
  readonly cell: string;
};

export const API_VERSION = '2026-11-22';
