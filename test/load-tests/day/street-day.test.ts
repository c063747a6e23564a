import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseRequest } from '../../../load-tests/make-day.ts';
import { generateStreetDay, streetsBy, type FindStreet } from '../../../load-tests/day/street-day.ts';
import { layOnGlobe } from '../../../load-tests/day/globe.ts';
import { parseOptions } from '../../../load-tests/simulate/options.ts';
import { runDay } from '../../../load-tests/simulate/run.ts';
import { distanceM, offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';

const REQUEST = { seed: 3, orders: 60, couriers: 8, restaurants: 6, fromMin: 690, toMin: 900 };
const TOWN = { lat: 47.139, lng: 9.522 };
const OTHER = offsetBy(TOWN, -500, 3000);
/** A river: west of it there are no streets. */
const RIVER_LNG = offsetBy(TOWN, -900, 0).lng;
const GRID_DEG = 0.001;

/** The nearest crossing of a grid of streets. */
function crossing({ lat, lng }: Coordinates): Coordinates {
  return { lat: Math.round(lat / GRID_DEG) * GRID_DEG, lng: Math.round(lng / GRID_DEG) * GRID_DEG };
}

const findStreet: FindStreet = (place) => Promise.resolve(place.lng < RIVER_LNG ? null : crossing(place));

test('[Y49] every place of a day on streets lies on one, and the same streets give the same day', async () => {
  const day = await generateStreetDay(REQUEST, [TOWN, OTHER], findStreet);
  expect(await generateStreetDay(REQUEST, [TOWN, OTHER], findStreet)).toEqual(day);
  expect([day.orders.length, day.restaurants.length, day.couriers.length]).toEqual([60, 6, 8]);
  const place = layOnGlobe(day, { lat: 0, lng: 0 });
  for (const { at } of [...day.restaurants, ...day.orders, ...day.couriers]) {
    const there = place(at);
    // Points of the plane are whole metres.
    expect(distanceM(there, crossing(there))).toBeLessThan(1);
    expect(there.lng).toBeGreaterThan(RIVER_LNG - GRID_DEG);
    expect([at.x >= 0, at.y >= 0, Number.isInteger(at.x)]).toEqual([true, true, true]);
  }
  for (const { at } of day.restaurants) {
    const there = place(at);
    expect(Math.min(distanceM(there, TOWN), distanceM(there, OTHER))).toBeLessThan(1500);
  }
});

test('[Y49] a place without any street around it is named', async () => {
  await expect(generateStreetDay(REQUEST, [TOWN], () => Promise.resolve(null))).rejects.toThrow(
    'there is no street around {"lat":47.139,"lng":9.522}',
  );
});

test('[Y49] a street counts if a scooter rides there and back, and if it is near the place', async () => {
  const end = offsetBy(TOWN, 1000, 20);
  const place = offsetBy(TOWN, 1000, 0);
  /** Streets whose routes take so many seconds; null if there is none. */
  const street = (thereS: number | null, backS: number | null): FindStreet =>
    streetsBy((from, to) => {
      const seconds = from === TOWN ? thereS : backS;
      return Promise.resolve(seconds === null ? null : { line: from === TOWN ? [from, end] : [from, to], seconds });
    });
  expect(await street(160, 160)(place, TOWN)).toEqual(end);
  expect(await street(160, 160)(offsetBy(TOWN, 1000, -50), TOWN)).toBeNull();
  for (const [thereS, backS] of [
    [null, 160],
    [160, null],
    [180, 160],
    [160, 180],
  ] as const) {
    expect(await street(thereS, backS)(place, TOWN)).toBeNull();
  }
});

test('[Y49] make-day takes an extract with the towns that it serves, and refuses one without the other', () => {
  const towns = ['--town', '47.14,9.52', '--town', '47.16,9.51'];
  expect(parseRequest(['--out', 'x', '--streets', 'a.osm.pbf', '--orders', '90', ...towns])).toMatchObject({
    kind: 'streets',
    file: 'a.osm.pbf',
    towns: [
      { lat: 47.14, lng: 9.52 },
      { lat: 47.16, lng: 9.51 },
    ],
    orders: 90,
  });
  expect(() => parseRequest(['--out', 'x', '--streets', 'a.osm.pbf'])).toThrow('--streets and --town need each other');
  expect(() => parseRequest(['--out', 'x', ...towns])).toThrow('--streets and --town need each other');
  expect(() => parseRequest(['--out', 'x', '--streets', 'a', '--town', '47'])).toThrow('--town must be LAT,LNG');
});

test('[Y49] a day that names its origin is not played elsewhere', async () => {
  const day = join(import.meta.dirname, '../../../examples/day-vaduz');
  const options = parseOptions([day, '--origin', '52.5,13.4']);
  await expect(runDay(options, {}, () => {})).rejects.toThrow('the day names its place: leave out --origin');
});
