import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VEHICLE_TYPES, type VehicleType } from '../../../src/domain/couriers/courier.ts';
import { travelS } from '../../../src/domain/deliveries/way.ts';
import { distanceM, offsetBy } from '../../../src/domain/geo/geo.ts';
import {
  NO_EXPERIENCE,
  stretchOf,
  withRouted,
  withStraight,
  writeSpeeds,
} from '../../../src/domain/learning/experience.ts';
import { crowSpeedMps, routedSumsOf, type LegSums, type RoutedSums } from '../../../src/domain/learning/travel.ts';
import { CENTER } from '../../builders.ts';

const vehicles = fc.constantFrom(...VEHICLE_TYPES);
const MONDAY_NOON = 12;
const HOURS = Array.from({ length: 168 }, (_, hour) => hour);
/** The sums that legs of one speed leave. */
const legs = (speedMps: number, seen: number): LegSums => ({
  metres: speedMps * 300 * seen,
  seconds: 300 * seen,
  seen,
});
type Legs = ReadonlyMap<number, LegSums>;
type Routed = ReadonlyMap<number, RoutedSums>;

/** The speeds of a vehicle from a cell with these legs, in an area with those, or with the same ones alone. */
function speedsByHour(vehicle: VehicleType, ofCell: Legs, ofArea: Legs = ofCell): readonly number[] {
  const cell = withStraight(NO_EXPERIENCE, { of: 'cell', vehicle, hours: ofCell });
  const area = withStraight(NO_EXPERIENCE, { of: 'area', vehicle, hours: ofArea });
  return HOURS.map((hour) => {
    const speeds = new Float64Array(VEHICLE_TYPES.length);
    writeSpeeds(speeds, 0, hour, { cell, area });
    return speeds[VEHICLE_TYPES.indexOf(vehicle)] ?? NaN;
  });
}

/** The stretches from a cell with these legs, in an area with those, or with the same ones alone. */
function stretchByHour(ofCell: Routed, ofArea: Routed = ofCell): readonly number[] {
  const cell = withRouted(NO_EXPERIENCE, { of: 'cell', vehicle: 'scooter', hours: ofCell });
  const area = withRouted(NO_EXPERIENCE, { of: 'area', vehicle: 'scooter', hours: ofArea });
  return HOURS.map((hour) => stretchOf('scooter', hour, cell, area));
}

describe('speeds by hour', () => {
  test('[K2] without legs they are the speeds of the promised arrivals', () => {
    for (const vehicle of VEHICLE_TYPES) {
      const speeds = speedsByHour(vehicle, new Map());
      expect(speeds).toHaveLength(168);
      for (const speed of speeds) expect(speed).toBe(crowSpeedMps(vehicle));
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
        expect(speed).toBeGreaterThanOrEqual(Math.min(...limits) * (1 - 1e-6));
        expect(speed).toBeLessThanOrEqual(Math.max(...limits) * (1 + 1e-6));
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
    const sample = {
      cell: '871f18032ffffff',
      hour: 0,
      vehicle: 'scooter',
      liveMode: true,
      metres: 1500,
      seconds: 300,
    } as const;
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
    const learned = [0.1, 0.7, 2, 9].map((one) => stretchByHour(new Map([[MONDAY_NOON, sums(one)]]))[MONDAY_NOON]);
    for (const [at, expected] of [0.5, 0.7, 2, 2.5].entries()) expect(learned[at]).toBeCloseTo(expected, 6);
  });

  test('[E44] an hour without a leg follows its day part, and others the week', () => {
    const stretches = stretchByHour(new Map([[MONDAY_NOON, routed(2, 50)]]));
    expect(stretches[MONDAY_NOON + 24]).toBeGreaterThan(stretches[MONDAY_NOON + 10] ?? NaN);
    expect(stretches[MONDAY_NOON + 10]).toBeGreaterThan(1.5);
  });
});

describe('the experience of the area', () => {
  type Row = readonly [hour: number, pace: number, seen: number];
  const rows = fc.uniqueArray(
    fc.tuple(fc.constantFrom(0, 11, 12, 13, 36, 132, 167), fc.double({ min: 0.5, max: 2, noNaN: true }), fc.nat(50)),
    { selector: ([hour]) => hour, maxLength: 7 },
  );
  const routed = (told: readonly Row[]): Routed =>
    new Map(told.map(([hour, pace, seen]) => [hour, { routedS: 300 * seen, seconds: 300 * pace * seen, seen }]));
  /** The legs of scooters with these paces, all over the same metres. */
  const straight = (told: readonly Row[]): Legs => {
    const metres = 300 * crowSpeedMps('scooter');
    return new Map(
      told.map(([hour, pace, seen]) => [hour, { metres: metres * seen, seconds: 300 * pace * seen, seen }]),
    );
  };

  test('[K20] is that of a cell without legs, hour by hour, for speeds and for stretches', () => {
    const area: readonly Row[] = HOURS.map((hour) => [hour, 1 + hour / 200, 40]);
    const stretches = stretchByHour(new Map(), routed(area));
    for (const [hour, speed] of speedsByHour('scooter', new Map(), straight(area)).entries())
      expect(crowSpeedMps('scooter') / speed).toBeCloseTo(stretches[hour] ?? NaN, 5);
    expect(stretches[150]).toBeGreaterThan(1.5);
    expect(stretches[10]).toBeLessThan(1.3);
  });

  test('[K20] weighs as much as ten legs in the week of a cell, and many outweigh it', () => {
    const area = routed([[MONDAY_NOON, 2, 1e9]]);
    const at = (seen: number): number => stretchByHour(routed([[MONDAY_NOON, 1, seen]]), area)[MONDAY_NOON] ?? NaN;
    const inWeek = stretchByHour(routed([[100, 1, 10]]), area);
    expect(inWeek[MONDAY_NOON]).toBeCloseTo(1.5, 6);
    // In its own hour, the same leg counts in the hour, its day part and the week.
    expect(at(10)).toBeCloseTo(1 + 1 / 8, 6);
    expect(at(1)).toBeGreaterThan(1.7);
    expect(at(50)).toBeLessThan(1.01);
  });

  test('[K20] moves other cells only a little after one leg, however odd the leg is', () => {
    const one = routed([[MONDAY_NOON, 3, 1]]);
    expect(stretchByHour(new Map(), one)[MONDAY_NOON]).toBeLessThan(1.15);
    expect(stretchByHour(one)[MONDAY_NOON]).toBeLessThan(1.65);
  });

  test('[K20] in the stored form gives the paces that each leaning by itself gives', () => {
    // Seconds for each expected one, from the widest experience to the hour.
    const lean = (told: readonly Row[], priorLegs: number, before: number): number => {
      const seen = told.reduce((sum, [, , count]) => sum + count, 0);
      const seconds = told.reduce((sum, [, pace, count]) => sum + pace * count, 0);
      return (seconds + priorLegs * before) / (seen + priorLegs);
    };
    const direct = (told: readonly Row[], hour: number, priorLegs: number, before: number): number => {
      const isWeekend = (of: number): boolean => of >= 120;
      const apart = (of: number): number => Math.abs(((((of - hour) % 24) + 36) % 24) - 12);
      const part = told.filter(([of]) => isWeekend(of) === isWeekend(hour) && apart(of) <= 1);
      const own = told.filter(([of]) => of === hour);
      return lean(own, priorLegs, lean(part, priorLegs, lean(told, priorLegs, before)));
    };
    const property = fc.property(rows, rows, (ofCell, ofArea) => {
      const stretches = stretchByHour(routed(ofCell), routed(ofArea));
      const speeds = speedsByHour('scooter', straight(ofCell), straight(ofArea));
      for (const hour of HOURS) {
        const pace = direct(ofCell, hour, 10, direct(ofArea, hour, 50, 1));
        expect(stretches[hour]).toBeCloseTo(pace, 5);
        expect(crowSpeedMps('scooter') / (speeds[hour] ?? NaN)).toBeCloseTo(pace, 5);
      }
    });
    fc.assert(property);
  });
});
