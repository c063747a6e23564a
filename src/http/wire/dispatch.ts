import { z } from 'zod';
import { VEHICLE_TYPES } from '../../domain/courier.ts';
import { DeliveryView } from '../../domain/delivery-view.ts';
import { idSchema } from '../../domain/ids.ts';
import { textOf } from './place.ts';

export const AssignBody = z
  .strictObject({
    delivery_id: idSchema('del'),
    courier_id: idSchema('cou').exactOptional().describe('Without it the matcher runs for this delivery now'),
    override_reason: textOf(280).exactOptional(),
  })
  .transform(({ delivery_id: deliveryId, courier_id: courierId, override_reason: overrideReason }) => ({
    deliveryId,
    courierId: courierId ?? null,
    overrideReason: overrideReason ?? null,
  }));

const DispatchRunView = z.strictObject({ object: z.literal('dispatch_run'), delivery_id: idSchema('del') });

export const AssignView = z.union([DeliveryView, DispatchRunView]);

export const CandidatesQuery = z.strictObject({ delivery_id: idSchema('del') });

/** A courier who could be asked, with what the matcher thinks of him. */
export const CandidateView = z.strictObject({
  courier: z.strictObject({ id: idSchema('cou'), name: z.string(), vehicle_type: z.enum(VEHICLE_TYPES) }),
  distance_m: z.number(),
  travel_s: z.number(),
  load: z.number().int(),
  cost: z.number(),
  reason: z.string(),
});
