import fc from 'fast-check';
import { expect, test } from 'vitest';
import { courseAt, legAlong, placeAt, standing } from '../../../load-tests/simulate/people/motion.ts';
import { fateOf, straightWays, streetWays } from '../../../load-tests/simulate/people/ways.ts';
import { mean, quantile } from '../../../load-tests/statistics.ts';
import { distanceM, offsetBy } from '../../../src/domain/geo/geo.ts';
import { CENTER } from '../../builders.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

test('[Y11] a courier without streets drives straight at the speed of the day and turns where they are', async () => {
  const drive = straightWays(320);
  const way = await drive(CENTER, offsetBy(CENTER, 3200, 0), 'o1 0');
  expect([way.rideMs / MINUTE_MS, way.parkingMs]).toEqual([expect.closeTo(10, 2), 0]);
  const east = legAlong(way.line, way.rideMs, SECOND_MS);
  expect(distanceM(placeAt(east, SECOND_MS + 5 * MINUTE_MS), offsetBy(CENTER, 1600, 0))).toBeLessThan(2);
  expect(courseAt(east, 2 * SECOND_MS)).toEqual({ headingDeg: 90, speedMps: expect.closeTo(320 / 60, 6) });
  const here = placeAt(east, SECOND_MS + 5 * MINUTE_MS);
  const { line, rideMs } = await drive(here, offsetBy(here, 0, 320), 'o1 1');
  const north = legAlong(line, rideMs, 0);
  expect([placeAt(north, 0), rideMs / MINUTE_MS]).toEqual([here, expect.closeTo(1, 3)]);
  expect(courseAt(north, 10).headingDeg).toBe(0);
});

/** Streets that never lead back west, so that every step backwards would show. */
const streets = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: -60, max: 60 })), { minLength: 1, maxLength: 50 })
  .map((steps) => {
    const line = [CENTER];
    for (const [eastM, northM] of steps) line.push(offsetBy(line.at(-1) ?? CENTER, eastM, northM));
    return line;
  });

test('[Y50] a courier on a line starts at its start, never goes back, keeps its speed and ends at its end', () => {
  fc.assert(
    fc.property(streets, fc.integer({ min: 1, max: 3600 }), fc.integer({ min: 2, max: 40 }), (line, tookS, parts) => {
      const startAt = 1_000_000;
      const leg = legAlong(line, tookS * SECOND_MS, startAt);
      const stepMs = (tookS * SECOND_MS) / parts;
      const places = Array.from({ length: parts + 1 }, (_, part) => placeAt(leg, startAt + part * stepMs));
      const { speedMps } = courseAt(leg, startAt);
      expect(speedMps * tookS).toBeCloseTo(leg.lengthM, 6);
      expect([places[0], places.at(-1)]).toEqual([line[0], line.at(-1)]);
      for (const [at, place] of places.slice(1).entries()) {
        const before = places[at] ?? place;
        expect(place.lng).toBeGreaterThanOrEqual(before.lng - 1e-12);
        expect(distanceM(before, place)).toBeLessThanOrEqual((speedMps * stepMs) / SECOND_MS + 1e-3);
      }
      expect([placeAt(leg, startAt - 1), placeAt(leg, Infinity)]).toEqual([line[0], line.at(-1)]);
      expect(courseAt(leg, startAt + tookS * SECOND_MS)).toEqual({ speedMps: 0, headingDeg: 0 });
    }),
  );
});

test('[Y50] the heading is that of the street on which the courier is', () => {
  const [corner, end] = [offsetBy(CENTER, 500, 0), offsetBy(CENTER, 500, -500)];
  const leg = legAlong([CENTER, corner, end], 100 * SECOND_MS, 0);
  expect([10, 49, 51, 99.99].map((s) => courseAt(leg, s * SECOND_MS).headingDeg)).toEqual([90, 90, 180, 180]);
  expect(courseAt(standing(CENTER), 5)).toEqual({ speedMps: 0, headingDeg: 0 });
  expect(placeAt(standing(CENTER), 5)).toEqual(CENTER);
});

test('[Y50] a ride takes the time of its route times a lognormal factor with median 1.3 and sigma 0.2, and then parking', () => {
  const fates = Array.from({ length: 4000 }, (_, leg) => fateOf(1, `o${leg} 0`));
  const factors = fates.map(({ factor }) => factor);
  const logs = factors.map(Math.log);
  const deviation = Math.sqrt(mean(logs.map((log) => (log - mean(logs)) ** 2)));
  expect(quantile(factors, 0.5)).toBeCloseTo(1.3, 1);
  expect([mean(logs), deviation]).toEqual([expect.closeTo(Math.log(1.3), 1.7), expect.closeTo(0.2, 1.7)]);
  // A tenth of the values of a normal distribution lies over 1.2816 deviations above its middle.
  expect(quantile(factors, 0.9)).toBeCloseTo(1.3 * Math.exp(1.2816 * 0.2), 1);
  const parking = fates.map(({ parkingMs }) => parkingMs);
  expect([Math.min(...parking) >= 10_000, Math.max(...parking) <= 30_000]).toEqual([true, true]);
  expect(quantile(parking, 0.5)).toBeGreaterThan(19_000);
  expect(quantile(parking, 0.5)).toBeLessThan(21_000);
});

test('[Y50] the same leg takes the same time with the same seed, whoever drives it and in whichever order', async () => {
  expect(fateOf(7, 'o1 1')).toEqual(fateOf(7, 'o1 1'));
  for (const other of [fateOf(8, 'o1 1'), fateOf(7, 'o1 0'), fateOf(7, 'o2 1')])
    expect(other).not.toEqual(fateOf(7, 'o1 1'));
  const [to, bend] = [offsetBy(CENTER, 900, 0), offsetBy(CENTER, 400, 300)];
  const none = straightWays(320);
  const drive = streetWays((from) => Promise.resolve(from === to ? null : { line: [bend], seconds: 200 }), 7, none);
  const { factor, parkingMs } = fateOf(7, 'o1 1');
  const way = await drive(CENTER, to, 'o1 1');
  const luckMs = 200 * SECOND_MS * (factor - 1.3) + parkingMs - 20 * SECOND_MS;
  expect(way).toEqual({ line: [CENTER, bend, to], rideMs: 200 * SECOND_MS * factor, parkingMs, luckMs });
  expect(await drive(to, CENTER, 'o1 1')).toEqual(await none(to, CENTER, 'o1 1'));
});
