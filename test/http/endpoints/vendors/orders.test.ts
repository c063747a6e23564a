import { beforeAll, expect, test } from 'vitest';
import { aLocation } from '../../../builders.ts';
import { addVendor, call, DROP_OFF, openHouse } from '../../house.ts';
import { replyOf, wrongProblem } from '../../routes.ts';

const house = await openHouse('orders');
const ROUTE = 'POST /vendor/orders/{order_id}/dispatch';
let vendor: { id: `ven_${string}`; key: string };
let service: string;
let body: Record<string, unknown>;

beforeAll(async () => {
  vendor = await addVendor(house);
  service = await house.ctx.credentials.issueInternal('orders', 600);
  const location = aLocation({ vendorId: vendor.id });
  await house.ctx.vendors.addLocation(location);
  body = { location_id: location.id, drop_off: [DROP_OFF] };
});

const dispatch = (order: string, over: Record<string, unknown> = {}, token = vendor.key) =>
  call(house, ROUTE.replace('{order_id}', order), { token, body: { ...body, ...over } });

test('[H190] a vendor order becomes a delivery at its location, once', async () => {
  const first = await dispatch('A-1', { pickup: { instructions: 'Ring twice' } });
  expect(first.status).toBe(201);
  expect(replyOf(ROUTE)?.safeParse(first.body).error).toBeUndefined();
  expect(first.headers.get('location')).toBe(`/deliveries/${String(first.body['id'])}`);
  expect(first.body).toMatchObject({
    channel: 'order',
    order_id: 'A-1',
    external_id: null,
    pickup: { instructions: 'Ring twice', contact: { phone: expect.any(String) } },
  });
  const again = await dispatch('A-1', { pickup: { instructions: 'Ring twice' } });
  expect([again.status, again.body['id']]).toEqual([200, first.body['id']]);
  const other = await dispatch('A-1');
  expect(other.body).toMatchObject({ code: 'duplicate_delivery', metadata: { delivery_id: first.body['id'] } });
  expect([other.status, other.body['errors'], wrongProblem(other)]).toEqual([409, undefined, null]);
});

test('[H190] the path names the order, and its characters are limited', async () => {
  for (const [order, over, code, status] of [
    ['A-2', { external_id: 'A-2' }, 'unknown_field', 400],
    ['A-2', { channel: 'order' }, 'unknown_field', 400],
    ['A-2', { location_id: undefined }, 'invalid_params', 400],
    ['A%202', {}, 'order_not_found', 404],
    ['x'.repeat(65), {}, 'order_not_found', 404],
  ] as const) {
    const answer = await dispatch(order, over);
    expect([answer.status, answer.body['code'], wrongProblem(answer)]).toEqual([status, code, null]);
  }
});

test('[H487] each list finds all deliveries of an order by its id, as a filter and as a search', async () => {
  const first = (await dispatch('F-7')).body['id'];
  await call(house, `POST /deliveries/${String(first)}/cancel`, { token: vendor.key });
  const second = (await dispatch('F-7')).body['id'];
  await dispatch('F-8');
  const pickup = { location_id: body['location_id'] };
  const express = { pickup, drop_off: [DROP_OFF], external_id: 'F-7' };
  const third = (await call(house, 'POST /express/deliveries', { token: vendor.key, body: express })).body['id'];
  const found = async (query: string, token = vendor.key) =>
    (await call(house, `GET /deliveries?${query}`, { token })).body.data?.map(({ id }) => id);
  expect(await found('order_id=F-7')).toEqual([second, first]);
  expect(await found('order_id=F-7&status=canceled')).toEqual([first]);
  expect(await found('order_id=F-7&external_id=F-7')).toEqual([]);
  expect(await found('external_id=F-7')).toEqual([third]);
  expect(await found('q=F-7')).toEqual([third, second, first]);
  expect(await found('q=F-7&order_id=F-7')).toEqual([second, first]);
  expect(await found('q=F-7&order_id=F-8')).toEqual([]);
  const stranger = await addVendor(house);
  expect(await found('order_id=F-7', stranger.key)).toEqual([]);
  expect(await found(`order_id=F-7&vendor_id=${vendor.id}`, service)).toEqual([second, first]);
  expect(await call(house, 'GET /express/deliveries?order_id=F%207', { token: vendor.key })).toMatchObject({
    body: { code: 'invalid_params', errors: [{ pointer: '/order_id' }] },
  });
});

test('[H190] a service dispatches orders of the vendor that it names', async () => {
  expect((await dispatch('A-3', {}, service)).body).toMatchObject({ errors: [{ pointer: '/vendor_id' }] });
  const answer = await dispatch('A-3', { vendor_id: vendor.id }, service);
  expect(answer.body).toMatchObject({ vendor_id: vendor.id, order_id: 'A-3', live_mode: false });
  expect((await dispatch('A-3')).status).toBe(200);
});
