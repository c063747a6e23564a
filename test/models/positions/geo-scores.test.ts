import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Coordinates } from '../../../src/domain/geo/geo.ts';
import { aPosition } from '../../builders.ts';
import { testEngines } from '../../engines.ts';
import { regionOf } from '../../regions.ts';
import { aProcess } from './position-process.ts';

const engines = testEngines('geo-scores');
/** Places in the last cells of the index. At the very edge, the scores of GEOADD leave the 52 bits of an index. */
const [MOST_LAT, MOST_LNG] = [85.05112878 - 1e-7, 180 - 1e-7];
const degrees = (most: number) =>
  fc.oneof(fc.double({ min: -most, max: most, noNaN: true }), fc.constantFrom(0, -0, 1e-9, -1e-9, most, -most));
const places = fc.record({ lat: degrees(MOST_LAT), lng: degrees(MOST_LNG) });

/** Puts couriers at these places into the index. Returns their scores, and those that GEOADD gives to other places. */
async function scoresOf(there: readonly Coordinates[], expected: readonly Coordinates[]) {
  const { index, tick, redis } = await aProcess({ at: engines });
  const { commands, prefix } = redis;
  const positions = there.map((place) => aPosition(place));
  positions.forEach((position) => index.put(position));
  await tick();
  const scores = await Promise.all(
    positions.map((position) => commands.zscore(`${prefix}{r:${regionOf(position)}}:geo`, position.courierId)),
  );
  const added = expected.flatMap(({ lat, lng }, at) => [lng, lat, at]);
  await commands.geoadd(`${prefix}{added}`, ...added);
  return { scores, added: await commands.zmscore(`${prefix}{added}`, ...expected.keys()) };
}

test('[P22] a courier’s score in the geo index is the one that GEOADD gives their place', async () => {
  const many = fc.array(places, { minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(many, async (all) => {
      const { scores, added } = await scoresOf(all, all);
      expect(scores).toEqual(added);
    }),
    { numRuns: 20 },
  );
});

test('[P22] a place beyond the edge of the index has the score of its last cell', async () => {
  const { scores, added } = await scoresOf(
    [
      { lat: 89, lng: 20 },
      { lat: -90, lng: 180 },
    ],
    [
      { lat: MOST_LAT, lng: 20 },
      { lat: -MOST_LAT, lng: MOST_LNG },
    ],
  );
  expect(scores).toEqual(added);
});
