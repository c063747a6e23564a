import { expect, test } from 'vitest';
import { LOCATIONS } from '../../../../src/models/vendors/vendor-shapes.ts';
import { call, DROP_OFF } from '../../house.ts';
import { openShop, pointersOf } from './shop.ts';

const { house, vendor, staff, locationId, asked, create, quote } = await openShop('vendor coverage');

test('[H195] zones decide where a location delivers, and a point can be tested', async () => {
  const zones = `/vendor/locations/${locationId}/zones`;
  const square = (west: number, side: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [west, 52.5],
        [west + side, 52.5],
        [west + side, 52.5 + side],
        [west, 52.5 + side],
        [west, 52.5],
      ],
    ],
  });
  const made = await asked(`POST ${zones}`, staff, { name: 'West', geojson: square(13.0, 0.1) });
  expect([made.status, made.body['h3_resolution']]).toEqual([201, 8]);
  const outside = await create();
  expect(outside.body).toMatchObject({
    status: 422,
    reason: 'drop_off_not_in_coverage',
    errors: [{ pointer: '/drop_off/0/coordinates' }],
  });
  expect((await quote()).body).toMatchObject({ reason: 'drop_off_not_in_coverage' });
  const { lat, lng } = DROP_OFF.coordinates;
  const tested = async (query: string) =>
    (await asked(`GET /vendor/coverage${query}`, vendor.key, undefined, {}, 'GET /vendor/coverage')).body.data?.find(
      (row) => row['location_id'] === locationId,
    );
  expect(await tested(`?lat=${lat}&lng=${lng}`)).toMatchObject({
    zones: [{ name: 'West' }],
    point: { covered: false, reason: 'drop_off_not_in_coverage' },
  });
  const zone = `${zones}/${String(made.body['id'])}`;
  await asked(`PATCH ${zone}`, staff, { geojson: square(13.35, 0.1) });
  expect([(await create()).status, (await quote()).status]).toEqual([201, 201]);
  expect(await tested(`?lat=${lat}&lng=${lng}`)).toMatchObject({ point: { covered: true, reason: null } });
  expect(await tested('?lat=-33.9&lng=18.4')).toMatchObject({ point: { covered: false } });
  expect((await tested(''))?.['point']).toBeUndefined();
  const moved = await create({ pickup: { location_id: locationId, coordinates: { lat: 52.4, lng: 13.4 } } });
  expect(moved.body).toMatchObject({ reason: 'pickup_not_in_coverage', errors: [{ pointer: '/pickup/coordinates' }] });
  expect((await call(house, `DELETE ${zone}`, { token: staff })).status).toBe(204);
  expect((await asked(`DELETE ${zone}`, staff)).body['code']).toBe('zone_not_found');
  expect(await tested(`?lat=-33.9&lng=18.4`)).toMatchObject({ point: { reason: 'distance_too_long' } });
  expect((await create()).status).toBe(201);
});

test('[H195] a zone needs a sound geometry, and a location has at most ten', async () => {
  const zones = `POST /vendor/locations/${locationId}/zones`;
  const ring = [
    [13, 52],
    [13.1, 52.1],
    [13.1, 52],
    [13, 52],
  ];
  const zone = (...rings: number[][][]) => ({ name: 'x', geojson: { type: 'Polygon', coordinates: rings } });
  const open = await asked(zones, staff, zone(ring.slice(0, 3).concat([[13, 52.05]])));
  expect([open.status, pointersOf(open)]).toEqual([422, ['/geojson/coordinates/0']]);
  expect(pointersOf(await asked(zones, staff, zone([[52, 130]])))).toEqual(['/geojson/coordinates/0/0']);
  const point = await asked(zones, staff, { name: 'x', geojson: { type: 'Point', coordinates: [13, 52] } });
  expect(pointersOf(point)).toEqual(['/geojson/type']);
  const query = await asked('GET /vendor/coverage?lat=52', vendor.key);
  expect([query.status, pointersOf(query)]).toEqual([422, ['/lng']]);
  for (let count = 0; count < 10; count += 1) expect((await asked(zones, staff, zone(ring))).status).toBe(201);
  expect((await asked(zones, staff, zone(ring))).body['code']).toBe('too_many_zones');
  await house.mongo.collection(LOCATIONS).updateOne({ _id: locationId }, { $set: { zones: [] } });
});
