import { z } from 'zod';
import type { NewPickup, NewStop } from '../../../dispatch/commands.ts';
import { idSchema, type LocationId } from '../../../domain/ids.ts';
import { MOST_DROP_OFFS } from '../../../domain/deliveries/stop.ts';
import {
  AddressBody,
  ContactBody,
  CoordinatesBody,
  ExternalIdBody,
  InstructionsBody,
  NO_GEOCODER,
  WindowBody,
} from '../place.ts';

/** The start of a delivery: a place, a vendor location, or a vendor location with changes. */
export type AskedPickup = { readonly locationId: LocationId | null; readonly stop: NewPickup | null };

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
    .describe('A vendor location. It provides the fields that the pickup leaves out'),
  coordinates: CoordinatesBody.exactOptional(),
  contact: ContactBody.exactOptional(),
};

const dropOffFields = {
  ...stopFields,
  window: stopFields.window.describe(
    'If any of several drop-offs has a window, the courier visits them in the given order. Otherwise the server chooses a short route',
  ),
  coordinates: CoordinatesBody,
  undeliverable_action: z.enum(['return', 'leave_at_door', 'discard']).default('return'),
};

/** The pickup of a quote. Only its place matters. */
export const QuotePickupBody = pickupWith((pickup) => (isPlaced(pickup) ? null : 'coordinates'));

/** The pickup of a delivery. It must have a contact. */
export const PickupBody = pickupWith((pickup) => {
  if (!isPlaced(pickup)) return 'coordinates';
  return pickup.contact === undefined && pickup.location_id === undefined ? 'contact' : null;
});

export const QuoteDropOffBody = z
  .strictObject({ ...dropOffFields, contact: ContactBody.exactOptional() })
  .transform(dropOffOf);

export const DropOffBody = z.strictObject({ ...dropOffFields, contact: ContactBody }).transform(dropOffOf);

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

function pickupWith(missing: (pickup: PickupFields) => keyof typeof MISSING | null) {
  return z
    .strictObject(pickupFields)
    .superRefine((pickup, issues) => {
      const field = missing(pickup);
      if (field !== null) issues.addIssue({ code: 'custom', path: [field], message: MISSING[field], input: pickup });
    })
    .transform((pickup): AskedPickup => ({ locationId: pickup.location_id ?? null, stop: pickupOf(pickup) }));
}

function isPlaced(pickup: PickupFields): boolean {
  return pickup.coordinates !== undefined || pickup.location_id !== undefined;
}

/** Null if the pickup is only a vendor location, which then provides all fields. */
function pickupOf(pickup: PickupFields): NewPickup | null {
  if (pickup.location_id !== undefined && Object.keys(pickup).length === 1) return null;
  return {
    ...stopOf(pickup),
    place: pickup.coordinates ?? null,
    contact: pickup.contact ?? null,
    undeliverableAction: 'return',
  };
}

function dropOffOf(
  dropOff: StopFields & {
    coordinates: NewStop['place'];
    contact?: NonNullable<NewStop['contact']>;
    undeliverable_action: NewStop['undeliverableAction'];
  },
): NewStop {
  return {
    ...stopOf(dropOff),
    place: dropOff.coordinates,
    contact: dropOff.contact ?? null,
    undeliverableAction: dropOff.undeliverable_action,
  };
}

function stopOf(fields: StopFields): Pick<NewStop, 'address' | 'instructions' | 'window' | 'externalId'> {
  return {
    address: fields.address ?? null,
    instructions: fields.instructions ?? null,
    window: fields.window ?? null,
    externalId: fields.external_id ?? null,
  };
}
