import { z } from 'zod';
import type { NewPickup, NewStop } from '../../../dispatch/commands.ts';
import { idSchema, type LocationId } from '../../../domain/ids.ts';
import { ITEM_SIZES, MOST_ITEMS, type Item } from '../../../domain/deliveries/parcel.ts';
import { DELIVERABLE_ACTIONS, NO_PROOF } from '../../../domain/proof/verification.ts';
import { DropOffVerificationBody, PickupVerificationBody, refuseMeetingAtDoor } from './verification.ts';
import { MOST_DROP_OFFS, UNDELIVERABLE_ACTIONS } from '../../../domain/deliveries/stops/stop.ts';
import {
  AddressBody,
  ContactBody,
  CoordinatesBody,
  ExternalIdBody,
  InstructionsBody,
  MinorUnits,
  NO_GEOCODER,
  WindowBody,
} from '../place.ts';
import { textOf } from '../../../domain/text.ts';

/** One kind of goods. */
export const ItemBody = z
  .strictObject({
    name: textOf(120).describe('Name of the goods, at most 120 characters'),
    quantity: z.number().int().min(1).max(999).default(1).describe('Number of pieces, 1 to 999. The default is 1'),
    price: MinorUnits.exactOptional().describe('Price of one piece in minor units of the vendor’s currency'),
    weight_g: z.number().int().min(1).max(10_000_000).exactOptional().describe('Weight of one piece in grams'),
    size: z.enum(ITEM_SIZES).exactOptional().describe('Size of one piece'),
    barcode: textOf(64).exactOptional().describe('Barcode on the goods, at most 64 characters'),
  })
  .transform(({ weight_g: weightG, ...item }): Item => ({ ...item, ...(weightG === undefined ? {} : { weightG }) }));

/** The start of a delivery: a place, a vendor location, or a vendor location with changes. */
export type AskedPickup = { readonly locationId: LocationId | null; readonly pickup: NewPickup | null };

const stopFields = {
  address: AddressBody.nullish(),
  instructions: InstructionsBody.nullish(),
  window: WindowBody.nullish(),
  external_id: ExternalIdBody.nullish(),
};

type StopFields = z.output<z.ZodObject<typeof stopFields>>;

const pickupFields = {
  ...stopFields,
  location_id: idSchema('loc')
    .exactOptional()
    .describe(
      'A vendor location. It provides the fields that the pickup leaves out, but its address only for coordinates at most 100 m away',
    ),
  coordinates: CoordinatesBody.exactOptional(),
  contact: ContactBody.exactOptional(),
  business_name: textOf(120).nullish().describe('Name of the business at the pickup, at most 120 characters'),
  verification: PickupVerificationBody.nullish(),
  reference: textOf(64)
    .nullish()
    .describe(
      'Words that the courier says at the pickup to get the goods, such as an order number; at most 64 characters',
    ),
};

const dropOffFields = {
  ...stopFields,
  verification: DropOffVerificationBody.nullish(),
  deliverable_action: z
    .enum(DELIVERABLE_ACTIONS)
    .nullish()
    .describe(
      '`meet_at_door`: the courier meets the recipient, which is the default. `leave_at_door`: the courier leaves the goods and takes a photo; it excludes `signature`, `pin` and `identification`',
    ),
  window: stopFields.window.describe(
    'If any of several drop-offs has a window, the courier visits them in the given order. Otherwise the server chooses a short route',
  ),
  coordinates: CoordinatesBody,
  undeliverable_action: z
    .enum(UNDELIVERABLE_ACTIONS)
    .default('return')
    .describe(
      'Handling of the goods if the drop-off fails. `return` opens a return to the pickup. `leave_at_door` leaves them if the courier was there. `discard` leaves them to the courier. The default is `return`',
    ),
  items: z.array(ItemBody).max(MOST_ITEMS).nullish().describe('The goods for this drop-off, at most 100 kinds'),
  order_value: MinorUnits.nullish().describe(
    'Value of the goods for this drop-off, in minor units of the vendor’s currency',
  ),
};

/** The pickup of a quote. Only its place matters. */
export const QuotePickupBody = pickupWith(['coordinates']);

/** The pickup of a delivery. It must have a contact. */
export const PickupBody = pickupWith(['coordinates', 'contact']);

export const QuoteDropOffBody = z
  .strictObject({ ...dropOffFields, contact: ContactBody.exactOptional() })
  .superRefine(refuseMeetingAtDoor)
  .transform(dropOffOf);

export const DropOffBody = z
  .strictObject({ ...dropOffFields, contact: ContactBody })
  .superRefine(refuseMeetingAtDoor)
  .transform(dropOffOf);

/** One to ten drop-offs. A single drop-off does not need an array. */
export function dropOffsOf<T extends z.ZodType>(dropOff: T) {
  return z.preprocess(asArray, z.array(dropOff).min(1).max(MOST_DROP_OFFS));
}

/** Wraps a single object in an array. */
export function asArray(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : value;
}

type PickupFields = z.output<z.ZodObject<typeof pickupFields>>;

const MISSING = {
  coordinates: NO_GEOCODER,
  contact: 'must be given, because the pickup does not name a vendor location',
};

/** A pickup that must have these fields, unless it names a vendor location. */
function pickupWith(required: readonly (keyof typeof MISSING)[]) {
  return z
    .strictObject(pickupFields)
    .superRefine((pickup, issues) => {
      const field = pickup.location_id === undefined ? required.find((name) => pickup[name] === undefined) : undefined;
      if (field === undefined) return;
      issues.addIssue({ code: 'custom', path: [field], message: MISSING[field], input: pickup });
    })
    .transform((pickup): AskedPickup => ({ locationId: pickup.location_id ?? null, pickup: pickupOf(pickup) }));
}

/** The pickup of a vendor order: its location, with changes. */
export const OrderPickupBody = z
  .strictObject({ ...stopFields, contact: ContactBody.exactOptional() })
  .transform((pickup): NewPickup => ({
    ...stopOf(pickup),
    place: null,
    contact: pickup.contact ?? null,
    undeliverableAction: 'return',
  }));

/** Null if the pickup is only a vendor location, which then provides all fields. */
function pickupOf(pickup: PickupFields): NewPickup | null {
  if (pickup.location_id !== undefined && Object.keys(pickup).length === 1) return null;
  return {
    ...stopOf(pickup),
    ...named({
      businessName: pickup.business_name,
      reference: pickup.reference,
      verification: pickup.verification,
    }),
    place: pickup.coordinates ?? null,
    contact: pickup.contact ?? null,
    undeliverableAction: 'return',
  };
}

type DropOffFields = Omit<z.output<z.ZodObject<typeof dropOffFields>>, 'contact'> & {
  readonly contact?: NonNullable<NewStop['contact']>;
};

function dropOffOf(dropOff: DropOffFields): NewStop {
  const items = dropOff.items?.length === 0 ? null : dropOff.items;
  return {
    ...stopOf(dropOff),
    ...named({ items, orderValue: dropOff.order_value, ...provenAs(dropOff) }),
    place: dropOff.coordinates,
    contact: dropOff.contact ?? null,
    undeliverableAction: dropOff.undeliverable_action,
  };
}

/** The proof of a drop-off. The courier takes a photo of goods that nobody receives. */
function provenAs({ verification, deliverable_action: action }: DropOffFields) {
  if (action !== 'leave_at_door') return { verification };
  return { verification: { ...(verification ?? NO_PROOF), picture: true }, deliverableAction: action };
}

function stopOf(fields: StopFields): Pick<NewStop, 'address' | 'instructions' | 'window' | 'externalId'> {
  return {
    address: fields.address ?? null,
    instructions: fields.instructions ?? null,
    window: fields.window ?? null,
    externalId: fields.external_id ?? null,
  };
}

type Named<T> = { [K in keyof T]?: NonNullable<T[K]> };

/** The fields that the request names. The others are absent, so that bodies without them keep their hash. */
export function named<T extends object>(fields: T): Named<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as Named<T>;
}
