import { z } from 'zod';
import { isTerminal } from '../../../domain/deliveries/lifecycle.ts';
import type { Delivery } from '../../../domain/deliveries/delivery.ts';
import { EtaView } from '../../../domain/deliveries/delivery-view.ts';
import { presentEta } from '../../../domain/views/present-delivery.ts';
import { isoTime, type EtaRange } from '../../../domain/time.ts';
import { idSchema } from '../../../domain/ids.ts';
import type { Position } from '../../../domain/couriers/position.ts';
import { Refusal } from '../../../domain/refusals/refusals.ts';

/** A position older than this is stale; service time. */
const STALE_AFTER_S = 60;

/** The tracking links of all drop-offs. `url` is the link of the drop-off that is visited last. */
export const LinkView = z.strictObject({
  url: z.string().describe('Link of the only drop-off, or of the one that is visited last'),
  token_id: idSchema('trk'),
  expires_at: z.iso.datetime(),
  links: z
    .array(z.strictObject({ stop: z.number().int(), url: z.string() }))
    .describe('Links of all drop-offs by number. Send each recipient only their own link'),
});

const Place = z.strictObject({ lat: z.number(), lng: z.number() });

/** The location of the courier. Its fields are null until the first position arrives. */
export const LiveLocationView = z.strictObject({
  location: Place.nullable(),
  heading: z.number().nullable(),
  speed: z.number().nullable().describe('Metres per second'),
  accuracy_m: z.number().nullable(),
  recorded_at: z.iso.datetime().nullable(),
  age_s: z.number().int().nullable(),
  stale: z.boolean(),
  eta: z.strictObject({ pickup: EtaView.nullable(), drop_off: EtaView.nullable() }),
});

/** Refuses `delivery_complete` after the end, and `courier_not_assigned` while no courier is assigned. */
export function refuseWithoutCourier({ state, courierId }: Delivery): void {
  if (isTerminal(state)) {
    throw new Refusal('delivery_complete', { detail: `The delivery is \`${state}\`, so its location is not shown.` });
  }
  if (courierId === null) throw new Refusal('courier_not_assigned');
}

export function presentLiveLocation(
  position: Position | null,
  eta: { pickup: EtaRange | null; dropOff: EtaRange | null },
  now: number,
): z.output<typeof LiveLocationView> {
  const ageS = position === null ? null : Math.max(0, Math.round((now - position.at) / 1000));
  return {
    location: position === null ? null : { lat: position.lat, lng: position.lng },
    heading: position?.headingDeg ?? null,
    speed: position?.speedMps ?? null,
    accuracy_m: position?.accuracyM ?? null,
    recorded_at: position === null ? null : isoTime(position.at),
    age_s: ageS,
    stale: ageS === null || ageS > STALE_AFTER_S,
    eta: { pickup: presentEta(eta.pickup), drop_off: presentEta(eta.dropOff) },
  };
}
