/** Everything that socket clients import: namespaces, messages, schemas and types, with the keys of the wire. */
import { z } from 'zod';
import type { AlarmKind } from '../domain/alarm.ts';
import {
  ActBody,
  HandoverBody,
  DeclineBody,
  GiveUpBody,
  LetGoBody,
  TakeBackBody,
} from '../domain/couriers/courier-actions.ts';
import { batchAnswer, FixBatch } from '../domain/couriers/fix-tuple.ts';
import type { EventType } from '../domain/deliveries/events.ts';
import type { PresentedEvent } from '../domain/views/present-event.ts';
import type { DeliveryView } from '../domain/deliveries/delivery-view.ts';
import { idSchema, type AlarmId, type CourierId, type DeliveryId, type OfferId } from '../domain/ids.ts';
import type { OfferView } from '../domain/offers/offer-view.ts';
import type { GoneReason } from '../domain/offers/offer.ts';
import type { CourierDelivery } from '../domain/views/courier-delivery.ts';
import type { TrackView } from '../domain/views/track-view.ts';
import type { CancelReason, FAIL_REASONS } from '../domain/deliveries/states.ts';
import type { Problem } from '../domain/refusals/refusals.ts';
import { proseOf } from '../domain/text.ts';
import { MOST_DROP_OFFS } from '../domain/deliveries/stops/stop.ts';

export const NAMESPACES = ['/courier', '/vendor', '/track', '/admin'] as const;
export type Namespace = (typeof NAMESPACES)[number];

export const MOST_TOKEN_CHARACTERS = 4096;

const deliveryId = idSchema('del');
const offerId = idSchema('off');
const stop = z.number().int().min(0).max(MOST_DROP_OFFS);

export const PingBody = z.strictObject({ fixes: FixBatch });
export const PingAnswer = z.strictObject({
  seq: z
    .number()
    .int()
    .describe('The sequence number up to which the server has all fixes. The phone continues after it'),
  ...batchAnswer,
  slow_down_ms: z.number().int().exactOptional().describe('Wait this long before the next batch; service time'),
});
export const OfferBody = DeclineBody.extend({ offer_id: offerId });
export const ArriveBody = ActBody.extend({ delivery_id: deliveryId, stop });
export const CarryBody = HandoverBody.extend({ delivery_id: deliveryId });
export const DepartBody = ActBody.extend({ delivery_id: deliveryId });
export const DeliverBody = HandoverBody.extend({ delivery_id: deliveryId, stop: stop.min(1) });
export const FailBody = GiveUpBody.extend({ delivery_id: deliveryId, stop: stop.min(1) });
export const ReleaseBody = LetGoBody.extend({ delivery_id: deliveryId });
export const ResyncBody = z.strictObject({ delivery_id: deliveryId, after: z.number().int().min(0) });
export const AuthBody = z.strictObject({ token: z.string().min(1).max(MOST_TOKEN_CHARACTERS) });
export const WatchBody = z.strictObject({ cells: z.array(z.string().regex(/^[0-9a-f]{15}$/)).max(500) });
export const AssignBody = z.strictObject({
  delivery_id: deliveryId,
  courier_id: idSchema('cou'),
  override_reason: proseOf(280, 1).exactOptional(),
});
export const UnassignBody = TakeBackBody.extend({ delivery_id: deliveryId });

/** The data of the handshake. `last_seq` is the newest event that the client has of each delivery. The server replays later ones. */
export const HandshakeAuth = z.object({
  token: z.string().min(1).max(MOST_TOKEN_CHARACTERS),
  last_seq: z.record(deliveryId, z.number().int().min(0)).optional(),
});

export type Ack<T extends object = object> = ({ ok: true } & T) | { ok: false; problem: Problem };
type Answer<T extends object = object> = (ack: Ack<T>) => void;

/** `[courier_id, delivery_id, t_ms, lat, lng, heading, speed]`; on `/track` courier_id is null. */
export type PositionItem = [CourierId | null, DeliveryId | null, number, number, number, number, number];
export type PositionsFrame = { at: number; items: PositionItem[] };

/** An offer that can no longer be accepted, with the reason. */
export type OfferGone = { offer_id: OfferId; reason: GoneReason };
/** A hint to an idle courier about where orders are expected. It is optional. The place is the middle of an H3 cell of resolution 7. */
export type HintView = {
  cell: string;
  coordinates: { lat: number; lng: number };
  /** As the crow flies. */
  distance_m: number;
  /** Orders that wait there or are expected before the hint ends. */
  expected_orders: number;
  expires_at: string;
};
/** A snapshot: the whole delivery for vendor and staff, the stops for a courier, and the state of the page for a recipient. */
export type Snapshot = {
  delivery_id: DeliveryId;
  sequence: number;
  delivery: DeliveryView | CourierDelivery | TrackDelivery;
};

/** A delivery as its recipient sees it. Positions show the courier, only from the pickup to the end. */
export type TrackDelivery = TrackView;

export type AlarmView = {
  id: AlarmId;
  kind: AlarmKind;
  delivery_id?: DeliveryId;
  since: string;
  detail: string;
  cleared?: true;
};

/** The reasons of an ending that are codes. Other reasons are text of a person. */
export type ReasonCode = CancelReason | (typeof FAIL_REASONS)[number];

type EventMessages = { [T in EventType]: (event: PresentedEvent) => void };

export type ServerToClient = EventMessages & {
  'offer.new': (offer: OfferView, ack: (seen: { ok: true }) => void) => void;
  'offer.withdrawn': (offer: OfferGone) => void;
  'courier.hint': (hint: HintView) => void;
  snapshot: (snapshot: Snapshot) => void;
  positions: (frame: PositionsFrame, ack: () => void) => void;
  top: (top: Record<DeliveryId, number>) => void;
  alarm: (alarm: AlarmView) => void;
  drain: (drain: { within_ms: number }) => void;
};

export type ResyncAnswer = { events: PresentedEvent[]; through: number } | { reset: true; snapshot: Snapshot };

type AnyReaderToServer = {
  resync: (body: z.input<typeof ResyncBody>, answer: Answer<ResyncAnswer>) => void;
  auth: (body: z.input<typeof AuthBody>, answer: Answer<{ expires_in: number }>) => void;
};

type OnDelivery = { delivery_id: DeliveryId; status: string; sequence: number };

export type CourierToServer = AnyReaderToServer & {
  ping: (body: z.input<typeof PingBody>, answer: Answer<z.output<typeof PingAnswer>>) => void;
  'offer.accept': (body: z.input<typeof OfferBody>, answer: Answer<OnDelivery>) => void;
  'offer.decline': (body: z.input<typeof OfferBody>, answer: Answer) => void;
  'stop.arrive': (body: z.input<typeof ArriveBody>, answer: Answer<OnDelivery>) => void;
  'delivery.pick_up': (body: z.input<typeof CarryBody>, answer: Answer<OnDelivery>) => void;
  'delivery.depart': (body: z.input<typeof CarryBody>, answer: Answer<OnDelivery>) => void;
  'delivery.deliver': (body: z.input<typeof DeliverBody>, answer: Answer<OnDelivery>) => void;
  'delivery.fail': (body: z.input<typeof FailBody>, answer: Answer<OnDelivery>) => void;
  'delivery.release': (body: z.input<typeof ReleaseBody>, answer: Answer<OnDelivery>) => void;
};

export type AdminToServer = AnyReaderToServer & {
  watch: (body: z.input<typeof WatchBody>, answer: Answer<{ cells: number }>) => void;
  assign: (body: z.input<typeof AssignBody>, answer: Answer<OnDelivery>) => void;
  unassign: (body: z.input<typeof UnassignBody>, answer: Answer<OnDelivery>) => void;
};

export type ReaderToServer = AnyReaderToServer;
