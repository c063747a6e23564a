import { z } from 'zod';
import { AFTER_LAST_DATE, FIRST_DATE, isDate, type AskedSpan } from '../../domain/analytics/range.ts';

const END = '[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?';
const RANGE = new RegExp(`^${END}[/,]${END}$`);
const FORM = 'must be from/to, such as 2026-01-01/2026-02-01';
const MOST_DAYS = 92;
const DAY_MS = 24 * 60 * 60_000;

const Instant = z.iso.datetime({ offset: true });
const Day = z.iso.date();

/** Where the dates of a range begin. */
export const DATES_BEGIN =
  'Dates begin at midnight in the time zone of the vendor, or of UTC if the request is about no single vendor';

/** A half-open ISO 8601 interval `from/to` (or `from,to`) of dates or times. A date means midnight in a zone that is not known yet. */
export const DateRange = z
  .string()
  .max(80)
  .regex(RANGE, FORM)
  .transform((text, issues): AskedSpan => {
    const [from = '', to = ''] = text.split(/[/,]/);
    const why = judge(readEnd(from), readEnd(to));
    if (why === null) return { from, to };
    issues.addIssue({ code: 'custom', message: why });
    return z.NEVER;
  });

/** The end as if its date began in UTC, which is near enough to judge the length. */
function readEnd(text: string): number | null {
  const schema = isDate(text) ? Day : Instant;
  return schema.safeParse(text).success ? Date.parse(text) : null;
}

function judge(from: number | null, to: number | null): string | null {
  if (from === null || to === null) return 'must be two dates, or two times with their zone';
  if (from < Date.parse(FIRST_DATE) || to > Date.parse(AFTER_LAST_DATE)) return 'must be within the years 2000 to 2199';
  if (from >= to) return 'must end later than it starts';
  return to - from > MOST_DAYS * DAY_MS ? `must span at most ${MOST_DAYS} days` : null;
}
