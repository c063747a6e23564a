import { expect, test } from 'vitest';
import { rebuildRollUps } from '../../../../src/dispatch/analytics/rebuild-roll-ups.ts';
import { dateIn } from '../../../../src/domain/analytics/local-date.ts';
import { shiftDate } from '../../../../src/domain/analytics/range.ts';
import { call } from '../../house.ts';
import { openSite } from './site.ts';

const { house, vendor, locationId, courier, staff, fold, end } = await openSite('analytics zones');
const { ctx } = house;
const DAY_MS = 24 * 60 * 60_000;
const ZONE = 'Pacific/Kiritimati'; // UTC+14
const day = dateIn('UTC', ctx.clock.now() - 3 * DAY_MS);
const next = shiftDate(day, 1);
/** 23:00 on the day in UTC, and 13:00 on the next one in Kiritimati. */
const LATE = Date.parse(`${day}T23:00:00Z`);

const setZone = (timezone: string | null) =>
  call(house, 'PATCH /vendor/profile', { token: vendor.key, body: { timezone } });
const countOn = async (date: string, query = '', token = vendor.key) => {
  const range = `date_range=${date}/${shiftDate(date, 1)}`;
  const { body } = await call(house, `GET /vendor/analytics/success-rate?${range}${query}`, { token });
  return [body['delivered'], body['time_zone']];
};

test('[N2] deliveries count on the local date, keep it when the time zone changes, and are moved by a rebuild', async () => {
  expect((await setZone(ZONE)).body).toMatchObject({ timezone: ZONE });
  const first = await end({ state: 'delivered', courierId: courier.id, at: LATE });
  await call(house, `POST /deliveries/${first}/rating`, { token: vendor.key, body: { rating: 5 } });
  await fold();
  expect(await countOn(day)).toEqual([0, ZONE]);
  expect(await countOn(next)).toEqual([1, ZONE]);
  expect(await countOn(next, `&location_id=${locationId}`)).toEqual([1, ZONE]);
  expect(await countOn(day, '&live_mode=false', staff)).toEqual([1, 'UTC']);
  expect(await countOn(next, `&live_mode=false&vendor_id=${vendor.id}`, staff)).toEqual([1, ZONE]);
  const hours = { location_id: locationId, timezone: 'America/Lima', weekly: null };
  expect((await call(house, 'PATCH /vendor/hours', { token: vendor.key, body: hours })).status).toBe(200);
  await setZone(null);
  await end({ state: 'delivered', courierId: courier.id, at: LATE });
  await fold();
  expect(await Promise.all([day, next].map((date) => countOn(date)))).toEqual([
    [1, 'UTC'],
    [1, 'UTC'],
  ]);
  expect(await countOn(day, `&location_id=${locationId}`)).toEqual([1, 'America/Lima']);
  // A changed rating changes the sums of the date on which it was counted.
  await call(house, `POST /deliveries/${first}/rating`, { token: vendor.key, body: { rating: 3 } });
  await fold();
  await rebuildRollUps(
    { ...ctx, clock: { ...ctx.clock, real: { ...ctx.clock.real, sleep: async () => {} } } },
    () => {},
  );
  expect(await countOn(day)).toEqual([2, 'UTC']);
  expect(await countOn(day, `&location_id=${locationId}`)).toEqual([2, 'America/Lima']);
  const riders = `GET /vendor/analytics/rider-performance?date_range=${day}/${shiftDate(next, 1)}`;
  const { body } = await call(house, riders, { token: vendor.key });
  expect(body.data).toMatchObject([{ deliveries: 2, ratings: 1, rating: 3 }]);
});

test('[N9] plain dates of lists begin at midnight in the time zone of the vendor, for staff in UTC', async () => {
  const id = await end({ state: 'delivered', courierId: courier.id, at: LATE });
  const list = async (path: string, from: string, token: string) => {
    const range = `date_range=${from}/${shiftDate(from, 1)}&limit=100`;
    const { body } = await call(house, `GET ${path}?${range}`, { token });
    return (body.data as { readonly id: string }[]).some((one) => one.id === id);
  };
  const found = (token: string, path = '/deliveries') =>
    Promise.all([day, next].map((date) => list(path, date, token)));
  expect(await found(vendor.key)).toEqual([true, false]);
  await setZone(ZONE);
  expect(await found(vendor.key)).toEqual([false, true]);
  expect(await found(staff)).toEqual([true, false]);
  expect(await found(courier.token, `/couriers/${courier.id}/deliveries`)).toEqual([true, false]);
});

test('[N2] a time zone that does not exist is refused', async () => {
  for (const timezone of ['Mars/Olympus', '+02:00', '']) {
    const { status, body } = await setZone(timezone);
    expect([400, 422]).toContain(status);
    expect(body['errors']).toMatchObject([{ pointer: '/timezone' }]);
  }
});
