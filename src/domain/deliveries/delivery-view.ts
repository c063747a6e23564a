import { z } from 'zod';
import { VEHICLE_TYPES } from '../couriers/courier.ts';
import { CHANNELS, COLLECTORS } from './delivery.ts';
import { CHARGE_TYPES } from '../pricing/funds.ts';
import { idSchema } from '../ids.ts';
import { VerificationView } from '../proof/proof-view.ts';
import { DELIVERABLE_ACTIONS, PROOF_STATUSES } from '../proof/verification.ts';
import { CANCEL_WORDS, explainCodes, FAIL_WORDS } from '../views/reason-words.ts';
import { ACTOR_TYPES, ETA_REASONS, STAGES, STATES } from './states.ts';
import { ITEM_SIZES } from './parcel.ts';
import { STOP_STATES, UNDELIVERABLE_ACTIONS } from './stops/stop.ts';
import { DISTANCE_SOURCES } from './way.ts';

const time = z.iso.datetime();

/** The source of `distance_m` and `duration_s` of a quote or a delivery. */
export const DistanceSourceView = z
  .enum(DISTANCE_SOURCES)
  .describe(
    'The source of `distance_m` and `duration_s`. `route`: the way along streets through all drop-offs, in the order of ' +
      'visits, of the first of `vehicle_types`, or of a scooter. `estimate`: straight lines times a factor, if the ' +
      'server has no streets there or did not find the way in time',
  );

export const WindowView = z.strictObject({ ready_at: time.nullable(), deadline_at: time.nullable() });

/** An address as it was sent: one line, or its parts. */
export const AddressView = z.union([
  z.string(),
  z.strictObject({
    street: z.string().describe('Street and house number'),
    street2: z.string().exactOptional().describe('Floor, flat or entrance'),
    city: z.string().describe('City or town'),
    state: z.string().exactOptional().describe('State or region'),
    postal_code: z.string().exactOptional().describe('Postal code'),
    country: z.string().describe('Country, two upper-case letters of ISO 3166-1'),
  }),
]);

export const ContactView = z.strictObject({ name: z.string(), phone: z.string(), email: z.string().exactOptional() });

export const ItemView = z.strictObject({
  name: z.string(),
  quantity: z.number().int(),
  price: z.number().int().exactOptional().describe('Price of one piece in minor units'),
  weight_g: z.number().int().exactOptional().describe('Weight of one piece in grams'),
  size: z.enum(ITEM_SIZES).exactOptional(),
  barcode: z.string().exactOptional(),
});

export const StopView = z.strictObject({
  stop: z.number().int(),
  visit: z.number().int().describe('The place of the stop in the order of visits; 0 is the pickup'),
  coordinates: z.strictObject({ lat: z.number(), lng: z.number() }),
  address: AddressView.nullable(),
  contact: ContactView.nullable(),
  business_name: z.string().nullable().describe('Name of the business at the pickup. Null at drop-offs'),
  reference: z
    .string()
    .nullable()
    .describe('Words that the courier says at the pickup to get the goods. Null at drop-offs'),
  instructions: z.string().nullable(),
  items: z.array(ItemView).describe('The goods for this drop-off, as listed by the vendor'),
  order_value: z.number().int().nullable().describe('Value of the goods for this drop-off, minor units'),
  undeliverable_action: z.enum(UNDELIVERABLE_ACTIONS).describe('Handling of the goods if the drop-off fails'),
  window: WindowView.nullable(),
  external_id: z.string().nullable(),
  deliverable_action: z
    .enum(DELIVERABLE_ACTIONS)
    .describe('Whether the courier meets the recipient or leaves the goods there with a photo'),
  verification: VerificationView.nullable().describe('The proof that the stop requires. Null if it requires none'),
  proof_status: z
    .enum(PROOF_STATUSES)
    .describe(
      'How far the proof is: not required, required, begun or complete. A stop may be proven although nothing is required',
    ),
  status: z.enum(STOP_STATES),
  eta_at: time
    .nullable()
    .describe('When the courier is expected. Null after the courier arrived, and if the server cannot know'),
  arrived_at: time.nullable(),
  ended_at: time.nullable(),
  reason: z.string().nullable().describe(explainCodes('Why the drop-off failed; null if it did not', FAIL_WORDS)),
  tracking_url: z
    .string()
    .exactOptional()
    .describe('The page that the recipient of this drop-off opens. Only answers have it'),
});

export const EtaView = z.strictObject({ at: time, lower_at: time, upper_at: time });

const DeliveryEtaView = z.strictObject({
  pickup: EtaView.nullable().describe('Arrival at the pickup. Null once the goods are collected'),
  drop_off: EtaView.nullable().describe('Arrival at the next drop-off'),
  pickup_at: time.nullable().describe('Expected arrival at the pickup. Null once the goods are collected'),
  drop_off_at: time.nullable().describe('Expected arrival at the next drop-off'),
  lower_at: time.nullable().describe('Earliest arrival at the next stop'),
  upper_at: time.nullable().describe('Latest likely arrival at the next stop'),
  updated_at: time.nullable().describe('When the newest fact was known on which the arrivals rest'),
  reason: z
    .enum(ETA_REASONS)
    .nullable()
    .describe(
      'On what the arrival at the next stop rests. `position`: a recent position of the courier. `old_position`: a position over 60 s old. `no_position`: a courier without a position. `no_courier`: the usual time to find a courier. `not_ready`: the courier waits until the goods are ready. `window`: the courier waits until the window begins. Null after the end. While the courier is lost or long overdue, or the search takes too long, the arrivals are null and this is not',
    ),
});

/** The courier of a delivery, as far as everybody may know them who sees the delivery. */
export const CourierCard = z.strictObject({
  id: idSchema('cou'),
  first_name: z.string(),
  vehicle_type: z.enum(VEHICLE_TYPES),
});

/** One line of what the end of a delivery charged, or of what a cancel would charge. */
export const ChargeLineView = z.strictObject({
  type: z.enum(CHARGE_TYPES).describe('The reason for the line'),
  amount: z.number().int().describe('Amount with tax, minor units'),
  tax: z.number().int().describe('The tax in the amount, minor units'),
});

/** The way between two stops along streets. */
export const LegView = z.strictObject({
  from: z.number().int().describe('The stop where the leg begins; 0 is the pickup'),
  to: z.number().int().describe('The drop-off where it ends'),
  polyline: z
    .string()
    .describe('The line along streets, as an encoded polyline with six decimals; 2,048 characters at most'),
});

const share = (note: string) =>
  z.number().int().exactOptional().describe(`${note}, minor units. Events from before deliveries were charged lack it`);

/** A delivery as its vendor and staff see it: in answers, in webhooks and inside events. */
export const DeliveryView = z.strictObject({
  id: idSchema('del'),
  object: z.literal('delivery'),
  kind: z.enum(['delivery', 'return']),
  live_mode: z.boolean(),
  channel: z.enum(CHANNELS),
  vendor_id: idSchema('ven'),
  external_id: z.string().nullable(),
  order_id: z.string().nullable().describe('The vendor order that the delivery was dispatched for'),
  status: z.enum(STATES),
  stage: z.enum([...STAGES, 'offering']).nullable(),
  courier_imminent: z
    .boolean()
    .describe(
      'True while the courier is on the way and within 500 m of their next stop, if that is a stop of this delivery',
    ),
  complete: z.boolean().describe('True once the delivery has ended'),
  version: z.number().int(),
  sequence: z.number().int(),
  priority: z.enum(['express', 'scheduled']),
  quote_id: idSchema('qte').nullable(),
  pickup: StopView,
  drop_off: z.array(StopView),
  metadata: z.record(z.string(), z.union([z.string(), z.number()])),
  vehicle_types: z.array(z.enum(VEHICLE_TYPES)),
  custom: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  tip: z.number().int().describe('Tip for the courier, minor units. The fee does not contain it'),
  promo: z
    .string()
    .nullable()
    .describe('The promotion that the vendor named. It changes who pays the fee, and not the fee'),
  order_value_collected_by: z
    .enum(COLLECTORS)
    .exactOptional()
    .describe(
      'The one who collects the order values from the customer. A settlement pays what a `service` has collected. Events from before there were settlements lack it',
    ),
  notify_recipient: z.boolean().describe('Whether the recipients want messages. The server itself sends none'),
  fee: z.number().int(),
  currency: z.string(),
  fee_breakdown: z.array(z.strictObject({ type: z.string(), amount: z.number().int() })),
  customer_fee: share('The share of the vendor’s customer: the fee without the discounts'),
  vendor_net_cost: share('The share of the vendor: the discounts that it pays'),
  platform_share: share('The share of the platform: the discounts that it pays'),
  hold: z
    .number()
    .int()
    .nullable()
    .exactOptional()
    .describe(
      'The amount that the wallet reserved, minor units: the fee without the share of the platform, and the tip. Null for a return, and for a delivery from before deliveries were charged',
    ),
  charge: z
    .strictObject({
      amount: z.number().int().describe('The amount that the vendor paid, minor units. It may exceed the hold'),
      breakdown: z.array(ChargeLineView).describe('The lines of the amount. They sum to it'),
      refunded: z
        .number()
        .int()
        .exactOptional()
        .describe('The part of the amount that was refunded, minor units. Events from before refunds lack it'),
    })
    .nullable()
    .exactOptional()
    .describe('The charge by the end of the delivery. Null until it has ended, and if the delivery is free'),
  distance_m: z.number().int(),
  duration_s: z.number().int(),
  distance_source: DistanceSourceView.exactOptional(),
  legs: z
    .array(LegView)
    .exactOptional()
    .describe(
      'The way along streets that has the price, in the order of visits. Only the answer to a read of one delivery has it, ' +
        'if `distance_source` is `route`. A leg to or from a stop whose place was corrected may be missing',
    ),
  courier: CourierCard.nullable(),
  eta: DeliveryEtaView,
  outcome: z.enum(['complete', 'partial']).nullable(),
  cancellation: z
    .strictObject({
      by: z.enum(ACTOR_TYPES).describe('The kind of caller who canceled'),
      reason: z.string().nullable().describe(explainCodes('Why it was canceled; null if nobody said', CANCEL_WORDS)),
      comment: z.string().nullable().describe('Their own words'),
      fee: z.number().int().describe('Fee of the cancel in minor units, with waiting and the way back'),
      at: time,
    })
    .nullable(),
  failure: z
    .strictObject({
      by: z.enum(ACTOR_TYPES),
      reason: z.string().nullable().describe(explainCodes('Why the delivery failed; null if nobody said', FAIL_WORDS)),
      at: time,
    })
    .nullable(),
  related_deliveries: z.array(idSchema('del')),
  /**
   * The link of the only drop-off, or of the one that is visited last. Only answers have it, since no event may hold a
   * token.
   */
  tracking_url: z.string().exactOptional(),
  delay_reason: z
    .string()
    .nullable()
    .describe('Why the vendor put off the pickup. Null once the goods are ready or collected'),
  search_until: time,
  timestamps: z.record(z.string(), time.nullable()),
  created_at: time,
  updated_at: time,
});
export type DeliveryView = z.output<typeof DeliveryView>;
