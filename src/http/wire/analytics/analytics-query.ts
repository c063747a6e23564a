import { z } from 'zod';
import { AFTER_LAST_DATE, countDates, FIRST_DATE, MOST_DATES, type DateSpan } from '../../../domain/analytics/range.ts';
import { idSchema } from '../../../domain/ids.ts';
import { pageQuery } from '../../lists.ts';

const TWO_DATES = 'must be two dates without times, such as 2026-01-01/2026-02-01';

/** Two dates of the calendar, the second one excluded. */
const DatesQuery = z
  .string()
  .max(21, TWO_DATES)
  .regex(/^\d{4}-\d{2}-\d{2}[/,]\d{4}-\d{2}-\d{2}$/, TWO_DATES)
  .transform((text, issues): DateSpan => {
    const [from = '', to = ''] = text.split(/[/,]/);
    const why = judge({ from, to });
    if (why === null) return { from, to };
    issues.addIssue({ code: 'custom', message: why });
    return z.NEVER;
  });

function judge(span: DateSpan): string | null {
  if (![span.from, span.to].every((date) => z.iso.date().safeParse(date).success)) return 'must be two valid dates';
  if (span.from < FIRST_DATE || span.to > AFTER_LAST_DATE) return 'must be within the years 2000 to 2199';
  const dates = countDates(span);
  if (dates <= 0) return 'must end later than it starts';
  return dates > MOST_DATES ? `must span at most ${MOST_DATES} days` : null;
}

export const dates = {
  date_range: DatesQuery.exactOptional().describe(
    'Half-open range of dates in the time zone of the answer, from/to, at most 92 days, within the years 2000 to 2199. The last 30 days if it is left out',
  ),
};
const format = {
  format: z.enum(['json', 'csv']).exactOptional().describe('The form of the answer; by default what `Accept` prefers'),
};
const owner = {
  vendor_id: idSchema('ven').exactOptional().describe('The vendor, for staff and internal services; left out for all'),
  live_mode: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .exactOptional()
    .describe('For staff and internal services: the mode of the deliveries, by default true'),
};

export const AnalyticsQuery = z.strictObject({
  ...dates,
  ...owner,
  location_id: idSchema('loc').exactOptional().describe('Only deliveries that were collected at this vendor location'),
  ...format,
});
export const CostsQuery = AnalyticsQuery.extend({
  group_by: z.enum(['location', 'category']).default('location').describe('How the fees are added up'),
});
export const PerformanceQuery = AnalyticsQuery.extend(pageQuery);
export const CommentsQuery = z.strictObject({
  ...owner,
  courier_id: idSchema('cou').exactOptional().describe('Only comments about this courier'),
  ...pageQuery,
});
export type AskedReach = z.output<typeof AnalyticsQuery>;
