import { beforeAll, expect, test } from 'vitest';
import { shiftDate } from '../../../../src/domain/analytics/range.ts';
import { dateIn } from '../../../../src/domain/analytics/local-date.ts';
import { newId } from '../../../../src/domain/ids.ts';
import { addCourier, call } from '../../house.ts';
import { MINUTE, openSite } from './site.ts';

const { house, vendor, other, locationId, courier, staff, fold, end } = await openSite('analytics http');
const { ctx } = house;
const today = dateIn('UTC', ctx.clock.now());
const RANGE = `date_range=${shiftDate(today, -3)}/${shiftDate(today, 1)}`;

beforeAll(async () => {
  const courierId = courier.id;
  for (const category of ['Food', 'Food', 'Package'] as const) await end({ state: 'delivered', courierId, category });
  await end({ state: 'canceled', courierId });
  await end({ state: 'failed', courierId, isLocated: false });
  await end({ state: 'delivered', courierId, at: ctx.clock.now() - 40 * 24 * 60 * MINUTE });
  await fold();
});

test('[N20] the success rate counts what ended in the range, with callers and reasons', async () => {
  const { status, body, text } = await call(house, `GET /vendor/analytics/success-rate?${RANGE}`, {
    token: vendor.key,
  });
  expect([status, text]).toEqual([200, text]);
  expect(body).toMatchObject({ delivered: 3, canceled: 1, failed: 1, rate: 0.6, on_time: 3, time_zone: 'UTC' });
  expect(body['reasons']).toEqual([
    { outcome: 'canceled', reason: 'duplicate', count: 1 },
    { outcome: 'failed', reason: 'lost', count: 1 },
  ]);
  expect(body['ended_by']).toContainEqual({ outcome: 'canceled', by: 'vendor', count: 1 });
});

test('[N8] a range beyond the year 2199 is refused', async () => {
  for (const route of ['delivery-costs', 'rider-performance', 'success-rate']) {
    const path = `GET /vendor/analytics/${route}?date_range=9999-12-27/9999-12-31`;
    const { status, body } = await call(house, path, { token: vendor.key });
    expect([route, status, body['code']]).toEqual([route, 422, 'impossible_value']);
    expect(JSON.stringify(body['errors'])).toContain('must be within the years 2000 to 2199');
  }
});

test('[N20] without a range the last 30 days count', async () => {
  const { body } = await call(house, 'GET /vendor/analytics/success-rate', { token: vendor.key });
  expect(body).toMatchObject({ delivered: 3, date_range: { from: shiftDate(today, -29), to: shiftDate(today, 1) } });
  const longer = `date_range=${shiftDate(today, -80)}/${shiftDate(today, 1)}`;
  const found = await call(house, `GET /vendor/analytics/success-rate?${longer}`, { token: vendor.key });
  expect(found.body).toMatchObject({ delivered: 4 });
});

test.each([
  '2026-01-01',
  '2026-01-01/2026-01-01',
  '2026-01-02/2026-01-01',
  '2026-02-30/2026-03-01',
  '2026-01-01T00:00:00Z/2026-01-02T00:00:00Z',
  '2026-01-01/2026-04-04',
])('[N20] the range %s is refused', async (range) => {
  const { status, body } = await call(house, `GET /vendor/analytics/timings?date_range=${range}`, {
    token: vendor.key,
  });
  const isDates = /^\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d$/.test(range);
  expect([status, body['code']]).toEqual(isDates ? [422, 'impossible_value'] : [400, 'invalid_params']);
});

test('[N21] the timings have exact counts and means, and percentiles within 5 %', async () => {
  const { body } = await call(house, `GET /vendor/analytics/timings?${RANGE}`, { token: vendor.key });
  expect(body['transit']).toMatchObject({ count: 3, mean_s: 300 });
  const { p50_s: median } = body['transit'] as { p50_s: number };
  expect(Math.abs(median / 300 - 1)).toBeLessThan(0.05);
  expect(body['wait']).toEqual({ count: 0, mean_s: null, p50_s: null, p90_s: null });
});

test('[N22] costs add up by location and by category', async () => {
  const costs = async (query: string, token = vendor.key) =>
    (await call(house, `GET /vendor/analytics/delivery-costs?${RANGE}&${query}`, { token })).body.data;
  const row = { currency: 'EUR', location_id: null, category: null };
  expect(await costs('group_by=location')).toEqual([{ ...row, location_id: locationId, deliveries: 3, charged: 1450 }]);
  const byCategory = [
    { ...row, category: 'Food', deliveries: 2, charged: 900 },
    { ...row, category: 'Package', deliveries: 1, charged: 450 },
    { ...row, deliveries: 0, charged: 100 },
  ];
  expect(await costs('group_by=category')).toEqual(byCategory);
  expect(await costs(`group_by=category&location_id=${locationId}`)).toEqual(byCategory);
  expect(await costs(`group_by=location&location_id=${locationId}`)).toMatchObject([
    { location_id: locationId, charged: 1450 },
  ]);
});

test('[N23] a vendor reaches only its own deliveries, locations and mode', async () => {
  for (const name of ['success-rate', 'timings', 'delivery-costs', 'rider-performance']) {
    const foreign = { token: other.key };
    const mine = await call(house, `GET /vendor/analytics/${name}?${RANGE}`, foreign);
    expect([name, mine.status, mine.text.includes('450')]).toEqual([name, 200, false]);
    const named = await call(house, `GET /vendor/analytics/${name}?vendor_id=${vendor.id}`, foreign);
    expect([name, named.status, named.body['code']]).toEqual([name, 404, 'vendor_not_found']);
    const codes = await Promise.all(
      [locationId, newId('loc')].map(async (id) => {
        const { status, body } = await call(house, `GET /vendor/analytics/${name}?location_id=${id}`, foreign);
        return [status, body['code'], body['errors']];
      }),
    );
    expect(codes[0]).toEqual(codes[1]);
    expect(codes[0]?.slice(0, 2)).toEqual([404, 'location_not_found']);
    const live = await call(house, `GET /vendor/analytics/${name}?live_mode=true`, foreign);
    expect([name, live.status]).toEqual([name, 403]);
  }
});

test('[N23] staff see a vendor or the whole platform, in one mode at a time', async () => {
  const ask = (query: string) => call(house, `GET /vendor/analytics/success-rate?${RANGE}&${query}`, { token: staff });
  expect((await ask('live_mode=false')).body).toMatchObject({ delivered: 3, vendor_id: null });
  expect((await ask(`live_mode=false&vendor_id=${vendor.id}`)).body).toMatchObject({
    delivered: 3,
    vendor_id: vendor.id,
  });
  expect((await ask(`vendor_id=${vendor.id}`)).body).toMatchObject({ delivered: 0, live_mode: true, rate: null });
  expect((await ask(`vendor_id=${newId('ven')}`)).status).toBe(404);
  const costs = await call(house, 'GET /vendor/analytics/delivery-costs?group_by=location', { token: staff });
  expect(costs.status).toBe(422);
});

test('[N24] each answer is also a table, with quoted texts that are no formulas', async () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    call(house, `GET /vendor/analytics/${path}`, { token: vendor.key, headers });
  for (const answer of [
    await ask(`delivery-costs?${RANGE}&group_by=category&format=csv`),
    await ask(`delivery-costs?${RANGE}&group_by=category`, { accept: 'text/csv' }),
  ]) {
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="vendor-analytics-delivery-costs.csv"',
    );
    const rows = ['"Food","EUR",2,900', '"Package","EUR",1,450', ',"EUR",0,100', ''];
    expect(answer.text.split('\r\n')).toEqual(['"category","currency","deliveries","charged"', ...rows]);
  }
  expect((await ask('success-rate?format=json', { accept: 'text/csv' })).body).toMatchObject({
    object: 'success_rate',
  });
  expect((await ask(`success-rate?${RANGE}&format=csv`)).text).toContain('3,1,1,0.6,3');
  expect((await ask(`timings?${RANGE}&format=csv`)).text).toContain('"transit",3,300,');
  expect((await ask(`rider-performance?${RANGE}&format=csv`)).text).toContain(`"${courier.id}","Ada",3,1,1,,0,0`);
  expect((await ask('success-rate?format=xml')).status).toBe(400);
});

test('[N25] couriers are listed with most deliveries first, page by page', async () => {
  const idle = await addCourier(house);
  await end({ state: 'delivered', courierId: idle.id });
  await fold();
  const ask = (query: string) =>
    call(house, `GET /vendor/analytics/rider-performance?${RANGE}&${query}`, { token: vendor.key });
  const first = await ask('limit=1');
  expect(first.body.data).toMatchObject([
    { courier_id: courier.id, first_name: 'Ada', deliveries: 3, failed: 1, on_time_rate: 1 },
  ]);
  const second = await ask(`limit=1&cursor=${String(first.body['next_cursor'])}`);
  expect(second.body).toMatchObject({ data: [{ courier_id: idle.id, deliveries: 1 }], has_more: false });
  const table = (await ask('limit=1&format=csv')).text.split('\r\n');
  expect(table.slice(1).map((row) => row.split(',')[0])).toEqual([`"${courier.id}"`, `"${idle.id}"`, '']);
});

test('[N26] a courier and staff read the figures of the courier', async () => {
  const own = await call(house, `GET /couriers/${courier.id}/metrics?${RANGE}`, { token: courier.token });
  expect(own.body).toMatchObject({
    delivered: 3,
    failed: 1,
    success_rate: 0.75,
    on_time_rate: 1,
    acceptance_rate: null,
  });
  expect(own.body['completion']).toMatchObject({ count: 3, mean_s: 600 });
  const same = await call(house, `GET /couriers/${courier.id}/metrics?${RANGE}`, { token: staff });
  expect(same.body).toEqual(own.body);
  expect((await call(house, `GET /couriers/${newId('cou')}/metrics`, { token: staff })).status).toBe(404);
});
