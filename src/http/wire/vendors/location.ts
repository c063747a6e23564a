import { z } from 'zod';
import { AddressView } from '../../../domain/deliveries/delivery-view.ts';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import { isReadyAt, LOCATION_KINDS, type VendorLocation } from '../../../domain/vendors/vendor.ts';
import { LONGEST_WAY_M } from '../../../settings.ts';
import type { LocationChanges, NewLocation } from '../../../vendors/edit-location.ts';
import { AddressBody, ContactBody, CoordinatesBody, InstantBody, InstructionsBody } from '../place.ts';
import { textOf } from '../../../domain/text.ts';

/** The longest way that a vendor or a location may have, metres. */
export const MaxDistanceBody = z.number().int().min(100).max(LONGEST_WAY_M);

const fields = {
  name: textOf(120).describe('The name of the location, at most 120 characters'),
  kind: z.enum(LOCATION_KINDS).describe('Whether it is a storefront or a warehouse'),
  coordinates: CoordinatesBody.describe('Where couriers collect the goods'),
  address: AddressBody.describe('The address, as one line or in parts'),
  contact: ContactBody.describe('The person at the location'),
  instructions: InstructionsBody.nullable().describe(
    'For the courier at each pickup, at most 280 characters. Null for none',
  ),
  max_distance_m: MaxDistanceBody.nullable().describe('The longest way from here, metres. Null for the vendor’s limit'),
};

export const NewLocationBody = z
  .strictObject({
    ...fields,
    vendor_id: idSchema('ven').describe('The vendor who gets the location'),
    kind: fields.kind.default('storefront'),
    instructions: fields.instructions.default(null),
    max_distance_m: fields.max_distance_m.default(null),
  })
  .transform(({ vendor_id: vendorId, coordinates: place, max_distance_m: maxDistanceM, ...rest }): NewLocation => ({
    vendorId,
    place,
    maxDistanceM,
    ...rest,
  }));

export const LocationChangesBody = z
  .strictObject({
    name: fields.name.exactOptional(),
    kind: fields.kind.exactOptional(),
    coordinates: fields.coordinates.exactOptional(),
    address: fields.address.exactOptional(),
    contact: fields.contact.exactOptional(),
    instructions: fields.instructions.exactOptional(),
    max_distance_m: fields.max_distance_m.exactOptional(),
  })
  .transform(({ coordinates, max_distance_m: maxDistanceM, ...rest }): LocationChanges => ({
    ...rest,
    ...(coordinates === undefined ? {} : { place: coordinates }),
    ...(maxDistanceM === undefined ? {} : { maxDistanceM }),
  }));

export const ReadinessBody = z
  .strictObject({
    ready: z.boolean().describe('False stops new immediate pickups at the location at once'),
    until: InstantBody.exactOptional().describe(
      'When a location that is not ready becomes ready by itself. It then also refuses scheduled pickups before this time',
    ),
  })
  .refine(({ ready, until }) => !ready || until === undefined, {
    error: 'must be left out when `ready` is true',
    path: ['until'],
  })
  .transform(({ ready: isReady, until }) => ({ isReady, until: until ?? null }));

const time = z.iso.datetime();

export const LocationView = z.strictObject({
  id: idSchema('loc').describe('The location’s id'),
  object: z.literal('vendor_location').describe('Always `vendor_location`'),
  vendor_id: idSchema('ven').describe('The vendor'),
  name: z.string().describe('The name of the location'),
  kind: z.enum(LOCATION_KINDS).describe('Whether it is a storefront or a warehouse'),
  coordinates: z
    .strictObject({
      lat: z.number().describe('Latitude, WGS84 degrees'),
      lng: z.number().describe('Longitude, WGS84 degrees'),
    })
    .describe('Where couriers collect the goods'),
  address: AddressView.describe('The address as it was sent: one line, or its parts'),
  contact: z
    .strictObject({
      name: z.string().describe('The name of the person'),
      phone: z.string().describe('Their phone number, E.164'),
      email: z.string().exactOptional().describe('Their e-mail address'),
    })
    .describe('The person at the location'),
  instructions: z.string().nullable().describe('For the courier at each pickup; null if there are none'),
  max_distance_m: z
    .number()
    .int()
    .nullable()
    .describe('The longest way from here, metres; null for the vendor’s limit'),
  ready: z.boolean().describe('Whether the location takes immediate deliveries now'),
  readiness: z
    .strictObject({
      by: z.string().describe('The kind of caller who reported it: `vendor`, `staff`, or `internal` for an operator'),
      by_id: z.string().nullable().describe('The id of the vendor or the member of staff, or the name of the operator'),
      at: time.describe('When it was reported'),
      until: time.nullable().describe('When the location becomes ready by itself; null if somebody must say so'),
    })
    .nullable()
    .describe('The last report about the readiness; null if there was none'),
  version: z.number().int().describe('Rises by one with each change; also the `ETag`'),
  created_at: time.describe('When the location was added'),
  updated_at: time.describe('When the location last changed'),
});

export function presentLocation(location: VendorLocation, now: number): z.output<typeof LocationView> {
  const { readiness, address } = location;
  return {
    id: location.id,
    object: 'vendor_location',
    vendor_id: location.vendorId,
    name: location.name,
    kind: location.kind,
    coordinates: { ...location.place },
    address: typeof address === 'string' ? address : { ...address },
    contact: { ...location.contact },
    instructions: location.instructions,
    max_distance_m: location.maxDistanceM,
    ready: isReadyAt(location, now),
    readiness:
      readiness === null
        ? null
        : {
            by: readiness.by.type,
            by_id: readiness.by.id,
            at: isoTime(readiness.at),
            until: readiness.until === null ? null : isoTime(readiness.until),
          },
    version: location.version,
    created_at: isoTime(location.createdAt),
    updated_at: isoTime(location.updatedAt),
  };
}
