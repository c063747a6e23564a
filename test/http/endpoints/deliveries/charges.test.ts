import { expect, test } from 'vitest';
import { assignCourier } from '../../../../src/dispatch/offers/assign-courier.ts';
import { pickUp } from '../../../../src/dispatch/deliveries/advance-delivery.ts';
import { setAvailability } from '../../../../src/dispatch/couriers/set-availability.ts';
import type { DeliveryId } from '../../../../src/domain/ids.ts';
import { asInternal, asStaff } from '../../../callers.ts';
import { fillWallets } from '../../../funds.ts';
import { addCourier, addPoorVendor, aCreate, call, openHouse } from '../../house.ts';
import { replyOf, wrongProblem } from '../../routes.ts';

const house = await openHouse('charges');
const { ctx } = house;

test('[J62] a wallet without money answers 402 on both paths, and the same request works once it has some', async () => {
  const vendor = await addPoorVendor(house);
  const headers = { 'idempotency-key': 'same-for-both' };
  for (const path of ['/deliveries', '/express/deliveries']) {
    const poor = await call(house, `POST ${path}`, { token: vendor.key, body: aCreate(), headers });
    expect(poor.body).toMatchObject({ status: 402, code: 'insufficient_funds', retryable: false });
    expect(wrongProblem(poor)).toBeNull();
  }
  expect((await call(house, 'GET /deliveries', { token: vendor.key })).body['data']).toEqual([]);
  await fillWallets(ctx, vendor);
  const rich = await call(house, 'POST /deliveries', { token: vendor.key, body: aCreate(), headers });
  expect(rich.status).toBe(201);
  const { fee, hold, charge } = rich.body;
  expect([hold, charge]).toEqual([fee, null]);
});

test('[H488] a wallet without money learns how much must be available', async () => {
  const vendor = await addPoorVendor(house);
  const asVendor = (route: string, body: unknown) => call(house, route, { token: vendor.key, body });
  const { body: quote } = await asVendor('POST /express/quotes', aCreate());
  const fee = Number(quote['fee']);
  const currency = String(quote['currency']);
  const poor = await asVendor('POST /deliveries', aCreate({ tip: 120 }));
  const needed = fee + 120;
  expect(poor.body).toMatchObject({
    status: 402,
    detail: `The wallet must have ${needed} minor units of ${currency} available for this, and it has less. No money has moved.`,
    metadata: { needed, currency },
  });
  expect(wrongProblem(poor)).toBeNull();
});

test('[J68] vendor and staff see hold and charge, in answers and events, and a courier sees neither', async () => {
  const vendor = await addPoorVendor(house);
  await fillWallets(ctx, vendor);
  const asVendor = (route: string, body?: unknown) =>
    call(house, route, { token: vendor.key, ...(body === undefined ? {} : { body }) });
  const { body: born } = await asVendor('POST /deliveries', aCreate({ tip: 120 }));
  const id = String(born['id']) as DeliveryId;
  const fee = Number(born['fee']);
  expect(born).toMatchObject({ hold: fee + 120, customer_fee: fee, vendor_net_cost: 0, platform_share: 0 });
  const courier = await addCourier(house);
  await setAvailability(ctx, { courierId: courier.id, availability: 'online' }, asStaff());
  const hand = { deliveryId: id, courierId: courier.id, offerId: null, overrideReason: 'by hand' };
  await assignCourier(ctx, hand, asInternal());
  await pickUp(ctx, { deliveryId: id, overrideReason: 'by hand' }, asStaff());
  const seen = await call(house, `GET /deliveries/${id}`, { token: courier.token });
  expect(JSON.stringify(seen.body)).not.toMatch(/"(fee|hold|charge|tip|customer_fee|platform_share)"/);

  const route = 'GET /deliveries/{id}/cancel-preview';
  const preview = await asVendor(`${route.replace('{id}', id)}?reason=duplicate`);
  expect(replyOf(route)?.safeParse(preview.body).error).toBeUndefined();
  const back = Math.round(fee * 0.6);
  const lines = [
    { type: 'cancellation', amount: fee, tax: 0 },
    { type: 'return', amount: back, tax: 0 },
  ];
  const terms = { fee: fee + back, breakdown: lines, refund: 0, policy_rule: 'after_pickup' };
  expect(preview.body).toMatchObject(terms);
  const cancel = (accept: number) =>
    asVendor(`POST /deliveries/${id}/cancel`, { reason: 'duplicate', accept_fee: accept });
  const refused = await cancel(fee + back - 1);
  expect(refused.body).toMatchObject({ status: 409, code: 'cancellation_fee_changed', metadata: { fee: fee + back } });
  expect(wrongProblem(refused)).toBeNull();
  const charge = { amount: fee + back, breakdown: lines };
  expect((await cancel(fee + back)).body).toMatchObject({ cancellation: { fee: fee + back }, charge });
  const [last] = (await ctx.eventLog.list(id, 0, 100)).slice(-1);
  expect(last).toMatchObject({ type: 'canceled', data: { delivery: { charge, hold: fee + 120 } } });
});
