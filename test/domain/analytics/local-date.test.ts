import { fc, test as check } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { dateIn, startOfDate } from '../../../src/domain/analytics/local-date.ts';
import { shiftDate } from '../../../src/domain/analytics/range.ts';
import { UTC_ZONES, zonesOf } from '../../../src/domain/vendors/time-zone.ts';
import { aLocation, aVendor } from '../../builders.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Pacific/Auckland', 'Asia/Kathmandu', 'America/Havana'];

check.prop([fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 12_000 })])(
  '[N9] a date begins at its first instant in any time zone, also on days when clocks change',
  (zone, day) => {
    const date = shiftDate('2000-01-01', day);
    const start = startOfDate(zone, date);
    expect(dateIn(zone, start)).toBe(date);
    expect(dateIn(zone, start - 1) < date).toBe(true);
  },
);

test('[N9] the day on which clocks of Berlin go forward has 23 hours, and the day on which they go back has 25', () => {
  const hoursOf = (date: string): number =>
    (startOfDate('Europe/Berlin', shiftDate(date, 1)) - startOfDate('Europe/Berlin', date)) / 3_600_000;
  expect(['2026-03-28', '2026-03-29', '2026-10-25'].map(hoursOf)).toEqual([24, 23, 25]);
});

test('[N2] a vendor has the time zone that it chose, or that of its hours, and a location that of its own hours', () => {
  const hours = { timezone: 'Europe/Berlin', weekly: null, exceptions: [] };
  const own = { ...hours, timezone: 'Asia/Tokyo', edition: 3 };
  const chosen = aVendor({ timezone: 'America/Lima', hours, hoursEdition: 3 });
  const open = aVendor({ hours, hoursEdition: 3 });
  const [site, other] = [aLocation({ hours: own }), aLocation({ hours: { ...own, edition: 2 } })];
  expect(zonesOf(chosen, site)).toEqual({ vendor: 'America/Lima', location: 'Asia/Tokyo' });
  expect(zonesOf(open, site)).toEqual({ vendor: 'Europe/Berlin', location: 'Asia/Tokyo' });
  // Hours of an earlier edition do not count any more.
  expect(zonesOf(chosen, other)).toEqual({ vendor: 'America/Lima', location: 'America/Lima' });
  expect(zonesOf(aVendor(), null)).toEqual(UTC_ZONES);
  expect(zonesOf(null, null)).toEqual(UTC_ZONES);
});
