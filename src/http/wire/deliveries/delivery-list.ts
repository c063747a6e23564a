import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { STATES, type State } from '../../../domain/deliveries/states.ts';
import { pageQuery } from '../../lists.ts';
import { DateRange, DATES_BEGIN } from '../date-range.ts';
import { ExternalIdBody } from '../place.ts';
import { textOf } from '../../../domain/text.ts';

const SPELLINGS: Record<string, State> = {
  ...Object.fromEntries(STATES.map((state) => [state, state])),
  // Callers may use both spellings. Answers use one.
  cancelled: 'canceled',
};

const WORD = `(${Object.keys(SPELLINGS).join('|')})`;

/** One state, or several separated by commas. */
const StatusFilter = z
  .string()
  .max(100)
  .regex(new RegExp(`^${WORD}(,${WORD})*$`), `must be one or more of ${STATES.join(', ')}, separated by commas`)
  .transform((text): readonly State[] => text.split(',').flatMap((word) => SPELLINGS[word] ?? []));

export const DeliveryListQuery = z.strictObject({
  ...pageQuery,
  status: StatusFilter.exactOptional().describe('One state, or several separated by commas'),
  date_range: DateRange.exactOptional().describe(
    `Half-open range of the creation, from/to, at most 92 days. ${DATES_BEGIN}`,
  ),
  external_id: ExternalIdBody.exactOptional().describe('Your own id of the delivery, whole'),
  order_id: ExternalIdBody.exactOptional().describe('The vendor order that the delivery was dispatched for, whole'),
  courier_id: idSchema('cou')
    .exactOptional()
    .describe('The courier to whom the delivery is assigned, or was at its end'),
  q: textOf(64)
    .refine((text) => text.length >= 2, 'must have at least 2 characters besides blanks')
    .exactOptional()
    .describe(
      'A search: a whole id, external id or order id, the last four or more digits of a recipient’s phone, or whole words of the names and addresses of recipients. Case and accents do not count, and all words must be there',
    ),
});

export const PlatformListQuery = DeliveryListQuery.extend({
  vendor_id: idSchema('ven').exactOptional().describe('The vendor, for staff and internal services'),
  live_mode: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .exactOptional()
    .describe('For staff and internal services: true lists live deliveries only, false test deliveries only'),
});

/**
 * The filters of a list whose courier is in the path. It must not name another courier, and couriers cannot search
 * the contacts of ended deliveries.
 */
export const CarriedListQuery = DeliveryListQuery.pick({ limit: true, cursor: true, status: true, date_range: true });

export const OwnListQuery = z.strictObject(pageQuery);
