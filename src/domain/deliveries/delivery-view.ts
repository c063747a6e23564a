import { z } from 'zod';
import { VEHICLE_TYPES } from '../couriers/courier.ts';
import { CHANNELS } from './delivery.ts';
import { idSchema } from '../ids.ts';
import { ACTOR_TYPES, STAGES, STATES } from './states.ts';
import { STOP_STATES } from './stop.ts';

const time = z.iso.datetime();

export const WindowView = z.strictObject({ ready_at: time.nullable(), deadline_at: time.nullable() });

const AddressView = z.union([z.string(), z.record(z.string(), z.string())]);

const ContactView = z.strictObject({ name: z.string(), phone: z.string(), email: z.string().exactOptional() });

export const StopView = z.strictObject({
  stop: z.number().int(),
  visit: z.number().int().describe('The place of the stop in the order of visits; 0 is the pickup'),
  coordinates: z.strictObject({ lat: z.number(), lng: z.number() }),
  address: AddressView.nullable(),
  contact: ContactView.nullable(),
  instructions: z.string().nullable(),
  window: WindowView.nullable(),
  external_id: z.string().nullable(),
  status: z.enum(STOP_STATES),
  eta_at: time
    .nullable()
    .describe('When the courier is expected. Null after the courier arrived, and if the server cannot know'),
  arrived_at: time.nullable(),
  ended_at: time.nullable(),
  reason: z.string().nullable(),
  tracking_url: z
    .string()
    .exactOptional()
    .describe('The page that the recipient of this drop-off opens. Only answers have it'),
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
