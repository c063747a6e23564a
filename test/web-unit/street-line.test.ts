import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodePolyline } from '../../src/domain/geo/polyline.ts';
import type { DeliveryView } from '../../web/shared/wire.ts';
import { wayOf } from '../../web/console/map-features.ts';
import { metresBetween } from '../../web/shared/glide.ts';
import { openLine, poseAt, snap, splitAt } from '../../web/shared/street-line.ts';
import { at, lineOf, START, type Place } from './lines.ts';

const lengthOf = (points: readonly Place[]): number =>
  points.reduce((sum, point, index) => sum + metresBetween(points[index - 1] ?? point, point), 0);

const street = fc
  .array(fc.tuple(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -300, max: 300 })), {
    minLength: 2,
    maxLength: 40,
  })
  .map((points) => lineOf(...points.map(([eastM, northM]) => at(eastM, northM))));
const share = fc.double({ min: 0, max: 1, noNaN: true });

test('[V70] the console draws each leg along its line, and a leg without one straight', () => {
  const [near, bend, far] = [at(500, 0), at(700, 300), at(900, 0)];
  const stop = (index: number, coordinates: Place) => ({ stop: index, visit: index, coordinates });
  const legs = [{ from: 1, to: 2, polyline: encodePolyline([near, bend, far]) }];
  const drawnTo = (last: Place) => {
    const delivery = { pickup: stop(0, START), drop_off: [stop(1, near), stop(2, last)] } as unknown;
    return wayOf(delivery as DeliveryView, legs).features.filter(({ geometry }) => geometry.type === 'LineString');
  };
  const drawn = drawnTo(far);
  expect(drawn.map(({ properties }) => properties?.['isStreets'])).toEqual([false, true]);
  expect(drawn.map(({ geometry }) => geometry.coordinates.length)).toEqual([2, 3]);
  // The place of the last stop was corrected, and the line leads to its former place.
  expect(drawnTo(at(900, 400)).map(({ geometry }) => geometry.coordinates.length)).toEqual([2, 2]);
});

test('[V71] the parts of a line before and after a place are as long as the whole line, and meet there', () => {
  fc.assert(
    fc.property(street, share, (line, part) => {
      const wholeM = line.alongM.at(-1) ?? 0;
      const { done, ahead } = splitAt(line, part * wholeM);
      expect(done.at(-1)).toEqual(ahead[0]);
      expect(lengthOf(done)).toBeCloseTo(part * wholeM, 1);
      expect(lengthOf(done) + lengthOf(ahead)).toBeCloseTo(wholeM, 1);
      expect([done[0], ahead.at(-1)]).toEqual([
        part === 0 ? expect.anything() : line.points[0],
        part === 1 ? expect.anything() : line.points.at(-1),
      ]);
    }),
  );
});

test('[V71] a courier on the line never goes backwards, wherever the positions are', () => {
  const places = fc.array(fc.tuple(fc.integer({ min: -350, max: 350 }), fc.integer({ min: -350, max: 350 })));
  fc.assert(
    fc.property(street, places, (line, seen) => {
      let doneM = 0;
      for (const [eastM, northM] of seen) {
        const snapped = snap(line, at(eastM, northM), doneM);
        if (snapped === null) continue;
        expect(snapped).toBeGreaterThanOrEqual(doneM);
        expect(snapped).toBeLessThanOrEqual((line.alongM.at(-1) ?? 0) + 1e-6);
        expect(metresBetween(poseAt(line, snapped), at(eastM, northM))).toBeLessThan(51);
        doneM = snapped;
      }
    }),
  );
});

test('[V71] a position is moved to the nearest point of the line within 50 m', () => {
  const line = lineOf(at(0, 0), at(1000, 0), at(1000, 1000));
  expect(snap(line, at(300, 40), 0)).toBeCloseTo(300, 0);
  expect(snap(line, at(1030, 500), 0)).toBeCloseTo(1500, 0);
  expect(snap(line, at(300, 60), 0)).toBeNull();
  // Noise along the street does not bring the courier back.
  expect(snap(line, at(280, 0), 300)).toBeCloseTo(300, 0);
  expect(poseAt(line, 500)).toMatchObject({ heading: 90 });
  expect(poseAt(line, 1500).heading % 360).toBeCloseTo(0, 5);
});

test('[V71] a way that passes a place twice is taken in its order', () => {
  const there = lineOf(at(0, 0), at(1000, 0), at(1000, 400), at(500, 400), at(500, -400));
  const first = snap(there, at(500, 0), 0) ?? NaN;
  expect(first).toBeCloseTo(500, 0);
  expect(snap(there, at(500, 0), 1200)).toBeCloseTo(2300, 0);
});

test('[V71] a line needs two points', () => {
  expect(openLine('')).toBeNull();
  expect(openLine(encodePolyline([START]))).toBeNull();
});

test('[V71] a position beside the line does not carry the courier past a detour that they cannot have driven', () => {
  // The street comes back 70 m north of itself.
  const line = lineOf(at(0, 0), at(1000, 0), at(1000, 70), at(0, 70));
  const beside = at(200, 51);
  expect(snap(line, beside, 200)).toBeGreaterThan(1800);
  expect(snap(line, beside, 200, 500)).toBeNull();
  expect(snap(line, at(260, 0), 200, 500)).toBeCloseTo(260, 0);
});
