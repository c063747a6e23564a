import { z } from 'zod';
import { given } from '../given.ts';
import type { OnboardCourier } from '../../../dispatch/commands.ts';
import type { CourierChanges } from '../../../dispatch/couriers/edit-courier.ts';
import { COURIER_STATES, VEHICLE_TYPES, type Courier } from '../../../domain/couriers/courier.ts';
import { isoTime } from '../../../domain/time.ts';
import { batchAnswer, FixBatch, fixOf } from '../../../domain/couriers/fix-tuple.ts';
import { idSchema } from '../../../domain/ids.ts';
import type { Fix } from '../../../domain/couriers/position.ts';
import type { CourierFilter } from '../../../ports/couriers.ts';
import { pageQuery } from '../../lists.ts';
import { PlatformListQuery } from '../deliveries/delivery-list.ts';
import { CoordinatesBody, InstantBody, PhoneBody } from '../place.ts';
import { textOf } from '../../../domain/text.ts';

const email = z.email().max(254).describe('E-mail address, at most 254 characters');
const plate = textOf(16).describe('Licence plate of the vehicle, at most 16 characters');
const city = textOf(80).describe('City in which the courier works, at most 80 characters');

export const OnboardBody = z
  .strictObject({
    name: textOf(120),
    phone: PhoneBody,
    vehicle_type: z.enum(VEHICLE_TYPES),
    live_mode: z.boolean().default(false),
    email: email.exactOptional(),
    plate: plate.exactOptional(),
    city: city.exactOptional(),
  })
  .transform(({ vehicle_type: vehicleType, live_mode: liveMode, ...rest }): OnboardCourier => ({
    ...rest,
    vehicleType,
    liveMode,
  }));

/** The fields of a profile that may change. */
export const CourierChangesBody = z
  .strictObject({
    name: textOf(120).exactOptional().describe('Full name, at most 120 characters. Only staff change it'),
    phone: PhoneBody.exactOptional().describe('Phone number in E.164. Only staff change it; it ends all sessions'),
    vehicle_type: z.enum(VEHICLE_TYPES).exactOptional().describe('The vehicle'),
    email: email.nullable().exactOptional().describe('E-mail address, at most 254 characters. Null removes it'),
    plate: plate.nullable().exactOptional().describe('Licence plate, at most 16 characters. Null removes it'),
    city: city.nullable().exactOptional().describe('City, at most 80 characters. Null removes it'),
  })
  .transform(({ vehicle_type: vehicleType, ...rest }): CourierChanges => ({
    ...rest,
    ...(vehicleType === undefined ? {} : { vehicleType }),
  }));

export const CourierListQuery = z
  .strictObject({
    ...pageQuery,
    live_mode: PlatformListQuery.shape.live_mode.describe('True lists couriers of live mode only, false of test mode'),
    status: z.enum(COURIER_STATES).exactOptional().describe('Couriers whose profile has this state'),
    availability: z.enum(['online', 'offline']).exactOptional().describe('Couriers who are online or offline'),
    vehicle_type: z.enum(VEHICLE_TYPES).exactOptional().describe('Couriers with this vehicle'),
    q: z
      .string()
      .trim()
      .min(2)
      .max(64)
      .exactOptional()
      .describe('An id, whole words of the name, or the last four or more digits of the phone; 2 to 64 characters'),
  })
  .transform(({ live_mode: liveMode, status: state, vehicle_type: vehicleType, q: search, ...rest }) => ({
    ...rest,
    filter: given<CourierFilter>({ liveMode, state, availability: rest.availability, vehicleType, search }),
  }));

export const StandingBody = z.strictObject({
  reason: textOf(280)
    .exactOptional()
    .describe('Why, for the audit log: 1 to 280 characters. A repeat that changes nothing does not record it'),
});

export const AvailabilityBody = z.strictObject({ status: z.enum(['online', 'offline']) });

const seq = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Increases with every fix of a phone');
const orUnknown = z.number().nullable().default(null);

const OneFix = z
  .strictObject({
    ...CoordinatesBody.shape,
    seq,
    recorded_at: InstantBody,
    accuracy_m: orUnknown.describe('Metres; null if unknown. A fix below 0 or above 100 is dropped'),
    speed: orUnknown.describe('Metres per second, 0 to 1000; null or any other number if unknown'),
    heading: orUnknown.describe('Compass degrees, 0 to 360; null or any other number if unknown'),
  })
  .transform((fix): Fix[] => [
    fixOf([fix.seq, fix.recorded_at, fix.lat, fix.lng, fix.accuracy_m, fix.speed, fix.heading]),
  ]);

const ManyFixes = z
  .strictObject({ fixes: FixBatch.describe('Tuples as in the socket message `ping`') })
  .transform(({ fixes }): Fix[] => fixes.map(fixOf));

/** One fix with named fields, or a batch of tuples. */
export const LocationBody = z.union([ManyFixes, OneFix]);

export const LocationView = z.strictObject(batchAnswer);

export const CourierView = z.strictObject({
  id: idSchema('cou'),
  object: z.literal('courier'),
  live_mode: z.boolean(),
  kind: z.enum(['courier', 'robo']),
  name: z.string(),
  phone: z.string(),
  vehicle_type: z.enum(VEHICLE_TYPES),
  email: z.string().nullable().describe('E-mail address. Null if not given'),
  plate: z.string().nullable().describe('Licence plate of the vehicle. Null if not given'),
  city: z.string().nullable().describe('City in which the courier works. Null if not given'),
  state: z.enum(COURIER_STATES).describe('State of the profile'),
  suspended_for: z
    .enum(['staff', 'documents'])
    .nullable()
    .describe('Whether staff or an expired document suspended the courier; null if they are not suspended'),
  status: z.enum(['online', 'offline']).describe('Availability'),
  active_deliveries: z.array(idSchema('del')),
  capacity: z.number().int(),
  version: z.number().int(),
  created_at: z.iso.datetime(),
});

export function presentCourier(courier: Courier): z.output<typeof CourierView> {
  return {
    id: courier.id,
    object: 'courier',
    live_mode: courier.liveMode,
    kind: courier.kind,
    name: courier.name,
    phone: courier.phone,
    vehicle_type: courier.vehicleType,
    email: courier.email ?? null,
    plate: courier.plate ?? null,
    city: courier.city ?? null,
    state: courier.state,
    suspended_for: courier.state === 'suspended' ? (courier.suspendedFor ?? 'staff') : null,
    status: courier.availability,
    active_deliveries: [...courier.active],
    capacity: courier.capacity,
    version: courier.version,
    created_at: isoTime(courier.createdAt),
  };
}
