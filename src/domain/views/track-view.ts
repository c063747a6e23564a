import { z } from 'zod';
import { EtaView } from '../deliveries/delivery-view.ts';
import { idSchema } from '../ids.ts';
import { STAGES, STATES } from '../deliveries/states.ts';

const time = z.iso.datetime();
const place = z.strictObject({ lat: z.number(), lng: z.number() });

/** The rating by a recipient as their page shows it. */
export const TrackRatingView = z.strictObject({
  rating: z.number().int().min(1).max(5).nullable().describe('One to five stars; null if they have not rated yet'),
  comment: z.string().nullable().describe('The words of the recipient; null if there are none'),
  open: z.boolean().describe('True while the recipient can give or change the rating'),
  until: time
    .nullable()
    .describe('The last moment to give or change it: the link ends then, at the latest. Null if it is over'),
});

/** The content of a recipient's page, in wire form. The courier's position comes separately. */
export const TrackView = z.strictObject({
  kind: z.enum(['delivery', 'return']).describe('`return` if goods that were not handed over go back to the pickup'),
  status: z.enum(STATES),
  stage: z.enum([...STAGES, 'offering']).nullable(),
  sequence: z.number().int().min(0),
  vendor: z.strictObject({
    name: z.string(),
    accent: z.string(),
    logo: idSchema('fil')
      .nullable()
      .describe('Changes with each new logo, which `GET /t/{token}/logo` sends; null for none'),
  }),
  courier: z.strictObject({ first_name: z.string(), vehicle_type: z.string() }).nullable(),
  pickup: place,
  drop_off: z.strictObject({ ...place.shape, instructions: z.string().nullable() }),
  polyline: z
    .string()
    .exactOptional()
    .describe(
      'The way along streets to this drop-off, as an encoded polyline with six decimals. Absent while other stops come ' +
        'first, if the distance is an estimate, and if the place was corrected. After another drop-off it begins at its ' +
        'first point more than 200 m away from that',
    ),
  stops_before: z
    .number()
    .int()
    .describe('Open stops that are visited before this one. 0 if it is next; only then the page shows the courier'),
  pin: z
    .string()
    .nullable()
    .describe('The PIN that the recipient tells the courier. Null if none is required, and after the end'),
  eta: EtaView.nullable().describe(
    'Arrival at this drop-off. Null after the end, and while it is not known: the courier has not been heard of for so long ' +
      'that they count as lost, or are long overdue, or the search takes so long that it has an alarm',
  ),
  steps: z.strictObject({
    ordered_at: time,
    assigned_at: time.nullable(),
    picked_up_at: time.nullable(),
    in_transit_at: time.nullable(),
    ended_at: time.nullable(),
  }),
  reason: z.string().nullable(),
  delay_reason: z
    .string()
    .nullable()
    .describe('Why the vendor put off the pickup. Null once the goods are ready or collected'),
  rating: TrackRatingView.nullable().describe('The rating by this recipient. Null while they cannot rate'),
  clock: z.strictObject({ now: z.number(), scale: z.number() }),
});
export type TrackView = z.output<typeof TrackView>;
