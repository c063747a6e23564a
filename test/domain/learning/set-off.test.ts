import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SET_OFF_S } from '../../../src/domain/deliveries/way.ts';
import { setOffOf } from '../../../src/domain/learning/experience.ts';

test('[K21] a time to set off lies between the default, the area and the cell, and many departures decide it', () => {
  const departures = (seconds: number, seen: number) => ({ seconds: seconds * seen, seen });
  expect(setOffOf()).toBe(SET_OFF_S);
  expect(setOffOf(departures(0, 10), departures(0, 10))).toBeCloseTo(SET_OFF_S / 4, 9);
  const counts = fc.integer({ min: 1, max: 50 });
  const seconds = fc.double({ min: 0, max: 300, noNaN: true });
  const property = fc.property(seconds, counts, seconds, counts, (own, seen, around, others) => {
    const area = setOffOf(undefined, departures(around, others));
    const cell = setOffOf(departures(own, seen), departures(around, others));
    expect(area).toBeGreaterThanOrEqual(Math.min(around, SET_OFF_S) - 1e-9);
    expect(area).toBeLessThanOrEqual(Math.max(around, SET_OFF_S) + 1e-9);
    expect(Math.abs(cell - own)).toBeLessThanOrEqual((Math.abs(area - own) * 10) / (seen + 10) + 1e-9);
  });
  fc.assert(property);
});
