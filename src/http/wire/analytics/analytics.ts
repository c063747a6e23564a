import { z } from 'zod';
import type { DateSpan } from '../../../domain/analytics/range.ts';
import type { SpanFigures } from '../../../domain/analytics/spans.ts';
import { ACTOR_TYPES } from '../../../domain/deliveries/states.ts';
import { idSchema } from '../../../domain/ids.ts';
import type { Cost, Performance, SuccessRate } from '../../../vendors/analytics/read-figures.ts';
import type { Reach } from '../../../vendors/analytics/reach.ts';

const date = z.iso.date();
const count = z.number().int().min(0);
const share = z.number().min(0).max(1);
export const Dates = z
  .strictObject({ from: date.describe('The first date'), to: date.describe('The first date after the range') })
  .describe('The dates on which the deliveries ended');

const about = {
  date_range: Dates,
  time_zone: z
    .string()
    .describe('IANA time zone of the dates: that of the location, or else of the vendor; UTC for the whole platform'),
  live_mode: z.boolean().describe('False for deliveries of test mode'),
  vendor_id: idSchema('ven').nullable().describe('The vendor; null for the whole platform'),
  location_id: idSchema('loc').nullable().describe('The vendor location; null for all'),
};

const unsuccessful = z.enum(['canceled', 'failed']).describe('How the deliveries ended');
const ended = {
  delivered: count.describe('Delivered'),
  canceled: count.describe('Canceled'),
  failed: count.describe('Failed'),
};

export const SuccessRateView = z.strictObject({
  object: z.literal('success_rate').describe('The kind of object'),
  ...about,
  ...ended,
  rate: share.nullable().describe('The delivered share of all that ended, 0 to 1. Null if none ended'),
  on_time: count.describe('Delivered no later than promised'),
  ended_by: z
    .array(
      z.strictObject({
        outcome: unsuccessful,
        by: z.enum(ACTOR_TYPES).describe('The kind of caller who ended them'),
        count: count.describe('How many'),
      }),
    )
    .describe('Deliveries that were canceled or failed, by the caller'),
  reasons: z
    .array(
      z.strictObject({
        outcome: unsuccessful,
        reason: z.string().describe('The reason; `unspecified` if none was given'),
        count: count.describe('How many'),
      }),
    )
    .describe('Deliveries that were canceled or failed, by the reason'),
  returns: z.strictObject(ended).describe('Returns, which no other number here contains'),
});

const seconds = z.number().min(0).nullable();
export const TimingView = z.strictObject({
  count: count.describe('Deliveries in which both ends of the span are known'),
  mean_s: seconds.describe('Mean in seconds, exact to a tenth'),
  p50_s: seconds.describe('Median in seconds, within 5 %'),
  p90_s: seconds.describe('90th percentile in seconds, within 5 %'),
});
export type TimingView = z.output<typeof TimingView>;

export const TimingsView = z.strictObject({
  object: z.literal('timings').describe('The kind of object'),
  ...about,
  preparation: TimingView.describe('From the create until the vendor reported the goods ready'),
  wait: TimingView.describe("From the courier's arrival at the pickup until they collected the goods"),
  transit: TimingView.describe('From the pickup until the last drop-off, of delivered deliveries'),
});
export const CostsView = z.strictObject({
  object: z.literal('delivery_costs').describe('The kind of object'),
  ...about,
  group_by: z.enum(['location', 'category']).describe('How the charges are added up'),
  data: z
    .array(
      z.strictObject({
        location_id: idSchema('loc')
          .nullable()
          .describe('The location, if `group_by` is `location`; null if none was named'),
        category: z.string().nullable().describe('The category, if `group_by` is `category`; null if none was named'),
        currency: z.string().length(3).describe('ISO 4217 code of the currency'),
        deliveries: count.describe('Delivered deliveries'),
        charged: z
          .number()
          .int()
          .describe('Sum of all charges, less refunds, also of canceled and failed deliveries, in minor units'),
      }),
    )
    .describe('One row for each group and currency, the highest sum first'),
});

export const PerformanceView = z.strictObject({
  object: z.literal('rider_performance').describe('The kind of object'),
  courier_id: idSchema('cou').describe('The courier'),
  first_name: z.string().nullable().describe("The courier's first name"),
  deliveries: count.describe('Deliveries that they delivered'),
  failed: count.describe('Deliveries of theirs that failed'),
  on_time_rate: share.nullable().describe('The share of their deliveries that was on time, 0 to 1'),
  rating: z.number().min(1).max(5).nullable().describe('Average of the ratings, 1 to 5; null without a rating'),
  ratings: count.describe('Ratings'),
  comments: count.describe('Ratings with a comment'),
});

/** The deliveries that an answer is about. */
export function presentReach({ dates: span, zone, liveMode, vendorId, locationId }: Reach): {
  date_range: DateSpan;
  time_zone: string;
  live_mode: boolean;
  vendor_id: Reach['vendorId'];
  location_id: Reach['locationId'];
} {
  return { date_range: span, time_zone: zone, live_mode: liveMode, vendor_id: vendorId, location_id: locationId };
}

export function presentSuccess(reach: Reach, rate: SuccessRate): z.output<typeof SuccessRateView> {
  const { delivered, canceled, failed, returns } = rate;
  return {
    object: 'success_rate',
    ...presentReach(reach),
    delivered,
    canceled,
    failed,
    rate: rounded(rate.rate),
    on_time: rate.onTime,
    ended_by: rate.endedBy.flatMap(({ outcome, name, count: many }) => {
      const by = ACTOR_TYPES.find((type) => type === name);
      return by === undefined ? [] : [{ outcome, by, count: many }];
    }),
    reasons: rate.reasons.map(({ outcome, name, count: many }) => ({ outcome, reason: name, count: many })),
    returns,
  };
}

export function presentTiming({ count: many, meanS, p50S, p90S }: SpanFigures): TimingView {
  return { count: many, mean_s: tenths(meanS), p50_s: tenths(p50S), p90_s: tenths(p90S) };
}

export function presentCosts(
  reach: Reach,
  by: 'location' | 'category',
  costs: readonly Cost[],
): z.output<typeof CostsView> {
  return {
    object: 'delivery_costs',
    ...presentReach(reach),
    group_by: by,
    data: costs.map(({ group, ...cost }) => ({
      location_id: by === 'location' ? (group as Reach['locationId']) : null,
      category: by === 'category' ? group : null,
      ...cost,
    })),
  };
}

export function presentPerformance(one: Performance, firstName: string | null): z.output<typeof PerformanceView> {
  return {
    object: 'rider_performance',
    courier_id: one.courierId,
    first_name: firstName,
    deliveries: one.delivered,
    failed: one.failed,
    on_time_rate: rounded(one.onTimeRate),
    rating: rounded(one.rating.average),
    ratings: one.rating.count,
    comments: one.comments,
  };
}

/** A share with four decimals. */
export function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000) / 10_000;
}

function tenths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10) / 10;
}
