import { latLngToCell } from 'h3-js';
import { describe, expect, test } from 'vitest';
import { distanceM, offsetBy } from '../../../src/domain/geo/geo.ts';
import { hourOfWeek, judgeLeg, routedSumsOf, withRoute, type Leg } from '../../../src/domain/learning/travel.ts';
import { CENTER, NOON } from '../../builders.ts';

const MONDAY_NOON = 12;

function aLeg(over: Partial<Leg> & { readonly metres?: number; readonly seconds?: number } = {}): Leg {
  const { metres = 1500, seconds = 300, ...rest } = over;
  return {
    from: CENTER,
    to: offsetBy(CENTER, metres, 0),
    startedAt: NOON,
    arrivedAt: NOON + seconds * 1000,
    vehicle: 'scooter',
    liveMode: true,
    ...rest,
  };
}

describe('a leg', () => {
  test('[K1] gives its straight-line metres and its seconds to the place and the hour of its start', () => {
    const leg = aLeg();
    const sample = judgeLeg(leg);
    expect(sample).toMatchObject({ hour: MONDAY_NOON, vehicle: 'scooter', liveMode: true, seconds: 300 });
    expect(sample).toMatchObject({ cell: latLngToCell(CENTER.lat, CENTER.lng, 7) });
    expect(sample).toHaveProperty('metres', distanceM(leg.from, leg.to));
  });

  test('[K1] the hour of the week counts from Monday, midnight UTC', () => {
    expect(hourOfWeek(Date.UTC(2026, 0, 5))).toBe(0);
    expect(hourOfWeek(Date.UTC(2026, 0, 11, 23, 59))).toBe(167);
    expect(hourOfWeek(Date.UTC(2026, 0, 12))).toBe(0);
    expect(hourOfWeek(0)).toBe(72);
  });

  test.each([
    ['short', { metres: 199, seconds: 80 }],
    ['short', { metres: 400, seconds: 59 }],
    ['short', { metres: 400, seconds: -100 }],
    ['absurd', { metres: 300, seconds: 700 }],
    ['absurd', { metres: 9000, seconds: 300 }],
    // A car can ride at the same pace, and a bicycle cannot.
    ['absurd', { metres: 5000, seconds: 300, vehicle: 'bicycle' }],
  ] as const)('[K1] a %s one gives no sample: %j', (why, over) => {
    expect(judgeLeg(aLeg(over))).toBe(why);
  });

  test('[K1] a leg at the limits gives a sample', () => {
    const borders = [
      { metres: 201, seconds: 60 },
      { metres: 300, seconds: 300 },
      { metres: 5000, seconds: 300, vehicle: 'car' },
    ] as const;
    for (const over of borders) expect(judgeLeg(aLeg(over))).toBeTypeOf('object');
  });

  test('[E44] counts with a bounded stretch and a bounded weight', () => {
    const sample = judgeLeg(aLeg());
    if (typeof sample === 'string') throw new Error('the leg teaches something');
    expect(routedSumsOf({ ...sample, seconds: 300, routedS: 250 })).toEqual({ routedS: 250, seconds: 300, seen: 1 });
    expect(routedSumsOf({ ...sample, seconds: 4500, routedS: 900 })).toEqual({ routedS: 600, seconds: 1800, seen: 1 });
    expect(routedSumsOf({ ...sample, seconds: 60, routedS: 250 })).toEqual({ routedS: 250, seconds: 100, seen: 1 });
    expect(routedSumsOf(sample)).toBeNull();
  });

  test('[E44] keeps its speed, and its stretch counts between a fifth and five', () => {
    const sample = judgeLeg(aLeg());
    if (typeof sample === 'string') throw new Error('the leg teaches something');
    expect(withRoute(sample, 250)).toEqual({ ...sample, routedS: 250 });
    for (const routedS of [60, 1500]) expect(withRoute(sample, routedS)).toHaveProperty('routedS', routedS);
    for (const routedS of [0, 59, 1501, NaN]) expect(withRoute(sample, routedS)).toEqual(sample);
  });
});
