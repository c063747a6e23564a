import { expect, test } from 'vitest';
import { wrongProblem } from '../../routes.ts';
import { openShop, pointersOf } from './shop.ts';

const { house, vendor, other, staff, locationId, asked, create, quote } = await openShop('vendor hours');

test('[H192] hours are set for one location or for all, and refuse quotes and creates while it is closed', async () => {
  const closed = { timezone: 'Europe/Berlin', weekly: [] };
  const none = await asked('GET /vendor/hours', vendor.key);
  expect(none.body.data).toMatchObject([{ location_id: locationId, weekly: null, timezone: null, is_open: true }]);
  const own = await asked('PATCH /vendor/hours', vendor.key, { ...closed, location_id: locationId });
  expect(own.body).toMatchObject({ location_id: locationId, is_open: false, next_opening_at: null, weekly: [] });
  for (const answer of [await create(), await quote(), await create({ priority: 'express' })]) {
    expect([answer.status, wrongProblem(answer)]).toEqual([422, null]);
    expect(answer.body).toMatchObject({
      code: 'invalid_delivery_parameters',
      reason: 'outside_operating_hours',
      metadata: { next_opening_at: null },
    });
  }
  const all = { timezone: 'UTC', weekly: null, exceptions: [] };
  const opened = await asked('PATCH /vendor/hours', staff, { ...all, vendor_id: vendor.id });
  expect(opened.body).toMatchObject({ location_id: null, is_open: true });
  expect([(await create()).status, (await quote()).status]).toEqual([201, 201]);
  expect((await asked('GET /vendor/hours', vendor.key)).body.data).toMatchObject([{ timezone: 'UTC', is_open: true }]);
  const foreign = await asked('PATCH /vendor/hours', other.key, { ...closed, location_id: locationId });
  expect([foreign.status, foreign.body['code']]).toEqual([404, 'location_not_found']);
});

test('[H192] a closed location names its next opening, and a later ready time is judged by itself', async () => {
  const now = house.ctx.clock.now();
  const hourAt = (hours: number) => new Date(Math.floor(now / 3_600_000) * 3_600_000 + hours * 3_600_000);
  const dateOf = (time: Date) => time.toISOString().slice(0, 10);
  const opening = hourAt(3);
  const periods = [{ start: opening.toISOString().slice(11, 16), end: hourAt(5).toISOString().slice(11, 16) }];
  const weekly = { location_id: locationId, timezone: 'UTC', weekly: [] };
  await asked('PATCH /vendor/hours', vendor.key, { ...weekly, exceptions: [{ date: dateOf(opening), periods }] });
  expect((await create()).body).toMatchObject({ metadata: { next_opening_at: opening.toISOString() } });
  const pickup = (hours: number) => ({
    pickup: { location_id: locationId, window: { ready_at: hourAt(hours).toISOString() } },
  });
  expect([(await create(pickup(4))).status, (await quote(pickup(4))).status]).toEqual([201, 201]);
  expect((await create({ ...pickup(6), priority: 'scheduled' })).body).toMatchObject({
    reason: 'outside_operating_hours',
    errors: [{ pointer: '/pickup/window/ready_at' }],
  });
  await asked('PATCH /vendor/hours', vendor.key, { ...weekly, weekly: null });
});

test('[H192] wrong hours are refused with the places of both periods', async () => {
  const day = (number: number, ...given: [string, string][]) => ({
    day_of_week: number,
    periods: given.map(([start, end]) => ({ start, end })),
  });
  const wrong = async (over: Record<string, unknown>) => {
    const answer = await asked('PATCH /vendor/hours', vendor.key, { timezone: 'UTC', weekly: [], ...over });
    expect([400, 422]).toContain(answer.status);
    return [pointersOf(answer)[0], answer.body['detail']];
  };
  const overlap = await wrong({ weekly: [day(1, ['09:00', '13:00'], ['12:00', '15:00'])] });
  expect(overlap[0]).toBe('/weekly/0/periods/1');
  expect(overlap[1]).toMatch('`/weekly/0/periods/0`: Monday 09:00–13:00 and Monday 12:00–15:00 overlap');
  const night = await wrong({ weekly: [day(7, ['20:00', '02:00']), day(1, ['01:00', '03:00'])] });
  expect(night[1]).toMatch('Sunday 20:00–02:00 and Monday 01:00–03:00');
  const date = '2026-12-24';
  const exception = { date, periods: day(1, ['09:00', '13:00'], ['12:00', '15:00']).periods };
  expect((await wrong({ exceptions: [exception] }))[0]).toBe('/exceptions/0/periods/1');
  expect((await wrong({ exceptions: [{ date, closed: true }, exception] }))[0]).toMatch('/exceptions/1');
  expect((await wrong({ exceptions: [{ date }] }))[0]).toBe('/exceptions/0');
  expect((await wrong({ timezone: '+02:00' }))[0]).toBe('/timezone');
  expect((await wrong({ weekly: [day(1), day(1)] }))[0]).toBe('/weekly/1/day_of_week');
  expect((await wrong({ weekly: [day(1, ['09:00', '09:00'])] }))[0]).toBe('/weekly/0/periods/0/end');
  expect((await wrong({ weekly: [day(1, ['24:00', '09:00'])] }))[0]).toBe('/weekly/0/periods/0/start');
});

test('[H517] an exception of opening hours lies in the years 2000 to 2199', async () => {
  const set = (date: string) =>
    asked('PATCH /vendor/hours', vendor.key, { timezone: 'UTC', weekly: null, exceptions: [{ date, closed: true }] });
  for (const date of ['0000-01-01', '1999-12-31', '2200-01-01', '9999-12-31']) {
    const answer = await set(date);
    expect([date, answer.status, pointersOf(answer)]).toEqual([date, 422, ['/exceptions/0/date']]);
    expect(answer.body['detail']).toContain(`must be a date in the years 2000 to 2199; it is "${date}"`);
  }
  for (const date of ['2000-01-01', '2199-12-31']) expect([date, (await set(date)).status]).toEqual([date, 200]);
  await asked('PATCH /vendor/hours', vendor.key, { timezone: 'UTC', weekly: null });
});
