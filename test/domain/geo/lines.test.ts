import fc from 'fast-check';
import { expect, test } from 'vitest';
import { between, distanceM, offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { cutStart, lengthM, MOST_CHARACTERS, placeAlong, shortenLine } from '../../../src/domain/geo/lines.ts';
import { decodePolyline, encodePolyline } from '../../../src/domain/geo/polyline.ts';
import { CENTER } from '../../builders.ts';

/** A line of steps of up to 60 m, as streets have them. */
const street = fc
  .array(fc.tuple(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -60, max: 60 })), {
    minLength: 1,
    maxLength: 100,
  })
  .map((steps) => {
    const line = [CENTER];
    for (const [eastM, northM] of steps) line.push(offsetBy(line.at(-1) ?? CENTER, eastM, northM));
    return line;
  });

/** Metres from a point to the nearest point of a line, looked for every few metres. */
function awayM(point: Coordinates, line: readonly Coordinates[]): number {
  const places = line.flatMap((from, at) => {
    const to = line[at + 1] ?? from;
    const parts = Math.max(1, Math.ceil(distanceM(from, to)));
    return Array.from({ length: parts + 1 }, (_, part) => between(from, to, part / parts));
  });
  return Math.min(...places.map((place) => distanceM(point, place)));
}

const rounded = (line: readonly Coordinates[]) => decodePolyline(encodePolyline(line));

test('[J332] a line of any length is stored in at most 2,048 characters, from its first to its last point', () => {
  fc.assert(
    fc.property(street, (line) => {
      const text = shortenLine(line);
      expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
      const kept = decodePolyline(text);
      const [whole, known] = [rounded(line), new Set(rounded(line).map((point) => JSON.stringify(point)))];
      expect([kept[0], kept.at(-1)]).toEqual([whole[0], whole.at(-1)]);
      expect(kept.every((point) => known.has(JSON.stringify(point)))).toBe(true);
    }),
  );
});

test('[J332] a line with too many corners loses the smaller ones', () => {
  const zigzag = Array.from({ length: 3000 }, (_, at) =>
    offsetBy(CENTER, 20 * at, at % 50 === 0 ? 300 : 15 * (at % 2)),
  );
  const text = shortenLine(zigzag);
  expect(encodePolyline(zigzag).length).toBeGreaterThan(4 * MOST_CHARACTERS);
  expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
  const [kept, peaks] = [decodePolyline(text), rounded(zigzag.filter((_point, at) => at % 50 === 0))];
  for (const peak of peaks) expect(kept).toContainEqual(peak);
});

test('[J332] what fits is drawn within 5 m of the streets', () => {
  const bend = Array.from({ length: 300 }, (_, at) => offsetBy(CENTER, at * 20, 200 * Math.sin(at / 15)));
  const text = shortenLine(bend);
  expect(text.length).toBeLessThan(MOST_CHARACTERS / 2);
  const kept = decodePolyline(text);
  expect(Math.max(...bend.map((point) => awayM(point, kept)))).toBeLessThan(6);
  // A way there and back keeps its turn.
  const [near, far] = [offsetBy(CENTER, 100, 0), offsetBy(CENTER, 900, 0)];
  expect(decodePolyline(shortenLine([CENTER, near, far, near, CENTER]))).toEqual(rounded([CENTER, far, CENTER]));
});

test('[J334] a line whose start is hidden has no point near it', () => {
  const [at100, at250, at400] = [100, 250, 400].map((eastM) => offsetBy(CENTER, eastM, 0)) as [
    Coordinates,
    Coordinates,
    Coordinates,
  ];
  // It passes its start again, and begins after that.
  const line = [CENTER, at100, at250, at100, at250, at400];
  expect(decodePolyline(cutStart(encodePolyline(line), CENTER, 200) ?? '')).toEqual(rounded([at250, at400]));
  expect(cutStart(encodePolyline([CENTER, at100, at250]), CENTER, 200)).toBeNull();
  expect(cutStart('', CENTER, 200)).toBeNull();
  // The place was corrected, so that it lies beside the line, and the line passes it between two of its points.
  const [at600, at900] = [offsetBy(CENTER, 600, 0), offsetBy(CENTER, 900, 0)];
  const moved = offsetBy(CENTER, 500, 150);
  expect(decodePolyline(cutStart(encodePolyline([CENTER, at400, at600, at900]), moved, 200) ?? '')).toEqual([]);
});

test('[B3] a place before a line is its first point, also if the line begins with two equal ones', () => {
  expect(placeAlong([CENTER, CENTER], -1)).toEqual(CENTER);
});

test('[B3] a place along a line is as far from its start, along the line, as asked', () => {
  const offset = fc.integer({ min: -2000, max: 2000 });
  const lines = fc.array(fc.tuple(offset, offset), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(lines, fc.double({ min: 0, max: 1, noNaN: true }), (offsets, share) => {
      const line = offsets.map(([eastM, northM]) => offsetBy(CENTER, eastM, northM));
      const metres = share * lengthM(line);
      const place = placeAlong(line, metres);
      const reached = line.map((_point, at) => lengthM([...line.slice(0, at + 1), place]));
      // A way straight on the map of a stretch of 5.7 km, the longest here, is not even: its middle is 0.29 m off.
      expect(Math.min(...reached.map((length) => Math.abs(length - metres)))).toBeLessThan(0.5);
      expect([placeAlong(line, -1), placeAlong(line, 1e9)]).toEqual([line[0], line.at(-1)]);
    }),
  );
});
