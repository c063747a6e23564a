import { z } from 'zod';
import { VEHICLE_TYPES, type VehicleType } from '../couriers/courier.ts';
import { DeliveryView } from './delivery-view.ts';
import { idSchema, type CourierId, type DeliveryId, type EventId, type VendorId } from '../ids.ts';
import { isTerminal } from './lifecycle.ts';
import { ACTOR_TYPES, STATES } from './states.ts';
import { isStopEnded } from './stop.ts';

/** Who reads events. `webhook` is the vendor's server, `vendor` its sockets. */
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
    .describe('Why the courier or the dispatcher acted where a rule would have refused it; not shown to recipients'),
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

/** The one catalogue of events: payload, who reads it, history and webhooks. */
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

/** The stored event, wire form but for `route`, which is never sent. */
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

/** An event as one audience gets it. */
export type PresentedEvent = Omit<DomainEvent, 'route' | 'data' | 'vendor_id'> & {
  readonly vendor_id?: VendorId;
  readonly data: PresentedData;
};

type Unnamed = { readonly first_name: string; readonly vehicle_type: VehicleType };
type PresentedData = Partial<Omit<EventData, 'courier'>> & { readonly courier?: EventData['courier'] | Unnamed };

export const API_VERSION = '2026-11-22';

/** Who looks at an event: one of the audiences, where recipients differ by the number of their own drop-off. */
export type Viewer = Exclude<Audience, 'track'> | { readonly stop: number };

/**
 * The event as this viewer may see it: the only difference between readers. An audience outside the row's gets the
 * envelope with empty data, so that sequences have no holes; couriers and recipients get no snapshot of the delivery,
 * recipients no ids of persons, no vendor id and no override reason. Of another recipient's stop they get the number alone.
 */
export function present(event: DomainEvent, viewer: Viewer): PresentedEvent {
  const { route: _route, vendor_id: vendorId, external_id: externalId, data, ...envelope } = event;
  const audience = typeof viewer === 'object' ? 'track' : viewer;
  const isFor = rowOf(event.type).to.includes(audience);
  if (typeof viewer === 'object') {
    if (!isAbout(event, viewer.stop)) return { ...envelope, type: 'delivery.updated', data: {} };
    return { ...envelope, data: isFor ? withoutPersons(data) : {} };
  }
  const named = externalId === undefined ? envelope : { ...envelope, external_id: externalId };
  if (!isFor) return { ...named, vendor_id: vendorId, data: {} };
  if (audience === 'courier') return { ...named, vendor_id: vendorId, data: withoutDelivery(data) };
  return { ...named, vendor_id: vendorId, data };
}

/**
 * Says whether an event is about this drop-off, or about what all recipients share. Once a stop has ended, the rest is
 * about the others; and where stops end apart, the delivery's end is the end of those alone that ended as it did.
 */
function isAbout({ data: { stop: about = 0, to, delivery } }: DomainEvent, stop: number): boolean {
  if (about !== 0 && about !== stop) return false;
  const own = delivery?.drop_off[stop - 1]?.status;
  if (own === undefined || !isStopEnded({ state: own })) return true;
  return isTerminal(to) ? own === to : about === stop;
}

function withoutDelivery({ delivery: _delivery, ...data }: EventData): PresentedData {
  return data;
}

function withoutPersons({
  delivery: _delivery,
  override_reason: _why,
  actor,
  courier,
  ...data
}: EventData): PresentedData {
  const { id: _id, ...unnamed } = courier ?? { id: null };
  return { ...data, actor: { type: actor.type }, ...(courier === undefined ? {} : { courier: unnamed as Unnamed }) };
}
