import { z } from 'zod';
import type { OnboardCourier } from '../../../dispatch/commands.ts';
import { VEHICLE_TYPES, type Courier } from '../../../domain/couriers/courier.ts';
import { isoTime } from '../../../domain/time.ts';
import { batchAnswer, FixBatch, fixOf } from '../../../domain/couriers/fix-tuple.ts';
import { idSchema } from '../../../domain/ids.ts';
import type { Fix } from '../../../domain/couriers/position.ts';
import { CoordinatesBody, InstantBody, PhoneBody, textOf } from '../place.ts';

export const OnboardBody = z
  .strictObject({
    name: textOf(120),
    phone: PhoneBody,
    vehicle_type: z.enum(VEHICLE_TYPES),
    live_mode: z.boolean().default(false),
  })
  .transform(({ vehicle_type: vehicleType, live_mode: liveMode, ...rest }): OnboardCourier => ({
    ...rest,
    vehicleType,
    liveMode,
  }));

export const AvailabilityBody = z.strictObject({ status: z.enum(['online', 'offline']) });

const seq = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).describe('Increases with every fix of a phone');
const accuracyM = z.number().min(0).max(100_000);
const speedMps = z.number().min(0).max(1000);
const headingDeg = z.number().min(0).max(360);

const OneFix = z
  .strictObject({
    ...CoordinatesBody.shape,
    seq,
    recorded_at: InstantBody,
    accuracy_m: accuracyM.default(0),
    speed: speedMps.default(0).describe('Metres per second'),
    heading: headingDeg.default(0).describe('Compass degrees'),
  })
  .transform((fix): Fix[] => [
    {
      seq: fix.seq,
      at: fix.recorded_at,
      lat: fix.lat,
      lng: fix.lng,
      accuracyM: fix.accuracy_m,
      speedMps: fix.speed,
      headingDeg: fix.heading,
    },
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
  state: z.enum(['pending', 'active', 'suspended']).describe('State of the profile'),
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
    state: courier.state,
    suspended_for: courier.state === 'suspended' ? (courier.suspendedFor ?? 'staff') : null,
    status: courier.availability,
    active_deliveries: [...courier.active],
    capacity: courier.capacity,
    version: courier.version,
    created_at: isoTime(courier.createdAt),
  };
}
