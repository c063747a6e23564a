import { z } from 'zod';
import { AnyPayload, EVENT_TYPES, EVENTS, type EventType } from '../../../domain/deliveries/events.ts';
import { idSchema } from '../../../domain/ids.ts';
import { pageQuery } from '../../lists.ts';
import { DateRange, DATES_BEGIN } from '../date-range.ts';

const envelope = {
  id: idSchema('evt'),
  object: z.literal('event'),
  api_version: z.string(),
  created_at: z.iso.datetime(),
  live_mode: z.boolean(),
  sequence: z.number().int().describe('Number of the event within its delivery, from 1 without gaps'),
  delivery_id: idSchema('del'),
  external_id: z.string().exactOptional(),
  vendor_id: idSchema('ven'),
};

/** An event of each type, as webhooks send it. */
export const EVENT_VIEWS: ReadonlyMap<EventType, z.ZodType> = new Map(
  EVENT_TYPES.map((type) => [type, z.strictObject({ ...envelope, type: z.literal(type), data: EVENTS[type].data })]),
);

/** Any event, as vendors list it. */
export const EventView = z.strictObject({
  ...envelope,
  type: z.enum(EVENT_TYPES),
  data: AnyPayload,
});

/** An event in the history of a delivery, which couriers also read. `present` in the domain gives its exact type. */
export const HistoryEventView: z.ZodType = EventView.extend({
  data: AnyPayload.partial().describe(
    'The facts of the event. Empty if the event is not for couriers and a courier reads it',
  ),
});

export const EventListQuery = z.strictObject({
  ...pageQuery,
  type: z.enum(EVENT_TYPES).exactOptional().describe('Lists only events of this type'),
  delivery_id: idSchema('del').exactOptional().describe('Lists only events of this delivery'),
  date_range: DateRange.exactOptional().describe(
    `Half-open range of the time of the event, from/to, at most 92 days. ${DATES_BEGIN}`,
  ),
});
