import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { DueTimes } from '../../../src/work/sets/due-times.ts';

const START = Date.UTC(2026, 0, 5, 12);
const SECOND_MS = 1000;

/** Some time passes, and then an item gets another time, or what is due is taken. */
type Act = { readonly waitMs: number; readonly item: number; readonly inMs: number | null; readonly takes: boolean };

const acts: fc.Arbitrary<Act> = fc.record({
  waitMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })),
  item: fc.nat(5),
  inMs: fc.option(fc.integer({ min: -2000, max: 5000 })),
  takes: fc.boolean(),
});

property.prop([fc.array(acts, { maxLength: 60 })])(
  '[T60] an item is due once, within a second of the last time that was set for it, and never before it',
  (plan) => {
    let now = START;
    const times = new DueTimes<number>(now);
    const atOf = new Map<number, number>();
    for (const { waitMs, item, inMs, takes } of plan) {
      now += waitMs;
      if (!takes) {
        times.set(item, inMs === null ? null : now + inMs);
        if (inMs === null) atOf.delete(item);
        else atOf.set(item, now + Math.max(0, inMs));
        continue;
      }
      const taken = times.take(now);
      expect(new Set(taken).size).toBe(taken.length);
      for (const one of taken) expect(atOf.get(one)).toBeLessThanOrEqual(now);
      for (const one of taken) atOf.delete(one);
      for (const at of atOf.values()) expect(at).toBeGreaterThan(now - SECOND_MS);
    }
    const rest = times.take(now + 10_000);
    expect(new Set(rest)).toEqual(new Set(atOf.keys()));
    expect(rest).toHaveLength(atOf.size);
    expect(times.take(now + 20_000)).toEqual([]);
  },
);

test('[T60] an item whose time has passed is due at the next second', () => {
  const times = new DueTimes<string>(START);
  expect(times.take(START)).toEqual([]);
  times.set('late', START - 60_000);
  expect(times.take(START + SECOND_MS - 1)).toEqual([]);
  expect(times.take(START + SECOND_MS)).toEqual(['late']);
});
