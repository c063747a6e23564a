import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distanceM, offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { decodePolyline, encodePolyline } from '../../../src/domain/geo/polyline.ts';
import { joinLegs, type RouteLeg } from '../../../src/domain/geo/route.ts';
import { CENTER } from '../../builders.ts';

const place = fc.record({
  lat: fc.integer({ min: -90e6, max: 90e6 }).map((micro) => micro / 1e6),
  lng: fc.integer({ min: -180e6, max: 180e6 }).map((micro) => micro / 1e6),
});

describe('an encoded line', () => {
  test('[K15] has the same points when it is decoded', () => {
    fc.assert(
      fc.property(fc.array(place), (points) => {
        expect(decodePolyline(encodePolyline(points))).toEqual(points.map(({ lat, lng }) => ({ lat, lng })));
      }),
    );
  });

  test('[K15] is encoded as routing servers do', () => {
    // From the description of the format, where these numbers are degrees with five decimals.
    const points = [
      { lat: 3.85, lng: -12.02 },
      { lat: 4.07, lng: -12.095 },
      { lat: 4.3252, lng: -12.6453 },
    ];
    expect(encodePolyline(points)).toBe('_p~iF~ps|U_ulLnnqC_mqNvxq`@');
  });

  test.each(['_p~iF', '_p~iF~ps|', ' ', 'ü'])('[K17] that is broken (%j) is refused', (text) => {
    expect(() => decodePolyline(text)).toThrow(RangeError);
  });
});

describe('a route', () => {
  const [a, b, c] = [CENTER, offsetBy(CENTER, 1000, 0), offsetBy(CENTER, 1000, 2000)];
  const leg = (points: readonly Coordinates[], metres: number, seconds = 100): RouteLeg => ({
    distanceM: metres,
    durationS: seconds,
    polyline: encodePolyline(points),
  });

  test('[K15] sums its legs to whole metres and seconds', () => {
    const legs = [leg([a, b], 1000.4, 99.6), leg([b, c], 2000.3, 200.3)];
    expect(joinLegs([a, b, c], legs)).toEqual({ distanceM: 3001, durationS: 300, legs });
  });

  test('[K16] needs lines that begin and end within 200 m of its places', () => {
    const near = (metres: number) => joinLegs([a, b], [leg([offsetBy(a, 0, metres), b], 1020)]);
    expect(near(195)).toMatchObject({ distanceM: 1020 });
    expect(near(205)).toBe('moved');
    expect(joinLegs([a, b], [leg([a, offsetBy(b, 0, 205)], 1020)])).toBe('moved');
    // The server moved the stop in the middle, in one of the legs only.
    const moved = offsetBy(b, 300, 0);
    expect(joinLegs([a, b, c], [leg([a, b], 1000), leg([moved, c], 2020)])).toBe('moved');
    expect(joinLegs([a, b], [leg([], 1000)])).toBe('moved');
  });

  test('[K16] is as long as its lines', () => {
    const lineM = distanceM(a, b) + distanceM(b, c);
    const joined = (metres: number) => joinLegs([a, c], [leg([a, b, c], metres)]);
    for (const share of [0.96, 1, 1.04]) expect(joined(share * lineM)).toMatchObject({ legs: [{}] });
    for (const share of [0, 0.9, 1.1, 13]) expect(joined(share * lineM)).toBe('unsound');
    expect(joinLegs([a, a], [leg([a, a], 0, 0)])).toMatchObject({ distanceM: 0, durationS: 0 });
  });

  test('[K17] has a leg between each two places', () => {
    expect(() => joinLegs([a, b, c], [leg([a, b], 1100)])).toThrow(RangeError);
  });
});
