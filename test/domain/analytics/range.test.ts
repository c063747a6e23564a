import { fc, test as check } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { countDates, coverOf, MOST_DATES, shiftDate, weekOf } from '../../../src/domain/analytics/range.ts';

const WEEK = '/P1W';

/** The dates of a cover, in its order. */
function datesOf(cover: readonly string[]): string[] {
  return cover.flatMap((one) =>
    one.endsWith(WEEK) ? Array.from({ length: 7 }, (_, day) => shiftDate(one.slice(0, -WEEK.length), day)) : [one],
  );
}

check.prop([fc.integer({ min: -1000, max: 40_000 }), fc.integer({ min: 1, max: MOST_DATES })])(
  '[N8] the weeks and dates of a cover are the range, each date once, and at most 23 of them',
  (day, length) => {
    const from = shiftDate('1970-01-01', day);
    const span = { from, to: shiftDate(from, length) };
    const cover = coverOf(span);
    expect(datesOf(cover)).toEqual(Array.from({ length }, (_, at) => shiftDate(from, at)));
    expect(cover.length).toBeLessThanOrEqual(23);
    expect(countDates(span)).toBe(length);
  },
);

test('[N8] a week lasts from Monday to Sunday, also over the end of a year', () => {
  expect(['2026-12-27', '2026-12-28', '2027-01-01', '2027-01-03', '2027-01-04'].map(weekOf)).toEqual([
    '2026-12-21/P1W',
    '2026-12-28/P1W',
    '2026-12-28/P1W',
    '2026-12-28/P1W',
    '2027-01-04/P1W',
  ]);
});

test('[N8] a cover that would leave the years of four digits is refused, and does not go on for ever', () => {
  expect(() => coverOf({ from: '9999-12-27', to: '9999-12-31' })).toThrow(RangeError);
});
