import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SETTLEMENT_CYCLES, type SettlementTerms } from '../../../src/domain/vendors/vendor.ts';
import { openingAt, periodAfter } from '../../../src/money/settlement/periods.ts';

const HOUR_MS = 3_600_000;
/** Zones whose clocks change at night, at midnight or by half an hour, and two that have skipped a date. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Africa/Cairo',
  'America/Havana',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Asia/Kolkata',
];
const zone = fc.constantFrom(...ZONES);
const terms = fc.record({
  cycle: fc.constantFrom(...SETTLEMENT_CYCLES),
  cutOff: fc
    .tuple(fc.nat(23), fc.nat(59))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`),
});
const at = fc.integer({ min: Date.parse('1994-01-01'), max: Date.parse('2040-01-01') });

/** The first period of a vendor. */
const firstAt = (name: string, own: SettlementTerms, now: number) => periodAfter(name, own, openingAt(now));

test('[J192] periods follow each other from the first money on, without a gap, and are as long as their cycle', () => {
  const property = fc.property(zone, terms, at, (name, own, now) => {
    const most = own.cycle === 'daily' ? 49 : 193;
    let period = firstAt(name, own, now);
    expect([period.from, period.to > now, period.to - now <= most * HOUR_MS]).toEqual([now, true, true]);
    for (let count = 0; count < 8; count += 1) {
      const next = periodAfter(name, own, period);
      expect([next.from, next.date > period.date]).toEqual([period.to, true]);
      // Whenever the first money comes within a period, the first cut-off is the end of that period.
      expect(firstAt(name, own, next.to - 1)).toMatchObject({ to: next.to, date: next.date });
      expect(firstAt(name, own, next.from)).toEqual(next);
      const hours = (next.to - next.from) / HOUR_MS;
      // A day has 23 to 25 hours. A skipped date makes one twice as long, and a week shorter by a day.
      expect(hours >= (own.cycle === 'daily' ? 23 : 143) && hours <= most).toBe(true);
      period = next;
    }
  });
  fc.assert(property, { numRuns: 200 });
});

test('[J192] a period ends at the local time of the cut-off, and is named by its last date', () => {
  const daily = { cycle: 'daily', cutOff: '04:00' } as const;
  const first = firstAt('Europe/Berlin', daily, Date.parse('2026-03-28T02:00Z'));
  expect(periodAfter('Europe/Berlin', daily, first)).toEqual({
    cycle: 'daily',
    zone: 'Europe/Berlin',
    from: Date.parse('2026-03-28T03:00Z'),
    to: Date.parse('2026-03-29T02:00Z'),
    date: '2026-03-28',
  });
  // 02:30 does not exist on that day in Berlin, and it comes twice on the other.
  const half = { cycle: 'daily', cutOff: '02:30' } as const;
  expect(firstAt('Europe/Berlin', half, Date.parse('2026-03-29T00:00Z')).to).toBe(Date.parse('2026-03-29T01:30Z'));
  expect(firstAt('Europe/Berlin', half, Date.parse('2026-10-24T23:00Z')).to).toBe(Date.parse('2026-10-25T00:30Z'));
  const weekly = { cycle: 'weekly', cutOff: '00:00' } as const;
  expect(firstAt('UTC', weekly, Date.parse('2026-01-05'))).toMatchObject({
    to: Date.parse('2026-01-12'),
    date: '2026-01-11',
  });
});

test('[J192] no instant is lost or counted twice if the vendor moves to another zone or gets other terms', () => {
  const moves = fc.array(fc.tuple(zone, terms), { minLength: 1, maxLength: 20 });
  const property = fc.property(zone, terms, at, moves, (name, own, now, changed) => {
    let period = firstAt(name, own, now);
    for (const [other, theirs] of changed) {
      const next = periodAfter(other, theirs, period);
      expect([next.from, next.to > next.from, next.date > period.date]).toEqual([period.to, true, true]);
      period = next;
    }
  });
  fc.assert(property, { numRuns: 300 });
});
