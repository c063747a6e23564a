import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { NewDelivery, NewQuote } from '../../../dispatch/commands.ts';
import { VEHICLE_TYPES } from '../../../domain/couriers/courier.ts';
import { COLLECTORS, type Channel } from '../../../domain/deliveries/delivery.ts';
import type { Parcel } from '../../../domain/deliveries/parcel.ts';
import { idSchema, type VendorId } from '../../../domain/ids.ts';
import { STATED } from '../../../domain/refusals/schema-errors.ts';
import { counted } from '../../../domain/refusals/shown-text.ts';
import { STAGES, STATES } from '../../../domain/deliveries/states.ts';
import { DropOffBody, dropOffsOf, named, PickupBody, QuoteDropOffBody, QuotePickupBody } from './delivery-stops.ts';
import { ExternalIdBody, InstantBody, MinorUnits } from '../place.ts';
import { exactOf, textOf } from '../../../domain/text.ts';
import { SubsidyBody } from './quote.ts';
import { TestBody } from './test-specifications.ts';

/** The vendor, mode and channel that a request names. The credential decides which of them a caller may name. */
export type AskedOwner = {
  readonly vendorId: VendorId | null;
  readonly liveMode: boolean | null;
  readonly channel: Channel | null;
  /** Whether the caller says that it has collected the order values. */
  readonly isCollector: boolean;
};

type Content = Omit<NewDelivery, 'vendorId' | 'liveMode' | 'channel' | 'contentHash'>;
export type AskedDelivery = { readonly owner: AskedOwner; readonly content: Content };
export type AskedQuote = { readonly owner: AskedOwner; readonly content: Omit<NewQuote, 'vendorId' | 'liveMode'> };

const MetadataBody = z
  .strictObject({
    weight: z.number().positive().max(10_000).exactOptional().describe('Weight in kg, more than 0 and at most 10,000'),
    category: z
      .string()
      .regex(/^(food|package)$/i, 'must be `Food` or `Package`')
      .transform((word) => (word.toLowerCase() === 'food' ? 'Food' : 'Package'))
      .exactOptional(),
    fragility: z
      .union([z.boolean(), z.enum(['none', 'low', 'high'])])
      .transform((value) => (typeof value === 'string' ? value : value ? 'high' : 'none'))
      .exactOptional(),
  })
  .transform((metadata): Parcel => metadata);

/** Names that cannot be stored: the first has a meaning in JavaScript, the second in the database. */
const TAKEN_NAMES = ['__proto__', '_bsontype'] as const;

const MOST_CUSTOM_KEYS = 50;

const TOO_MANY_DIGITS = `must be at most ${Number.MAX_SAFE_INTEGER} in size, because JSON numbers above that lose digits; send a string instead`;
/** A number that is stored as it was sent. */
const KeptNumber = z
  .number()
  .min(Number.MIN_SAFE_INTEGER, TOO_MANY_DIGITS)
  .max(Number.MAX_SAFE_INTEGER, TOO_MANY_DIGITS);

const FreeKeys = z
  .record(
    z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/, {
      error: ({ input }) =>
        `must have a name of 1 to 40 characters, only letters, digits and _ . -; it has ${counted(String(input).length, 'character')}`,
    }),
    z.union([exactOf(500), KeptNumber, z.boolean()]),
  )
  .refine((custom) => Object.keys(custom).length <= MOST_CUSTOM_KEYS, {
    error: ({ input }) => `must have at most ${MOST_CUSTOM_KEYS} keys; it has ${Object.keys(Object(input)).length}`,
    ...STATED,
  })
  .meta({ maxProperties: MOST_CUSTOM_KEYS });

// This runs before the record, which ignores `__proto__` silently.
export const CustomBody = z
  .preprocess((value, issues) => {
    const taken = TAKEN_NAMES.filter(
      (name) => typeof value === 'object' && value !== null && Object.hasOwn(value, name),
    );
    for (const name of taken)
      issues.addIssue({
        code: 'custom',
        path: [name],
        message: 'must have another name than this one; it is reserved',
      });
    return value;
  }, FreeKeys)
  .describe('Your own data: at most 50 keys of 40 characters, with values of at most 500 characters');

/** The fields of a body besides its stops. A quote accepts them all, so that the body of a create is one of a quote. */
export const deliveryFields = {
  metadata: MetadataBody.default({}),
  priority: z.enum(['express', 'scheduled']).default('express'),
  quote_id: idSchema('qte').exactOptional(),
  external_id: ExternalIdBody.exactOptional(),
  vehicle_types: z.array(z.enum(VEHICLE_TYPES)).max(VEHICLE_TYPES.length).default([]),
  custom: CustomBody.default({}),
  tip: MinorUnits.exactOptional().describe(
    'Tip for the courier in minor units of the vendor’s currency. The wallet reserves it with the fee, and pays it only if the delivery is delivered. The fee does not contain it',
  ),
  promo: textOf(64)
    .exactOptional()
    .describe(
      'Code of a promotion, at most 64 characters. It selects pricing rules of type `promotion`, which change who pays the fee. A code that no active rule has is not refused and changes nothing; `discounts` of the quote lists what counts. Upper and lower case differ. If a quote is named, only its own code counts',
    ),
  notify_recipient: z
    .boolean()
    .exactOptional()
    .describe('Whether the recipients want messages. It is stored and shown; the server itself sends none'),
  search_until: InstantBody.exactOptional().describe(
    'When the search ends if no courier was found: later than the time from which it counts, by at most one day',
  ),
  test_specifications: TestBody.exactOptional().describe('Test mode only: a robo-courier carries the delivery'),
  vendor_id: idSchema('ven').exactOptional().describe('The vendor. Required for staff and internal services'),
  live_mode: z.boolean().exactOptional().describe('For staff and internal services. The default is false'),
  channel: z
    .enum(['dashboard', 'chat', 'order', 'internal'])
    .exactOptional()
    .describe('The channel of the order, for internal services'),
  order_value_collected_by: z
    .enum(COLLECTORS)
    .exactOptional()
    .describe(
      '`service` if an internal service has collected the order values from the customer. Settlements then pay them to the vendor for each drop-off that is delivered. The default is `vendor`',
    ),
};

export const NewDeliveryBody = z
  .strictObject({ pickup: PickupBody, drop_off: dropOffsOf(DropOffBody), ...deliveryFields })
  .transform((body): AskedDelivery => ({
    owner: askedOwner(body),
    content: { ...body.pickup, ...contentOf(body), externalId: body.external_id ?? null },
  }));

type DeliveryFields = Omit<z.output<z.ZodObject<typeof deliveryFields>>, 'external_id' | 'channel'>;

/** The content of a new delivery without its pickup. It has no name yet. */
export function contentOf(
  body: DeliveryFields & { readonly drop_off: Content['dropOffs'] },
): Omit<Content, 'locationId' | 'pickup'> {
  return {
    externalId: null,
    orderId: null,
    priority: body.priority,
    dropOffs: body.drop_off,
    metadata: body.metadata,
    vehicleTypes: [...new Set(body.vehicle_types)],
    custom: body.custom,
    extras: named({
      tip: body.tip,
      promo: body.promo,
      notifyRecipient: body.notify_recipient,
      orderValueCollectedBy: body.order_value_collected_by === 'service' ? ('service' as const) : null,
    }),
    quoteId: body.quote_id ?? null,
    searchUntilAt: body.search_until ?? null,
    robo: body.test_specifications ?? null,
  };
}

export const NewQuoteBody = z
  .strictObject({
    pickup: QuotePickupBody,
    drop_off: dropOffsOf(QuoteDropOffBody),
    ...deliveryFields,
    subsidy: SubsidyBody.exactOptional(),
    customer_tier: textOf(64)
      .exactOptional()
      .describe('The tier of the customer in your business, at most 64 characters, for rules of type `tier_flag`'),
  })
  .transform((body): AskedQuote => ({
    owner: askedOwner(body),
    content: {
      locationId: body.pickup.locationId,
      pickup: body.pickup.pickup?.place ?? null,
      window: body.pickup.pickup?.window ?? null,
      searchUntilAt: body.search_until ?? null,
      dropOffs: body.drop_off,
      metadata: body.metadata,
      vehicleTypes: body.vehicle_types,
      priority: body.priority,
      subsidy: body.subsidy ?? null,
      customerTier: body.customer_tier ?? null,
      promo: body.promo ?? null,
    },
  }));

export function askedOwner(body: {
  vendor_id?: VendorId;
  live_mode?: boolean;
  channel?: Channel;
  order_value_collected_by?: (typeof COLLECTORS)[number];
}): AskedOwner {
  return {
    vendorId: body.vendor_id ?? null,
    liveMode: body.live_mode ?? null,
    channel: body.channel ?? null,
    isCollector: body.order_value_collected_by === 'service',
  };
}

/**
 * SHA-256 of the content without the quote and the order. The same content is a retry; other content is another delivery.
 */
export function contentHash({ quoteId: _quoteId, orderId: _orderId, extras, ...content }: Content): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted({ ...content, ...extras, dropOffs: content.dropOffs.map(withoutPin) })))
    .digest('base64url');
}

/** Leaves out the PIN. A hash of so few digits would tell it. */
function withoutPin({ verification, ...dropOff }: Content['dropOffs'][number]): object {
  if (verification === undefined) return dropOff;
  const { pin, ...wanted } = verification;
  return { ...dropOff, verification: { ...wanted, pin: pin?.type ?? null } };
}

/** Sorts the keys of every object, so that equal values have the same text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}

/** The short answer of `GET …/status`. */
export const StatusView = z.strictObject({
  id: idSchema('del'),
  object: z.literal('delivery_status'),
  status: z.enum(STATES),
  stage: z.enum([...STAGES, 'offering']).nullable(),
  version: z.number().int(),
  updated_at: z.iso.datetime(),
});
