import { z } from 'zod';
import { VEHICLE_TYPES } from '../couriers/courier.ts';
import { delayReasonOf, CHANNELS, type Delivery, type Times } from './delivery.ts';
import type { EtaRange, Etas } from './eta.ts';
import { idSchema } from '../ids.ts';
import { ACTOR_TYPES, STAGES, STATES } from './states.ts';
import { STOP_STATES, type Stop } from './stop.ts';
import type { Window } from '../window.ts';

const time = z.iso.datetime();

const WindowView = z.strictObject({ ready_at: time.nullable(), deadline_at: time.nullable() });

const AddressView = z.union([z.string(), z.record(z.string(), z.string())]);

const ContactView = z.strictObject({ name: z.string(), phone: z.string(), email: z.string().exactOptional() });

export const StopView = z.strictObject({
  stop: z.number().int(),
  visit: z.number().int().describe('Its place in the order in which the stops are visited; 0 is the pickup'),
  coordinates: z.strictObject({ lat: z.number(), lng: z.number() }),
  address: AddressView.nullable(),
  contact: ContactView.nullable(),
  instructions: z.string().nullable(),
  window: WindowView.nullable(),
  external_id: z.string().nullable(),
  status: z.enum(STOP_STATES),
  eta_at: time.nullable().describe('When the courier is expected; null once he was there or where nobody can tell'),
  arrived_at: time.nullable(),
  ended_at: time.nullable(),
  reason: z.string().nullable(),
  tracking_url: z.string().exactOptional().describe('Of a drop-off: what its recipient opens. In answers only'),
});

export const EtaView = z.strictObject({ at: time, lower_at: time, upper_at: time });

/** A delivery as its vendor and staff see it: in answers, in webhooks and inside events. */
export const DeliveryView = z.strictObject({
  id: idSchema('del'),
  object: z.literal('delivery'),
  kind: z.enum(['delivery', 'return']),
  live_mode: z.boolean(),
  channel: z.enum(CHANNELS),
  vendor_id: idSchema('ven'),
  external_id: z.string().nullable(),
  status: z.enum(STATES),
  stage: z.enum([...STAGES, 'offering']).nullable(),
  version: z.number().int(),
  sequence: z.number().int(),
  priority: z.enum(['express', 'scheduled']),
  quote_id: idSchema('qte').nullable(),
  pickup: StopView,
  drop_off: z.array(StopView),
  metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  vehicle_types: z.array(z.enum(VEHICLE_TYPES)),
  custom: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  fee: z.number().int(),
  currency: z.string(),
  fee_breakdown: z.array(z.strictObject({ type: z.string(), amount: z.number().int() })),
  distance_m: z.number().int(),
  duration_s: z.number().int(),
  courier: z
    .strictObject({ id: idSchema('cou'), first_name: z.string(), vehicle_type: z.enum(VEHICLE_TYPES) })
    .nullable(),
  eta: z.strictObject({ pickup: EtaView.nullable(), drop_off: EtaView.nullable().describe('At the next drop-off') }),
  outcome: z.enum(['complete', 'partial']).nullable(),
  cancellation: z
    .strictObject({ by: z.enum(ACTOR_TYPES), reason: z.string().nullable(), fee: z.literal(0), at: time })
    .nullable(),
  failure: z.strictObject({ by: z.enum(ACTOR_TYPES), reason: z.string().nullable(), at: time }).nullable(),
  related_deliveries: z.array(idSchema('del')),
  /** As that of the only drop-off, or of the one visited last. In answers only: no event holds a token. */
  tracking_url: z.string().exactOptional(),
  delay_reason: z.string().nullable().describe('Why the pickup was put off, until the goods are ready or collected'),
  search_until: time,
  timestamps: z.record(z.string(), time.nullable()),
  created_at: time,
  updated_at: time,
});
export type DeliveryView = z.output<typeof DeliveryView>;

/** Epoch ms to RFC 3339 UTC. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}

/** The vendor's and staff's view of a delivery; `eta` is what is known of the arrival times. */
export function presentDelivery(delivery: Delivery, eta: Etas): DeliveryView {
  return {
    id: delivery.id,
    object: 'delivery',
    kind: delivery.kind,
    live_mode: delivery.liveMode,
    channel: delivery.channel,
    vendor_id: delivery.vendorId,
    external_id: delivery.externalId,
    status: delivery.state,
    stage: delivery.stage,
    version: delivery.version,
    sequence: delivery.sequence,
    priority: delivery.priority,
    quote_id: delivery.quoteId,
    pickup: presentStop(delivery.pickup, eta),
    drop_off: delivery.dropOffs.map((stop) => presentStop(stop, eta)),
    metadata: { ...delivery.metadata },
    vehicle_types: [...delivery.vehicleTypes],
    custom: { ...delivery.custom },
    fee: delivery.fee,
    currency: delivery.currency,
    fee_breakdown: delivery.feeBreakdown.map((line) => ({ ...line })),
    distance_m: delivery.distanceM,
    duration_s: delivery.durationS,
    courier: delivery.courier === null ? null : { ...delivery.courier },
    eta: { pickup: presentEta(eta.pickup), drop_off: presentEta(eta.dropOff) },
    outcome: delivery.outcome,
    cancellation: presentCancellation(delivery),
    failure: presentFailure(delivery),
    related_deliveries: [...delivery.related],
    delay_reason: delayReasonOf(delivery),
    search_until: isoTime(delivery.searchUntilAt),
    timestamps: presentTimes(delivery.times),
    created_at: isoTime(delivery.times.createdAt),
    updated_at: isoTime(delivery.times.updatedAt),
  };
}

function presentStop(stop: Stop, { stops }: Etas): z.output<typeof StopView> {
  return {
    stop: stop.index,
    visit: stop.visit,
    coordinates: { lat: stop.place.lat, lng: stop.place.lng },
    address: typeof stop.address === 'object' && stop.address !== null ? { ...stop.address } : stop.address,
    contact: stop.contact === null ? null : { ...stop.contact },
    instructions: stop.instructions,
    window: presentWindow(stop.window),
    external_id: stop.externalId,
    status: stop.state,
    eta_at: stop.arrivedAt === null ? isoOrNull(stops.get(stop.index)?.at ?? null) : null,
    arrived_at: isoOrNull(stop.arrivedAt),
    ended_at: isoOrNull(stop.doneAt),
    reason: stop.reason,
  };
}

export function presentEta(eta: EtaRange | null): z.output<typeof EtaView> | null {
  return eta === null ? null : { at: isoTime(eta.at), lower_at: isoTime(eta.lowerAt), upper_at: isoTime(eta.upperAt) };
}

function presentWindow(window: Window | null): z.output<typeof WindowView> | null {
  return window === null ? null : { ready_at: isoOrNull(window.readyAt), deadline_at: isoOrNull(window.deadlineAt) };
}

function presentCancellation({ state, ending, times }: Delivery): DeliveryView['cancellation'] {
  if (state !== 'canceled' || ending === null || times.canceledAt === null) return null;
  return { by: ending.by, reason: ending.reason, fee: 0, at: isoTime(times.canceledAt) };
}

function presentFailure({ state, ending, times }: Delivery): DeliveryView['failure'] {
  if (state !== 'failed' || ending === null || times.failedAt === null) return null;
  return { by: ending.by, reason: ending.reason, at: isoTime(times.failedAt) };
}

function presentTimes(times: Times): Record<string, string | null> {
  return {
    searching_at: isoOrNull(times.searchingAt),
    assigned_at: isoOrNull(times.assignedAt),
    ready_at: isoOrNull(times.readyAt),
    arrived_pickup_at: isoOrNull(times.arrivedPickupAt),
    picked_up_at: isoOrNull(times.pickedUpAt),
    in_transit_at: isoOrNull(times.inTransitAt),
    arrived_drop_off_at: isoOrNull(times.arrivedDropOffAt),
    delivered_at: isoOrNull(times.deliveredAt),
    canceled_at: isoOrNull(times.canceledAt),
    failed_at: isoOrNull(times.failedAt),
  };
}
