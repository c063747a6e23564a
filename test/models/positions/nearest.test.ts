import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceM, offsetBy, regionsWithin, regionOf as regionAt } from '../../../src/domain/geo/geo.ts';
import type { CourierId } from '../../../src/domain/ids.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aPosition, CENTER } from '../../builders.ts';
import { testEngines } from '../../engines.ts';
import { regionOf } from '../../regions.ts';
import { aProcess } from './position-process.ts';

const engines = testEngines('nearest');
/** Half the side of the square in which the couriers are, metres. It reaches into several regions. */
const REACH_M = 9000;
/** How far a search reaches, and how exactly it measures, metres. */
const [MOST_M, EXACT_M] = [5000, 1];
const metres = fc.integer({ min: -REACH_M, max: REACH_M });
const all = (ids: readonly CourierId[]) => Promise.resolve(new Set(ids));

test('[P15] the nearest couriers are those that a look at every courier finds, in any process and over borders', async () => {
  const { index, tick, clock } = await aProcess({ at: engines });
  // Within 5 km there are far fewer than the 512 whom a search reads in a region.
  const gone = Array.from({ length: 300 }, () => aPosition(scattered()));
  gone.forEach((position) => index.put(position));
  await tick();
  await clock.advance(defaultSettings().presence.leaseMs + 1000);
  const present = Array.from({ length: 1200 }, () => aPosition({ ...scattered(), at: clock.now() }));
  present.forEach((position) => index.put(position));
  await tick();
  expect(new Set(present.map((position) => regionOf(position))).size).toBeGreaterThan(1);
  const { index: other } = await aProcess({ at: engines, clock });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ east: metres, north: metres, enough: fc.constantFrom(1, 5, 60), oneIn: fc.constantFrom(1, 3, 50) }),
      async ({ east, north, enough, oneIn }) => {
        const place = offsetBy(CENTER, east, north);
        // The absent ones are wanted too, and must not be found.
        const isWanted = new Set(
          [...present.filter((_, at) => at % oneIn === 0), ...gone].map(({ courierId }) => courierId),
        );
        const choose = (ids: readonly CourierId[]) => Promise.resolve(new Set(ids.filter((id) => isWanted.has(id))));
        const found = await other.nearest(place, { mostM: MOST_M, enough, choose });
        const looked = present
          .filter(({ courierId }) => isWanted.has(courierId))
          .map((position) => ({ id: position.courierId, awayM: distanceM(position, place) }))
          .filter(({ awayM }) => awayM < MOST_M + EXACT_M)
          .sort((a, b) => a.awayM - b.awayM)
          .slice(0, enough);
        // A courier at the very end of the distance may be found or not.
        const sure = looked.filter(({ awayM }) => awayM < MOST_M - EXACT_M).length;
        expect(found?.length).toBeGreaterThanOrEqual(sure);
        expect(found?.length).toBeLessThanOrEqual(looked.length);
        for (const [at, near] of (found ?? []).entries()) {
          expect(Math.abs(near.awayM - (looked[at]?.awayM ?? NaN))).toBeLessThan(EXACT_M);
          const position = present.find(({ courierId }) => courierId === near.courierId);
          expect(Math.abs(distanceM(position ?? CENTER, place) - near.awayM)).toBeLessThan(EXACT_M);
        }
        expect(new Set(found?.map(({ courierId }) => courierId)).size).toBe(found?.length);
      },
    ),
    { numRuns: 60 },
  );
});

test('[P15] a crowd of whom nobody is wanted ends the search after a bounded number of couriers, without a result', async () => {
  const { index, tick } = await aProcess({ at: testEngines('nearest-crowd') });
  Array.from({ length: 2000 }, () => index.put(aPosition(offsetBy(CENTER, Math.random() * 500, Math.random() * 500))));
  await tick();
  const asked: number[] = [];
  const choose = (ids: readonly CourierId[]) => {
    asked.push(ids.length);
    return Promise.resolve(new Set<CourierId>());
  };
  expect(await index.nearest(CENTER, { mostM: 5000, enough: 5, choose })).toBeNull();
  expect(asked.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(512);
});

test('[P15] a courier who is in the index twice counts once, where they were seen last', async () => {
  const { index, tick, redis, clock } = await aProcess({ at: testEngines('nearest-twice') });
  const [west, east] = borderAt(CENTER);
  const courier = aPosition(west);
  index.put(courier);
  await tick();
  const region = `${redis.prefix}{r:${regionOf(east)}}`;
  await redis.commands.geoadd(`${region}:geo`, east.lng, east.lat, courier.courierId);
  await redis.commands.zadd(`${region}:seen`, clock.now() - 1000, courier.courierId);
  const found = await index.nearest(east, { mostM: 5000, enough: 5, choose: all });
  expect(found?.map(({ courierId, awayM }) => [courierId, Math.round(awayM)])).toEqual([
    [courier.courierId, Math.round(distanceM(west, east))],
  ]);
});

/** Two places 400 m apart with the border of a region between them. */
function borderAt(from: typeof CENTER): [typeof CENTER, typeof CENTER] {
  for (let west = from; ; west = offsetBy(west, 200, 0)) {
    const east = offsetBy(west, 400, 0);
    if (regionOf(west) !== regionOf(east)) return [west, east];
  }
}

test('[P15] near a pole and over the date line couriers are found, and without Redis nobody can tell', async () => {
  const { index, tick, redis } = await aProcess({ at: testEngines('nearest-edge') });
  const fiji = { lat: -16.8, lng: 179.999 };
  const [east, north] = [aPosition(offsetBy(fiji, 400, 0)), aPosition({ lat: 84.9, lng: 20 })];
  index.put(east);
  index.put(north);
  await tick();
  const at = (place: typeof fiji) => index.nearest(place, { mostM: 5000, enough: 5, choose: all });
  expect((await at(fiji))?.map(({ courierId }) => courierId)).toEqual([east.courierId]);
  expect((await at({ lat: 84.9, lng: 20.01 }))?.map(({ courierId }) => courierId)).toEqual([north.courierId]);
  expect(await at({ lat: 89.9, lng: 20 })).toEqual([]);
  await redis.close();
  expect(await at(fiji)).toBeNull();
});

test('[P15] every place within a distance lies in one of the regions that reach so far', () => {
  fc.assert(
    fc.property(
      fc.record({
        lat: fc.double({ min: -80, max: 80, noNaN: true }),
        lng: fc.double({ min: -180, max: 180, noNaN: true }),
      }),
      fc.integer({ min: 4, max: 8 }),
      fc.integer({ min: 0, max: 5000 }),
      fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      (place, resolution, withinM, angle) => {
        const regions = regionsWithin(place, withinM, resolution);
        // The plane of the search is a little off the sphere.
        const far = offsetBy(place, 0.99 * withinM * Math.cos(angle), 0.99 * withinM * Math.sin(angle));
        expect(regions).toContain(regionAt(far, resolution));
        expect(new Set(regions).size).toBe(regions.length);
      },
    ),
    { numRuns: 2000 },
  );
});

function scattered() {
  return offsetBy(CENTER, (2 * Math.random() - 1) * REACH_M, (2 * Math.random() - 1) * REACH_M);
}
