import { z } from 'zod';
import { CourierCard, DeliveryView } from './delivery-view.ts';
import { idSchema, type CourierId, type DeliveryId, type EventId, type VendorId } from '../ids.ts';
import { ACTOR_TYPES, STATES } from './states.ts';

/** The readers of events. `webhook` is the vendor's server, `vendor` its sockets. */
export const AUDIENCES = ['vendor', 'staff', 'courier', 'track', 'webhook'] as const;
export type Audience = (typeof AUDIENCES)[number];

const OFFICE: readonly Audience[] = ['vendor', 'staff', 'webhook'];
const ALL: readonly Audience[] = AUDIENCES;

/** The actor of an event. */
export const EventActor = z.strictObject({ type: z.enum(ACTOR_TYPES), id: z.string().exactOptional() });

/** The fields of every event. `courier` is the one who has the delivery, or who lost it by the event. */
const common = {
  from: z.enum(STATES).nullable(),
  to: z.enum(STATES),
  stage: z.string().nullable(),
  actor: EventActor,
  courier: CourierCard.exactOptional(),
  delivery: DeliveryView.exactOptional(),
};
const stop = z.number().int();
const reason = z.string().exactOptional();
const readyAt = z.iso.datetime();
const overrideReason = z
  .string()
  .exactOptional()
  .describe('Why the courier or the dispatcher acted although a rule would have refused it; recipients do not see it');

const Moved = z.strictObject(common);
const Assigned = z.strictObject({ ...common, courier: CourierCard, override_reason: overrideReason });
const Unassigned = z.strictObject({ ...common, courier: CourierCard, reason: z.string() });
const PickedUp = z.strictObject({ ...common, override_reason: overrideReason });
const AtStop = z.strictObject({ ...common, stop, override_reason: overrideReason });
const Failed = z.strictObject({ ...common, stop, reason, override_reason: overrideReason });
const Canceled = z.strictObject({ ...common, reason });
const changed = z
  .array(z.string())
  .exactOptional()
  .describe(
    'The fields of the delivery that changed, as JSON pointers into `delivery`. Recipients do not get them. Events of the first release lack them',
  );

const refund = z
  .strictObject({
    id: idSchema('rfd').describe('The id of the refund'),
    amount: z.number().int().describe('The amount that went back, with its tax, minor units'),
    tax: z.number().int().describe('The tax in the amount, minor units'),
  })
  .describe('The refund of the vendor');

const Updated = z.strictObject({ ...common, changed });
const Ready = z.strictObject({ ...common, ready_at: readyAt });
const Delayed = z.strictObject({ ...common, reason, ready_at: readyAt });

const Refunded = z.strictObject({ ...common, refund, reason: z.string() });

/** The payload of any event: all fields of all events. */
export const AnyPayload = z.strictObject({
  from: common.from,
  to: common.to,
  stage: common.stage,
  stop: stop.exactOptional(),
  actor: common.actor,
  reason,
  override_reason: overrideReason,
  ready_at: readyAt.exactOptional(),
  changed,
  refund: refund.exactOptional(),
  courier: common.courier,
  delivery: common.delivery,
});
export type EventData = z.output<typeof AnyPayload>;

type EventRow = {
  readonly data: z.ZodObject;
  readonly to: readonly Audience[];
  readonly webhook: 'published' | 'additive';
  /** The fact that the event reports, as a sentence of the documents. */
  readonly means: string;
};

/** The one catalogue of events: their payload, their readers, and which webhooks get them. */
// One row per line: this is a table.
// oxfmt-ignore
export const EVENTS = {
  'delivery.created':         { data: Moved,      to: OFFICE, webhook: 'published', means: 'The delivery was created.' },
  'delivery.searching':       { data: Moved,      to: OFFICE, webhook: 'additive',  means: 'The search for a courier started.' },
  'courier.assigned':         { data: Assigned,   to: ALL,    webhook: 'published', means: 'A courier was assigned to the delivery.' },
  'courier.unassigned':       { data: Unassigned, to: ALL,    webhook: 'additive',  means: 'The courier no longer has the delivery, and `reason` says why.' },
  'courier.arrived_pickup':   { data: AtStop,     to: ALL,    webhook: 'additive',  means: 'The courier arrived at the pickup.' },
  picked_up:                  { data: PickedUp,   to: ALL,    webhook: 'published', means: 'The courier collected the goods.' },
  in_transit:                 { data: Moved,      to: ALL,    webhook: 'published', means: 'The courier left the pickup with the goods.' },
  'courier.arrived_drop_off': { data: AtStop,     to: ALL,    webhook: 'additive',  means: 'The courier arrived at the drop-off in `stop`.' },
  'drop_off.delivered':       { data: AtStop,     to: ALL,    webhook: 'additive',  means: 'The drop-off in `stop` was delivered, and others are still open.' },
  'drop_off.failed':          { data: Failed,     to: ALL,    webhook: 'additive',  means: 'The drop-off in `stop` failed, and others are still open.' },
  delivered:                  { data: AtStop,     to: ALL,    webhook: 'published', means: 'The last drop-off was delivered, which ended the delivery.' },
  'delivery.failed':          { data: Failed,     to: ALL,    webhook: 'additive',  means: 'The last drop-off failed, which ended the delivery.' },
  canceled:                   { data: Canceled,   to: ALL,    webhook: 'published', means: 'The delivery was canceled.' },
  'delivery.updated':         { data: Updated,    to: ALL,    webhook: 'additive',  means: 'The caller changed the fields in `changed`.' },
  'delivery.ready':           { data: Ready,      to: ALL,    webhook: 'additive',  means: 'The goods were reported ready for collection.' },
  'delivery.delayed':         { data: Delayed,    to: ALL,    webhook: 'additive',  means: 'The pickup was delayed to `ready_at`.' },
  'delivery.search_delayed':  { data: Moved,      to: OFFICE, webhook: 'additive',  means: 'The search has counted for longer than the alarm time.' },
  'delivery.refunded':        { data: Refunded,   to: OFFICE, webhook: 'additive',  means: 'A part of the charge, or all of it, went back to the vendor.' },
} as const satisfies Record<string, EventRow>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** The catalogue's row of an event type. */
export function rowOf(type: EventType): EventRow {
  return EVENTS[type];
}

type Payload<T extends EventType> = z.output<(typeof EVENTS)[T]['data']>;
/** The fields that all payloads take from the delivery. They include the courier, unless the payload demands one. */
type FromDelivery<P> =
  | 'from'
  | 'to'
  | 'stage'
  | 'actor'
  | 'delivery'
  | (P extends { courier: unknown } ? never : 'courier');
/** The fields of an event's payload that its maker has to give. */
export type Details<T extends EventType> = Omit<Payload<T>, FromDelivery<Payload<T>>>;

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

/** The versions of the API that requests may name, oldest first. A key keeps the version of the day it was made. */
export const API_VERSIONS: readonly string[] = ['2026-11-22'];
/** The newest version. */
export const API_VERSION = '2026-11-22';
