import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { DateRange } from '../../../../src/http/wire/date-range.ts';
import { deliveryRow } from '../../../../src/models/deliveries/delivery-rows.ts';
import { DELIVERIES } from '../../../../src/models/deliveries/delivery-shape.ts';
import { aDelivery, NOON } from '../../../builders.ts';
import { aCreate, addCourier, addDelivery, addStaff, addVendor, call, DROP_OFF, openHouse } from '../../house.ts';

const house = await openHouse('lists');
let vendor: { id: string; key: string };
let other: { id: string; key: string };
let staff: string;
const made: string[] = [];

beforeAll(async () => {
  vendor = await addVendor(house);
  other = await addVendor(house);
  staff = await addStaff(house, 'support');
  for (let count = 0; count < 5; count += 1) made.push(await addDelivery(house, vendor.key));
  await addDelivery(house, other.key);
});

const list = (query: string, token = vendor.key) => call(house, `GET /deliveries${query}`, { token });
const idsOf = (answer: Awaited<ReturnType<typeof list>>) => answer.body.data?.map(({ id }) => id);

test('[H24] pages list all items newest first, and the Link header leads to the next page', async () => {
  const seen: unknown[] = [];
  let path: string | undefined = '/deliveries?limit=2&status=searching';
  while (path !== undefined) {
    const page = await call(house, `GET ${path}`, { token: vendor.key });
    expect(page.body['object']).toBe('list');
    seen.push(...(idsOf(page) ?? []));
    path = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    expect(page.body['has_more']).toBe(path !== undefined);
  }
  expect(seen).toEqual(made.toReversed());
});

test('[H24] the Link header keeps all parameters, also those behind a second question mark', async () => {
  const { headers, body } = await list('?q=lovelace?&limit=1&status=searching');
  expect(body['has_more']).toBe(true);
  const next = new URLSearchParams(/\?(.+)>/.exec(headers.get('link') ?? '')?.[1]);
  expect([next.get('q'), next.get('limit'), next.get('status')]).toEqual(['lovelace?', '1', 'searching']);
});

test('[H25] a cursor that was forged or made for somebody else is refused', async () => {
  const page = await list('?limit=1');
  const cursor = String(page.body['next_cursor']);
  const [mark = '', mac = ''] = cursor.split('.');
  const forged = Buffer.from(JSON.stringify({ at: 0, id: 'del_x' })).toString('base64url');
  for (const bad of [`${forged}.${mac}`, mark, `${mark}.${mac.slice(1)}`, 'x', '.']) {
    const answer = await list(`?cursor=${bad}`);
    const isCursor = bad.includes('.') && bad !== '.';
    const [status, code] = isCursor ? [422, 'impossible_value'] : [400, 'invalid_params'];
    const problem = { status, code, errors: [{ pointer: '/cursor' }] };
    expect({ bad, ...answer.body }).toMatchObject({ bad, ...problem });
  }
  for (const token of [other.key, staff]) {
    expect((await list(`?cursor=${cursor}`, token)).status).toBe(422);
  }
  expect((await list(`?cursor=${cursor}`)).status).toBe(200);
});

test('[H26] limit is 1 to 100', async () => {
  for (const limit of ['0', '101', '-1', '1.5', 'x', '1&limit=2']) {
    const answer = await list(`?limit=${limit}`);
    expect([limit, answer.status, answer.body['code']]).toEqual([limit, 400, 'invalid_params']);
  }
});

test('[H50] a platform list can be narrowed by mode and by a search', async () => {
  expect(idsOf(await list('?live_mode=true', staff))).toEqual([]);
  expect(idsOf(await list('?live_mode=false', staff))).toHaveLength(6);
  expect(idsOf(await list(`?q=${made[2]}`, staff))).toEqual([made[2]]);
  expect(idsOf(await list(`?q=${made[2]}`, other.key))).toEqual([]);
  expect((await list('?q=a', staff)).status).toBe(422);
});

test('[H27] filters narrow: state in both spellings, vendor, range, channel of the express paths', async () => {
  expect(idsOf(await list('?status=cancelled'))).toEqual([]);
  await call(house, `POST /deliveries/${made[0]}/cancel`, { token: vendor.key });
  expect(idsOf(await list('?status=cancelled'))).toEqual([made[0]]);
  expect(idsOf(await list('?status=canceled,searching'))?.length).toBe(5);
  for (const status of ['gone', '', 'constructor']) {
    expect([status, (await list(`?status=${status}`)).status]).toEqual([status, 400]);
  }
  expect(idsOf(await list(`?vendor_id=${other.id}`, staff))?.length).toBe(1);
  expect(idsOf(await list('', staff))?.length).toBe(6);
  expect(idsOf(await list('?date_range=2026-01-01/2026-02-01'))).toEqual([]);
  // From the day of the first: by now it may be the next one.
  const born = (await list(`?q=${made[0]}`)).body.data?.[0]?.['created_at'];
  const day = String(born).slice(0, 10);
  const next = new Date(house.ctx.clock.now() + 86_400_000).toISOString();
  expect(idsOf(await list(`?date_range=${day},${next}`))?.length).toBe(5);
  const express = await call(house, 'GET /express/deliveries', { token: vendor.key });
  expect(express.body.data).toEqual([]);
});

test('[H285] each list filters by external id, courier and a search, for ended deliveries as well', async () => {
  const shop = await addVendor(house);
  const courier = await addCourier(house);
  const body = (over: Record<string, unknown>) => ({ token: shop.key, body: aCreate(over) });
  const first = (await call(house, 'POST /express/deliveries', body({ external_id: 'a-1' }))).body['id'];
  const contact = { name: 'Émile Zola', phone: '+4930654399' };
  const zola = { ...DROP_OFF, address: '5 Rue Verte', contact };
  const second = (await call(house, 'POST /express/deliveries', body({ drop_off: zola }))).body['id'];
  const boss = await addStaff(house, 'dispatcher');
  await call(house, `PATCH /couriers/${courier.id}/status`, { token: courier.token, body: { status: 'online' } });
  const assign = { delivery_id: first, courier_id: courier.id };
  expect((await call(house, 'POST /dispatch/assign', { token: boss, body: assign })).status).toBe(200);
  await call(house, `POST /deliveries/${String(second)}/cancel`, { token: shop.key });
  for (const path of ['/deliveries', '/express/deliveries']) {
    const found = async (query: string, token = shop.key) =>
      idsOf(await call(house, `GET ${path}?${query}`, { token }));
    expect(await found('external_id=a-1')).toEqual([first]);
    expect(await found(`courier_id=${courier.id}`)).toEqual([first]);
    expect(await found('q=emile%20verte')).toEqual([second]);
    expect(await found('q=emile&status=canceled')).toEqual([second]);
    expect(await found('q=654399&status=searching')).toEqual([]);
    expect(await found('external_id=a-1', vendor.key)).toEqual([]);
    expect(await found(`courier_id=${courier.id}`, vendor.key)).toEqual([]);
  }
  expect(idsOf(await list(`?courier_id=${courier.id}`, staff))).toEqual([first]);
});

test('[H482] a list of a courier shows a vendor nothing of their other work, in no page and no cursor', async () => {
  const [shop, courierId] = [await addVendor(house), newId('cou')];
  // The shop has three deliveries of the courier, far apart among those of other vendors and its own live ones.
  const carried = Array.from({ length: 120 }, (_, age) => {
    const isOwn = age % 50 === 10;
    const isLive = age % 50 === 20;
    return aDelivery({
      courierId,
      vendorId: isOwn || isLive ? shop.id : newId('ven'),
      liveMode: isLive,
      channel: age === 60 ? 'express' : 'dashboard',
      state: age === 110 ? 'failed' : 'delivered',
      times: { createdAt: NOON - age },
    });
  });
  const rows = carried.map((delivery) => deliveryRow(delivery, house.ctx.settings));
  await house.mongo.collection(DELIVERIES).insertMany(rows);
  const own = carried.filter(({ vendorId, liveMode }) => vendorId === shop.id && !liveMode).map(({ id }) => id);
  expect(own).toHaveLength(3);
  const pagesOf = async (route: string) => {
    const pages: unknown[] = [];
    for (let cursor = ''; ;) {
      const page = await call(house, `GET ${route}limit=1&courier_id=${courierId}${cursor}`, { token: shop.key });
      const next = page.body['next_cursor'];
      const mark = typeof next === 'string' ? Buffer.from(next.split('.')[0] ?? '', 'base64url').toString() : null;
      pages.push([idsOf(page), mark === null ? null : (JSON.parse(mark) as { id: string }).id]);
      if (typeof next !== 'string') return pages;
      cursor = `&cursor=${next}`;
    }
  };
  expect(await pagesOf('/deliveries?')).toEqual([
    [[own[0]], own[0]],
    [[own[1]], own[1]],
    [[own[2]], null],
  ]);
  expect(await pagesOf('/deliveries?status=failed&')).toEqual([[[own[2]], null]]);
  expect(await pagesOf('/express/deliveries?')).toEqual([[[own[1]], null]]);
});

test.each([
  ['2026-01-01/2026-04-03', true],
  ['2026-01-01,2026-01-02', true],
  ['2199-12-01/2200-01-01', true],
  ['9999-12-27/9999-12-31', false],
  ['1999-12-31/2000-01-02', false],
  ['2026-01-01T00:00:00Z/2026-01-01T00:00:01+01:00', false],
  ['2026-01-01T00:00:00Z/2026-01-01T12:00:00+01:00', true],
  ['2026-01-01/2026-04-04', false],
  ['2026-01-01/2026-01-01', false],
  ['2026-02-30/2026-03-01', false],
  ['2026-01-01', false],
  ['2026-01-01/2026-01-02/2026-01-03', false],
  ['/', false],
])('[H28] the range %s is accepted: %s', (text, isTaken) => {
  expect(DateRange.safeParse(text).success).toBe(isTaken);
});
