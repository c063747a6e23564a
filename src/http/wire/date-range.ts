import { z } from 'zod';

/** A half-open span of service time in epoch ms. */
export type Span = { readonly from: number; readonly to: number };

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const MOST_DAYS = 92;
const DAY_MS = 24 * 60 * 60_000;

const Instant = z.iso.datetime({ offset: true });
const Day = z.iso.date();

/**
 * A half-open ISO 8601 interval `from/to` (or `from,to`) of dates or times. A date means midnight in the time zone of the
 * vendor. Vendors do not have a time zone yet, so it is UTC.
 */
export const DateRange = z
  .string()
  .max(80)
  .transform((text, issues): Span => {
    const ends = text.split(/[/,]/).map(readEnd);
    const [from, to] = ends;
    const why = ends.length === 2 ? judge(from ?? null, to ?? null) : 'must be from/to, such as 2026-01-01/2026-02-01';
    if (why === null) return { from: from ?? 0, to: to ?? 0 };
    issues.addIssue({ code: 'custom', message: why });
    return z.NEVER;
  });

function readEnd(text: string): number | null {
  const schema = DATE.test(text) ? Day : Instant;
  return schema.safeParse(text).success ? Date.parse(text) : null;
}

function judge(from: number | null, to: number | null): string | null {
  if (from === null || to === null) return 'must be two dates, or two times with their zone';
  if (from >= to) return 'must end later than it starts';
  return to - from > MOST_DAYS * DAY_MS ? `must span at most ${MOST_DAYS} days` : null;
}
