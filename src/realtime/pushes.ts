/**
 * The schemas of the server's messages and answers. The AsyncAPI document is made from them, and the tests parse
 * messages with them. Clients import the types in `protocol.ts`, and the compiler compares both.
 */
import { z } from 'zod';
import { ALARM_KINDS } from '../domain/alarm.ts';
import { VEHICLE_TYPES } from '../domain/couriers/courier.ts';
import { DeliveryView } from '../domain/deliveries/delivery-view.ts';
import { AnyPayload, type EventType } from '../domain/deliveries/events.ts';
import { CourierDelivery } from '../domain/views/courier-delivery.ts';
import { TrackView } from '../domain/views/track-view.ts';
import { idSchema } from '../domain/ids.ts';
import { GONE_REASONS } from '../domain/offers/offer.ts';
import { REFUSALS, type RefusalCode } from '../domain/refusals/refusals.ts';
import { explainCodes, GONE_WORDS } from '../domain/views/reason-words.ts';
import { PingAnswer, type AlarmView, type HintView, type OfferGone, type PositionsFrame } from './protocol.ts';

const time = z.iso.datetime();
const place = z.strictObject({ lat: z.number(), lng: z.number() });
const sequence = z.number().int().min(0);

export const OfferWithdrawn = z.strictObject({
  offer_id: idSchema('off'),
  reason: z.enum(GONE_REASONS).describe(explainCodes('Why the offer is gone', GONE_WORDS)),
}) satisfies z.ZodType<OfferGone>;

export const CourierHint = z.strictObject({
  cell: z.string().describe('H3 cell of resolution 7'),
  coordinates: place.describe('The middle of the cell'),
  distance_m: z.number().describe('As the crow flies'),
  expected_orders: z.number().int().describe('Orders that wait there or are expected before the hint ends'),
  expires_at: time.describe('End of the hint. The courier need not follow it, and there is no message when it ends'),
}) satisfies z.ZodType<HintView>;

/** `[courier_id, delivery_id, t_ms, lat, lng, heading_deg, speed_mps]` */
const PositionItem = z
  .tuple([
    idSchema('cou').nullable().describe('courier_id: null for recipients'),
    idSchema('del').nullable().describe('delivery_id: the delivery that the courier carries; null for none'),
    z.number().int().describe('t_ms: when the phone measured the position, milliseconds since 1970'),
    z.number().describe('lat: latitude, WGS84 degrees'),
    z.number().describe('lng: longitude, WGS84 degrees'),
    z.number().describe('heading_deg: direction, degrees clockwise from north; 0 also if unknown'),
    z.number().describe('speed_mps: speed, metres per second; 0 also if unknown'),
  ])
  .describe('[courier_id, delivery_id, t_ms, lat, lng, heading_deg, speed_mps]: t_ms is in milliseconds since 1970');

export const Positions = z.strictObject({
  at: z.number().int(),
  items: z.array(PositionItem),
}) satisfies z.ZodType<PositionsFrame>;

export const Top = z.record(idSchema('del'), sequence);

export const AlarmRaised = z.strictObject({
  id: idSchema('alm'),
  kind: z.enum(ALARM_KINDS),
  delivery_id: idSchema('del').exactOptional(),
  since: time,
  detail: z.string(),
  cleared: z.literal(true).exactOptional(),
}) satisfies z.ZodType<AlarmView>;

export const Drain = z.strictObject({ within_ms: z.number().int() });

/** The snapshots of each namespace. */
export const SNAPSHOTS = {
  '/courier': snapshotOf(CourierDelivery),
  '/vendor': snapshotOf(DeliveryView),
  '/track': snapshotOf(TrackView),
  '/admin': snapshotOf(DeliveryView),
} as const;

function snapshotOf<S extends z.ZodType>(delivery: S) {
  return z.strictObject({ delivery_id: idSchema('del'), sequence, delivery });
}

/** The courier of an event. Recipients do not receive the id. */
const EventCourier = z.strictObject({
  id: idSchema('cou').exactOptional(),
  first_name: z.string(),
  vehicle_type: z.enum(VEHICLE_TYPES),
});

/** An event on a socket. Audiences that its row does not list receive less data, or none. */
export function eventSchema(type: EventType): z.ZodType {
  return z.strictObject({
    id: idSchema('evt'),
    object: z.literal('event'),
    type: z.literal(type),
    api_version: z.string(),
    created_at: time,
    live_mode: z.boolean(),
    sequence: z.number().int().min(1),
    delivery_id: idSchema('del'),
    external_id: z.string().exactOptional(),
    vendor_id: idSchema('ven').exactOptional(),
    data: AnyPayload.partial().extend({ courier: EventCourier.exactOptional() }),
  });
}

export const ProblemView = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string(),
  instance: z.string().exactOptional(),
  code: z.enum(Object.keys(REFUSALS) as [RefusalCode, ...RefusalCode[]]),
  reason: z.string().exactOptional(),
  errors: z.array(z.strictObject({ pointer: z.string(), code: z.string(), message: z.string() })).exactOptional(),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
  retryable: z.boolean(),
  request_id: z.string(),
});

const Refused = z.strictObject({ ok: z.literal(false), problem: ProblemView });

/** The answer to every message of a client. The other fields of a positive answer depend on the message. */
export const Acknowledgement = z
  .union([z.looseObject({ ok: z.literal(true) }), Refused])
  .describe(
    'A positive answer to an action on a delivery also has `delivery_id`, `status` and `sequence`. That to `auth` has ' +
      '`expires_in` (seconds), and that to `watch` has `cells`, the number of cells. That to `resync` has `events` and ' +
      '`through`, the number of the newest event, or `reset: true` and a `snapshot`.',
  );

export const PingAcknowledgement = z.union([z.strictObject({ ok: z.literal(true), ...PingAnswer.shape }), Refused]);
