import fc from 'fast-check';
import { latLngToCell } from 'h3-js';
import { describe, expect, test } from 'vitest';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import { distanceM, offsetBy } from '../../../src/domain/geo/geo.ts';
import {
  crowSpeedMps,
  hourOfWeek,
  judgeLeg,
  routedSumsOf,
  speedsByHour,
  stretchByHour,
  withRoute,
  type Leg,
  type LegSums,
  type RoutedSums,
} from '../../../src/domain/learning/travel.ts';
import { CENTER, NOON } from '../../builders.ts';
import { travelS } from '../../../src/domain/deliveries/way.ts';

const vehicles = fc.constantFrom(...VEHICLE_TYPES);
/** The sums that legs of one speed leave. */
const legs = (speedMps: number, seen: number): LegSums => ({
  metres: speedMps * 300 * seen,
  seconds: 300 * seen,
  seen,
});
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
});

describe('speeds by hour', () => {
  test('[K2] without legs they are the speeds of the promised arrivals', () => {
    for (const vehicle of VEHICLE_TYPES) {
      const speeds = speedsByHour(vehicle, new Map());
      expect(speeds).toHaveLength(168);
      for (const speed of speeds) expect(speed).toBeCloseTo(crowSpeedMps(vehicle), 12);
      const to = offsetBy(CENTER, 3000, 0);
      expect(distanceM(CENTER, to) / crowSpeedMps(vehicle)).toBeCloseTo(travelS(CENTER, to, vehicle), 6);
    }
  });

  test('[K2] few legs move the default a little, and many decide', () => {
    const speedOf = (seen: number): number =>
      speedsByHour('scooter', new Map([[MONDAY_NOON, legs(2, seen)]]))[MONDAY_NOON] ?? NaN;
    const fallback = crowSpeedMps('scooter');
    expect(speedOf(1)).toBeLessThan(fallback);
    expect(speedOf(1)).toBeGreaterThan(fallback * 0.7);
    expect(speedOf(50)).toBeCloseTo(2, 1);
  });

  test('[K2] an hour without a leg follows its day part, and any other the whole week', () => {
    // The week is quick, except at noon of Monday.
    const quick = Array.from({ length: 168 }, (_, hour) => [hour, legs(6, 50)] as const);
    const hours = new Map([...quick.filter(([hour]) => hour % 24 < 10 || hour % 24 > 14), [12, legs(2, 50)] as const]);
    const speeds = speedsByHour('scooter', hours);
    const at = (day: number, hour: number): number => speeds[day * 24 + hour] ?? NaN;
    // There are no legs between ten and three on other days, so eleven to one follow Monday noon.
    for (const hour of [11, 12, 13]) expect(at(3, hour)).toBeLessThan(3);
    // The weekend's noon is another day part, and so is the evening.
    expect(at(6, 12)).toBeGreaterThan(5);
    expect(at(3, 20)).toBeGreaterThan(5.8);
    expect(at(0, 12)).toBeLessThan(at(3, 12));
  });

  test('[K2] midnight has neighbours on both sides', () => {
    const speeds = speedsByHour('scooter', new Map([[23, legs(2, 50)]]));
    expect(speeds[0]).toBe(speeds[22]);
    expect(speeds[0]).toBeLessThan(speeds[2] ?? NaN);
  });

  test('[K2] they always lie between the slowest and the fastest of the legs and the default', () => {
    const seen = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 167 }), fc.double({ min: 0.5, max: 30, noNaN: true }), fc.nat({ max: 50 })),
      { maxLength: 30 },
    );
    const property = fc.property(vehicles, seen, (vehicle, rows) => {
      const known = rows.filter(([, , count]) => count > 0);
      const hours = new Map(known.map(([hour, speed, count]) => [hour, legs(speed, count)]));
      const limits = [crowSpeedMps(vehicle), ...known.map(([, speed]) => speed)];
      for (const speed of speedsByHour(vehicle, hours)) {
        expect(speed).toBeGreaterThanOrEqual(Math.min(...limits) * (1 - 1e-9));
        expect(speed).toBeLessThanOrEqual(Math.max(...limits) * (1 + 1e-9));
      }
    });
    fc.assert(property, { numRuns: 100 });
  });

  test('[K2] the expectation for the learned legs is their time, and not their mean speed', () => {
    // One leg at 2 m/s and one at 6 m/s over the same way take as long as two at 3 m/s.
    const both = { metres: 200_000, seconds: 100_000 / 2 + 100_000 / 6, seen: 1e9 };
    expect(speedsByHour('car', new Map([[5, both]]))[5]).toBeCloseTo(3, 6);
  });
});

describe('the stretch by hour', () => {
  /** The sums that legs of one stretch leave. */
  const routed = (stretch: number, seen: number): RoutedSums => ({
    routedS: 300 * seen,
    seconds: 300 * stretch * seen,
    seen,
  });

  test('[E44] is 1 without legs, and few legs change it only a little', () => {
    expect([...stretchByHour(new Map())]).toEqual(Array.from({ length: 168 }, () => 1));
    const at = (seen: number): number => stretchByHour(new Map([[MONDAY_NOON, routed(1.5, seen)]]))[MONDAY_NOON] ?? NaN;
    expect(at(1)).toBeGreaterThan(1);
    expect(at(1)).toBeLessThan(1.15);
    expect(at(50)).toBeCloseTo(1.5, 1);
  });

  test('[E44] finds the hidden factor of a fleet, however single legs scatter', () => {
    const scattered = fc.array(fc.double({ min: -0.3, max: 0.3, noNaN: true }), { minLength: 200, maxLength: 200 });
    const property = fc.property(fc.double({ min: 0.6, max: 2.5, noNaN: true }), scattered, (hidden, noise) => {
      const sums = { routedS: 0, seconds: 0, seen: 0 };
      for (const [index, off] of noise.entries()) {
        // Each leg has its opposite, so that the fleet takes the hidden factor on average.
        for (const sign of [1, -1]) {
          const routedS = 200 + (index % 10) * 60;
          sums.routedS += routedS;
          sums.seconds += routedS * hidden * (1 + sign * off);
          sums.seen += 1;
        }
      }
      const stretch = stretchByHour(new Map([[MONDAY_NOON, sums]]))[MONDAY_NOON] ?? NaN;
      expect(Math.abs(stretch - hidden)).toBeLessThan(0.02 * hidden);
    });
    fc.assert(property);
  });

  test('[E44] of a fleet does not follow one courier with long slow legs, and stays between 0.5 and 2.5', () => {
    const sample = judgeLeg(aLeg());
    if (typeof sample === 'string') throw new Error('the leg teaches something');
    const stretchOf = (legs: readonly (readonly [number, number])[]): number => {
      const sums = { routedS: 0, seconds: 0, seen: 0 };
      for (const [seconds, routedS] of legs) {
        const along = routedSumsOf({ ...sample, seconds, routedS });
        sums.routedS += along?.routedS ?? 0;
        sums.seconds += along?.seconds ?? 0;
        sums.seen += along?.seen ?? 0;
      }
      return stretchByHour(new Map([[MONDAY_NOON, sums]]))[MONDAY_NOON] ?? NaN;
    };
    const fleet = Array.from({ length: 49 }, () => [390, 300] as const);
    // By totals alone this leg of five hours would make the stretch 2.
    const one = stretchOf([...fleet, [18_000, 3600]]);
    expect(one - stretchOf(fleet)).toBeGreaterThan(0);
    expect(one - stretchOf(fleet)).toBeLessThan(0.1);
    const sums = (stretch: number): RoutedSums => routed(stretch, 1e9);
    for (const [learned, expected] of [
      [0.1, 0.5],
      [0.7, 0.7],
      [2, 2],
      [9, 2.5],
    ] as const)
      expect(stretchByHour(new Map([[MONDAY_NOON, sums(learned)]]))[MONDAY_NOON]).toBeCloseTo(expected, 6);
    expect(routedSumsOf({ ...sample, seconds: 300, routedS: 250 })).toEqual({ routedS: 250, seconds: 300, seen: 1 });
    expect(routedSumsOf({ ...sample, seconds: 4500, routedS: 900 })).toEqual({ routedS: 600, seconds: 1800, seen: 1 });
    expect(routedSumsOf({ ...sample, seconds: 60, routedS: 250 })).toEqual({ routedS: 250, seconds: 100, seen: 1 });
    expect(routedSumsOf(sample)).toBeNull();
  });

  test('[E44] an hour without a leg follows its day part, and others the week', () => {
    const stretches = stretchByHour(new Map([[MONDAY_NOON, routed(2, 50)]]));
    expect(stretches[MONDAY_NOON + 24]).toBeGreaterThan(stretches[MONDAY_NOON + 10] ?? NaN);
    expect(stretches[MONDAY_NOON + 10]).toBeGreaterThan(1.5);
  });

  test('[E44] a leg keeps its speed, and its stretch counts between a fifth and five', () => {
    const sample = judgeLeg(aLeg());
    if (typeof sample === 'string') throw new Error('the leg teaches something');
    expect(withRoute(sample, 250)).toEqual({ ...sample, routedS: 250 });
    for (const routedS of [60, 1500]) expect(withRoute(sample, routedS)).toHaveProperty('routedS', routedS);
    for (const routedS of [0, 59, 1501, NaN]) expect(withRoute(sample, routedS)).toEqual(sample);
  });
});
