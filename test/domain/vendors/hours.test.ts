import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startOfDate } from '../../../src/domain/analytics/local-date.ts';
import {
  findOverlap,
  hoursOf,
  isOpenAt,
  isTimeZone,
  nextOpening,
  type Hours,
} from '../../../src/domain/vendors/hours.ts';

const at = (text: string) => Date.parse(text);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const weekOf = (...periods: [string, string][]) =>
  [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, periods: periods.map(([start, end]) => ({ start, end })) }));
const hours = (timezone: string, over: Partial<Hours> = {}): Hours => ({
  timezone,
  weekly: weekOf(['09:00', '17:00']),
  exceptions: [],
  ...over,
});

describe('a location', () => {
  test('[B20] is open from the start of a period until before its end, by its own clock', () => {
    const berlin = hours('Europe/Berlin', { weekly: weekOf(['09:00', '12:00'], ['13:00', '17:00']) });
    const open = (text: string) => isOpenAt(berlin, at(text));
    expect(open('2026-01-05T07:59:59.999Z')).toBe(false);
    expect(open('2026-01-05T08:00:00Z')).toBe(true);
    expect(open('2026-01-05T10:59:59.999Z')).toBe(true);
    expect(open('2026-01-05T11:00:00Z')).toBe(false);
    expect(open('2026-07-05T07:00:00Z')).toBe(true);
    expect(iso(nextOpening(berlin, at('2026-01-05T11:30:00Z')))).toBe('2026-01-05T12:00:00.000Z');
    expect(iso(nextOpening(berlin, at('2026-01-05T12:00:00Z')))).toBe('2026-01-05T12:00:00.000Z');
  });

  test('[B20] is open at night until the end of a period that began the day before', () => {
    const fridays = hours('Europe/Berlin', { weekly: [{ day: 5, periods: [{ start: '22:00', end: '03:00' }] }] });
    expect(isOpenAt(fridays, at('2026-01-10T01:59:00Z'))).toBe(true);
    expect(isOpenAt(fridays, at('2026-01-10T02:00:00Z'))).toBe(false);
    expect(isOpenAt(fridays, at('2026-01-09T01:00:00Z'))).toBe(false);
    expect(iso(nextOpening(fridays, at('2026-01-10T02:00:00Z')))).toBe('2026-01-16T21:00:00.000Z');
  });

  test('[B20] follows an exception on its date, and a night of the day before goes on into it', () => {
    const exceptions = [
      { date: '2026-01-06', periods: [] },
      { date: '2026-01-07', periods: [{ start: '14:00', end: '24:00' }] },
    ];
    const late = hours('UTC', { weekly: weekOf(['18:00', '02:00']), exceptions });
    expect(isOpenAt(late, at('2026-01-06T01:59:00Z'))).toBe(true);
    expect(iso(nextOpening(late, at('2026-01-06T02:00:00Z')))).toBe('2026-01-07T14:00:00.000Z');
    expect(isOpenAt(late, at('2026-01-07T23:59:59Z'))).toBe(true);
    expect(iso(nextOpening(late, at('2026-01-08T00:00:00Z')))).toBe('2026-01-08T18:00:00.000Z');
    const always = hours('UTC', { weekly: null, exceptions });
    expect(isOpenAt(always, at('2026-01-05T03:00:00Z'))).toBe(true);
    expect(iso(nextOpening(always, at('2026-01-06T00:00:00Z')))).toBe('2026-01-07T14:00:00.000Z');
    expect(nextOpening(hours('UTC', { weekly: [] }), at('2026-01-06T00:00:00Z'))).toBeNull();
  });

  test('[B21] opens at the change of the clocks if they skip its opening time', () => {
    const night = hours('Europe/Berlin', { weekly: weekOf(['02:30', '04:00']) });
    expect(iso(nextOpening(night, at('2026-03-29T00:00:00Z')))).toBe('2026-03-29T01:00:00.000Z');
    expect(isOpenAt(night, at('2026-03-29T01:59:00Z'))).toBe(true);
    // The clocks skip the whole period, so the location stays closed that night.
    const short = hours('Europe/Berlin', { weekly: weekOf(['02:15', '02:45']) });
    expect(iso(nextOpening(short, at('2026-03-29T00:00:00Z')))).toBe('2026-03-30T00:15:00.000Z');
    // In Lord Howe the clocks move by half an hour, in Santiago at midnight.
    const howe = hours('Australia/Lord_Howe', { weekly: weekOf(['02:10', '03:00']) });
    expect(iso(nextOpening(howe, at('2026-10-03T15:00:00Z')))).toBe('2026-10-03T15:30:00.000Z');
    const santiago = hours('America/Santiago', { weekly: weekOf(['00:00', '05:00']) });
    expect(iso(nextOpening(santiago, at('2026-09-06T03:30:00Z')))).toBe('2026-09-06T04:00:00.000Z');
    // Samoa crossed the date line and had no 30 December 2011.
    const samoa = hours('Pacific/Apia', { weekly: [{ day: 5, periods: [{ start: '09:00', end: '10:00' }] }] });
    expect(iso(nextOpening(samoa, at('2011-12-29T20:00:00Z')))).toBe('2012-01-05T19:00:00.000Z');
  });

  test('[B21] stays open through an hour that clocks show twice', () => {
    const bar = hours('Europe/Berlin', { weekly: weekOf(['22:00', '02:30']) });
    expect(isOpenAt(bar, at('2026-10-25T00:45:00Z'))).toBe(true);
    expect(isOpenAt(bar, at('2026-10-25T01:29:59Z'))).toBe(true);
    expect(isOpenAt(bar, at('2026-10-25T01:30:00Z'))).toBe(false);
    const early = hours('Europe/Berlin', { weekly: weekOf(['02:30', '06:00']) });
    expect(iso(nextOpening(early, at('2026-10-25T00:00:00Z')))).toBe('2026-10-25T00:30:00.000Z');
    expect(isOpenAt(early, at('2026-10-25T01:15:00Z'))).toBe(true);
  });

  test('[B22] has its own hours only until the hours of all locations are set again', () => {
    const [own, all] = [{ ...hours('UTC'), edition: 2 }, hours('Europe/Berlin')];
    expect(hoursOf({ hours: all, hoursEdition: 2 }, { hours: own })).toBe(own);
    expect(hoursOf({ hours: all, hoursEdition: 3 }, { hours: own })).toBe(all);
    expect(hoursOf({ hours: null, hoursEdition: 0 }, { hours: null })).toBeNull();
  });
});

test('[B20] only names of time zones count as such', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'America/Argentina/Ushuaia'].every(isTimeZone)).toBe(true);
  expect(['+02:00', 'Europe/Nowhere', '', 'a b', '../UTC'].some(isTimeZone)).toBe(false);
  expect(Intl.supportedValuesOf('timeZone').filter((zone) => !isTimeZone(zone))).toEqual([]);
});

test('[B20] every zone that is accepted has dates and hours', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
  const short = letters.flatMap((first) => letters.map((second) => `${first}${second}T`)).filter(isTimeZone);
  expect(short).toContain('EET');
  for (const zone of short) expect([zone, startOfDate(zone, '2026-03-29') > 0]).toEqual([zone, true]);
});

test('[B23] periods of a week overlap also over midnight and from Sunday into Monday', () => {
  const day = (number: number, ...periods: [string, string][]) => ({
    day: number,
    periods: periods.map(([start, end]) => ({ start, end })),
  });
  expect(findOverlap([day(1, ['09:00', '12:00'], ['12:00', '13:00'])])).toBeNull();
  expect(findOverlap([day(1, ['09:00', '12:00'], ['11:00', '13:00'])])).toEqual({
    first: [0, 0],
    second: [0, 1],
  });
  expect(findOverlap([day(2, ['01:00', '03:00']), day(1, ['22:00', '02:00'])])).toEqual({
    first: [1, 0],
    second: [0, 0],
  });
  const sunday = [day(1, ['00:00', '04:00']), day(7, ['20:00', '01:00'])];
  expect(findOverlap(sunday)).toEqual({ first: [1, 0], second: [0, 0] });
  expect(findOverlap([day(7, ['20:00', '00:00']), day(1, ['00:00', '04:00'])])).toBeNull();
});

// Zones with clocks that move by an hour, by half an hour, at midnight, and over the date line.
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Chatham',
  'Antarctica/Troll',
];
const clock = fc.integer({ min: 0, max: 95 }).map((quarter) => {
  const [hour, minute] = [Math.floor(quarter / 4), (quarter % 4) * 15];
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
});
const period = fc.record({ start: clock, end: clock }).filter(({ start, end }) => start !== end);
const day = fc.record({ day: fc.integer({ min: 1, max: 7 }), periods: fc.array(period, { maxLength: 3 }) });
const weekly = fc.uniqueArray(day, { maxLength: 7, selector: ({ day: number }) => number });

test('[B24] at the next opening a location is open, a millisecond before it is closed, and never between', () => {
  const instant = fc.oneof(
    fc.integer({ min: at('2010-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
    // Nights on which clocks change somewhere.
    fc
      .constantFrom('2026-03-29', '2026-10-25', '2026-10-03', '2026-04-04', '2011-12-30', '2011-11-06')
      .chain((date) =>
        fc.integer({ min: at(`${date}T00:00:00Z`) - 86_400_000, max: at(`${date}T00:00:00Z`) + 86_400_000 }),
      ),
  );
  const promise = fc.property(
    fc.constantFrom(...ZONES),
    weekly,
    instant,
    fc.double({ min: 0, max: 1, noNaN: true }),
    (zone, week, t, part) => {
      const given = hours(zone, { weekly: week });
      const opening = nextOpening(given, t);
      if (opening === null) return !isOpenAt(given, t);
      if (opening === t) return isOpenAt(given, t);
      const between = Math.floor(t + (opening - 1 - t) * part);
      return isOpenAt(given, opening) && !isOpenAt(given, opening - 1) && !isOpenAt(given, between);
    },
  );
  expect(fc.check(promise, { numRuns: 300 })).toMatchObject({ failed: false });
});
