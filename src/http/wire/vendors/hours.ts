import { z } from 'zod';
import { idSchema } from '../../../domain/ids.ts';
import { isoTime } from '../../../domain/time.ts';
import {
  findOverlap,
  isOpenAt,
  isTimeZone,
  spellTimeZone,
  nextOpening,
  type Hours,
  type Period,
} from '../../../domain/vendors/hours.ts';
import { DateBody } from '../place.ts';
import type { HoursOf } from '../../../vendors/set-hours.ts';

const MOST_PERIODS = 10;
const MOST_EXCEPTIONS = 100;
const DAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const PeriodBody = z
  .strictObject({
    start: z
      .string()
      .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time from 00:00 to 23:59')
      .describe('Local time at which the location opens, HH:MM'),
    end: z
      .string()
      .regex(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/, 'must be a time from 00:00 to 24:00')
      .describe('Local time at which it closes, HH:MM. An end before the start is on the next day'),
  })
  .refine(({ start, end }) => start !== end, {
    error: 'must differ from `start`; a whole day is 00:00 to 24:00',
    path: ['end'],
  });

const periods = z
  .array(PeriodBody)
  .max(MOST_PERIODS)
  .describe(`The periods in which the location is open, at most ${MOST_PERIODS}; an empty list means closed`);

const DayBody = z.strictObject({
  day_of_week: z.number().int().min(1).max(7).describe('1 is Monday and 7 is Sunday'),
  periods,
});

const ExceptionBody = z
  .strictObject({
    date: DateBody.describe('A local date, YYYY-MM-DD'),
    closed: z.boolean().exactOptional().describe('True if the location is closed on this date'),
    periods: periods.exactOptional(),
  })
  .refine(({ closed = false, periods: given }) => closed === (given === undefined), {
    error: 'must have either `closed: true` or `periods`',
  })
  .transform(({ date, periods: given = [] }) => ({ date, periods: given }));

/** The name of an IANA time zone. */
const WRONG_ZONE = 'must be an IANA time zone, such as Europe/Berlin';
export const TimeZoneBody = z
  .string(WRONG_ZONE)
  .regex(/^[A-Za-z0-9_+/-]{1,64}$/, { error: WRONG_ZONE, abort: true })
  .refine(isTimeZone, { error: WRONG_ZONE, abort: true })
  .overwrite(spellTimeZone);

export const HoursBody = z
  .strictObject({
    vendor_id: idSchema('ven').exactOptional().describe('The vendor. Required for staff'),
    location_id: idSchema('loc')
      .exactOptional()
      .describe('The location. Without it the hours apply to all locations, also to those with hours of their own'),
    timezone: TimeZoneBody.describe('IANA time zone of all times and dates, such as Europe/Berlin'),
    weekly: z
      .array(DayBody)
      .max(7)
      .nullable()
      .describe('The days with their periods. A day that is not listed is closed. Null means always open'),
    exceptions: z
      .array(ExceptionBody)
      .max(MOST_EXCEPTIONS)
      .default([])
      .describe(`Dates that differ from their day of the week, at most ${MOST_EXCEPTIONS}`),
  })
  // These checks need a sound body. A transformation runs only then, and a refinement always.
  .transform(({ vendor_id: vendorId, location_id: locationId, timezone, weekly, exceptions }, issues) => {
    const days = weekly?.map(({ day_of_week: day, periods: given }) => ({ day, periods: given })) ?? null;
    const hours: Hours = { timezone, weekly: days, exceptions };
    for (const { path, message } of wrongIn(hours)) issues.addIssue({ code: 'custom', path, message });
    return { vendorId: vendorId ?? null, locationId: locationId ?? null, hours };
  });

type Wrong = { readonly path: (string | number)[]; readonly message: string };

/** The days and dates that come twice, and the periods that overlap. */
function wrongIn({ weekly, exceptions }: Hours): Wrong[] {
  const days = weekly ?? [];
  const twice = [
    ...repeatedIn(days.map(({ day }) => day)).map((at) => ({
      path: ['weekly', at, 'day_of_week'],
      message: 'must name each day of the week once',
    })),
    ...repeatedIn(exceptions.map(({ date }) => date)).map((at) => ({
      path: ['exceptions', at, 'date'],
      message: 'must name each date once',
    })),
  ];
  const week = days.map(({ day, periods: given }, at) => ({
    day,
    periods: given,
    path: ['weekly', at, 'periods'],
    name: `${DAY_NAMES[day - 1]} `,
  }));
  const dates = exceptions.map(({ periods: given }, at) => ({
    day: 0,
    periods: given,
    path: ['exceptions', at, 'periods'],
    name: '',
  }));
  return [...twice, ...overlapIn(week), ...dates.flatMap((date) => overlapIn([date]))];
}

type Named = {
  readonly day: number;
  readonly periods: readonly Period[];
  readonly path: readonly (string | number)[];
  readonly name: string;
};

function overlapIn(days: readonly Named[]): Wrong[] {
  const clash = findOverlap(days);
  if (clash === null) return [];
  const [first, second] = [clash.first, clash.second].map(([at, index]) => {
    const { path, name, periods: given } = days[at]!;
    return { path: [...path, index], shown: `${name}${given[index]?.start}–${given[index]?.end}` };
  }) as [{ path: (string | number)[]; shown: string }, { path: (string | number)[]; shown: string }];
  const pointer = first.path.join('/');
  const message = `must not overlap \`/${pointer}\`: ${first.shown} and ${second.shown} overlap`;
  return [{ path: second.path, message }];
}

function repeatedIn(values: readonly (string | number)[]): number[] {
  return values.flatMap((value, at) => (values.indexOf(value) < at ? [at] : []));
}

const PeriodView = z.strictObject({
  start: z.string().describe('Local time at which the location opens, HH:MM'),
  end: z.string().describe('Local time at which it closes, HH:MM. An end before the start is on the next day'),
});

export const HoursView = z.strictObject({
  object: z.literal('vendor_hours').describe('Always `vendor_hours`'),
  vendor_id: idSchema('ven').describe('The vendor'),
  location_id: idSchema('loc').nullable().describe('The location; null for the hours of all locations'),
  timezone: z.string().nullable().describe('IANA time zone; null if no hours were set'),
  weekly: z
    .array(
      z.strictObject({
        day_of_week: z.number().int().describe('1 is Monday and 7 is Sunday'),
        periods: z.array(PeriodView).describe('The periods in which the location is open'),
      }),
    )
    .nullable()
    .describe('The days with their periods. A day that is not listed is closed. Null means always open'),
  exceptions: z
    .array(
      z.strictObject({
        date: z.string().describe('A local date, YYYY-MM-DD'),
        closed: z.boolean().describe('True if the location is closed on this date'),
        periods: z.array(PeriodView).describe('The periods in which the location is open'),
      }),
    )
    .describe('Dates that differ from their day of the week'),
  is_open: z.boolean().describe('Whether the location is open now'),
  next_opening_at: z.iso
    .datetime()
    .nullable()
    .describe('When a closed location opens next. Null if it is open, or stays closed for over a year'),
  version: z.number().int().describe('The version of the location, or of the vendor for the hours of all locations'),
});

export function presentHours(
  { vendorId, locationId, hours, version }: HoursOf,
  now: number,
): z.output<typeof HoursView> {
  const isOpen = hours === null || isOpenAt(hours, now);
  const opening = hours === null || isOpen ? null : nextOpening(hours, now);
  return {
    object: 'vendor_hours',
    vendor_id: vendorId,
    location_id: locationId,
    timezone: hours?.timezone ?? null,
    weekly: hours?.weekly?.map(({ day, periods: given }) => ({ day_of_week: day, periods: [...given] })) ?? null,
    exceptions: (hours?.exceptions ?? []).map(({ date, periods: given }) => ({
      date,
      closed: given.length === 0,
      periods: [...given],
    })),
    is_open: isOpen,
    next_opening_at: opening === null ? null : isoTime(opening),
    version,
  };
}
