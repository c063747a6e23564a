import { z } from 'zod';
import type { DateSpan } from '../../../domain/analytics/range.ts';
import { idSchema, type CourierId } from '../../../domain/ids.ts';
import type { CourierMetrics } from '../../../vendors/analytics/read-figures.ts';
import { Dates, presentTiming, rounded, TimingView } from './analytics.ts';
import { dates } from './analytics-query.ts';

export const MetricsQuery = z.strictObject(dates);

const count = z.number().int().min(0);
const share = z.number().min(0).max(1).nullable();

export const MetricsView = z.strictObject({
  object: z.literal('courier_metrics').describe('The kind of object'),
  courier_id: idSchema('cou').describe('The courier'),
  date_range: Dates,
  time_zone: z.literal('UTC').describe('The time zone of the dates'),
  delivered: count.describe('Deliveries that they delivered'),
  failed: count.describe('Deliveries of theirs that failed'),
  released: count.describe('Deliveries that they gave back, or lost because they were silent or late'),
  canceled: count.describe('Deliveries that were canceled because the courier was late'),
  success_rate: share.describe('Delivered, as a share of delivered, failed, released and canceled ones. Null if none'),
  offers: z
    .strictObject({
      shown: count.describe('Offers that their phone acknowledged'),
      accepted: count.describe('Accepted'),
      declined: count.describe('Declined'),
      expired: count.describe('Not answered in time'),
    })
    .describe('The offers that ended on these dates'),
  acceptance_rate: share.describe('Accepted, as a share of accepted, declined and expired offers. Null if none'),
  completion: TimingView.describe('From the assignment until the last drop-off, of delivered deliveries'),
  on_time_rate: share.describe('The share of their deliveries that was on time. Null if none was delivered'),
  rating: z
    .strictObject({
      average: z.number().min(1).max(5).nullable().describe('Average, 1 to 5; null without a rating'),
      count: count.describe('Ratings'),
    })
    .describe('Ratings by recipients and vendors'),
});

export function presentMetrics(
  courierId: CourierId,
  dateRange: DateSpan,
  found: CourierMetrics,
): z.output<typeof MetricsView> {
  return {
    object: 'courier_metrics',
    courier_id: courierId,
    date_range: dateRange,
    time_zone: 'UTC',
    delivered: found.delivered,
    failed: found.failed,
    released: found.released,
    canceled: found.lost,
    success_rate: rounded(found.successRate),
    offers: found.offers,
    acceptance_rate: rounded(found.acceptanceRate),
    completion: presentTiming(found.completion),
    on_time_rate: rounded(found.onTimeRate),
    rating: { average: rounded(found.rating.average), count: found.rating.count },
  };
}
