import { expect, test } from 'vitest';
import { newId, type DeliveryId } from '../../../../src/domain/ids.ts';
import { DELIVERIES } from '../../../../src/models/deliveries/delivery-shape.ts';
import { COURIERS } from '../../../../src/models/couriers/courier-rows.ts';
import { aCourier } from '../../../builders.ts';
import { cardOf } from '../../../../src/domain/couriers/courier.ts';
import { addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';
import { advanceTest } from '../../../../src/dispatch/couriers/advance-test.ts';
import { anUnfitEntry, UNFIT } from '../../../models/audit/an-entry.ts';

const house = await openHouse('testing');
const vendor = await addVendor(house);
const other = await addVendor(house);
const ROBO = { test_specifications: { robo_courier_specification: { mode: 'auto' } } };

const advance = (id: string, to?: string, token = vendor.key) =>
  call(house, `POST /test/deliveries/${id}/advance`, { token, body: to === undefined ? {} : { to } });
const steps = async (id: string) =>
  (await call(house, `GET /test/deliveries/${id}/advance`, { token: vendor.key })).body['steps'];

/** A delivery that a robo-courier has just taken. */
async function carried(): Promise<DeliveryId> {
  const id = await addDelivery(house, vendor.key, ROBO);
  const courier = aCourier({ kind: 'robo', active: [id] });
  await house.mongo.collection(COURIERS).insertOne({ _id: courier.id, ...courier });
  const taken = { state: 'assigned' as const, courierId: courier.id, courier: cardOf(courier) };
  const now = house.ctx.clock.now();
  await house.mongo.collection(DELIVERIES).updateOne({ _id: id }, { $set: { ...taken, 'times.assignedAt': now } });
  return id;
}

test('[H287] a test is taken through its steps one by one, as its robo-courier', async () => {
  const id = await carried();
  expect(await steps(id)).toEqual(['arrived_at_pickup', 'picked_up']);
  const seen: unknown[] = [];
  for (let count = 0; count < 5; count += 1) {
    const { status, body } = await advance(id);
    expect(status).toBe(200);
    expect(replyOf('POST /test/deliveries/{id}/advance')?.safeParse(body).error).toBeUndefined();
    seen.push(body['stage'] ?? body['status']);
  }
  expect(seen).toEqual(['arrived_at_pickup', 'picked_up', 'en_route_to_drop_off', 'arrived_at_drop_off', 'delivered']);
  expect(await steps(id)).toEqual([]);
  const { body } = await call(house, `GET /deliveries/${id}/history`, { token: vendor.key });
  const last = body.data?.at(-1);
  expect(last).toMatchObject({ data: { actor: { type: 'courier' }, override_reason: 'advanced by a test' } });
});

test('[H288] only possible steps are taken; others are refused with those that are possible', async () => {
  const id = await carried();
  const early = await advance(id, 'delivered');
  expect(early.body).toMatchObject({
    status: 409,
    code: 'invalid_state_transition',
    metadata: { from: 'assigned', to: 'delivered', allowed: ['arrived_at_pickup', 'picked_up'] },
  });
  expect((await advance(id, 'picked_up')).body['status']).toBe('picked_up');
  expect((await advance(id, 'failed')).body).toMatchObject({
    status: 'failed',
    failure: { reason: 'customer_unavailable' },
  });
  expect((await advance(id)).status).toBe(409);
  const searching = await addDelivery(house, vendor.key, ROBO);
  expect(await steps(searching)).toEqual([]);
  expect((await advance(searching)).status).toBe(409);
});

test('[H289] only deliveries of a robo-courier can be advanced, by their vendor and staff', async () => {
  const plain = await addDelivery(house, vendor.key);
  expect((await advance(plain)).body).toMatchObject({ status: 409, code: 'robo_courier_required' });
  const live = await addVendor(house, true);
  const real = await addDelivery(house, live.key);
  expect((await advance(real, undefined, live.key)).body['code']).toBe('robo_courier_required');
  const id = await carried();
  for (const token of [other.key, live.key]) {
    expect((await advance(id, undefined, token)).body).toMatchObject({ status: 404, code: 'delivery_not_found' });
  }
  expect((await advance(newId('del'))).status).toBe(404);
  const staff = await addStaff(house, 'dispatcher');
  expect((await advance(id, undefined, staff)).status).toBe(200);
});

test('[A109] a step that staff take is stored together with its entry, or not at all', async () => {
  const id = await carried();
  const staff = await addStaff(house, 'dispatcher');
  const entries = async () => (await house.ctx.audit.list({ objectId: id }, { limit: 10, after: null })).items;
  const { audit } = house.ctx;
  const draft: typeof audit.draft = (audited) => anUnfitEntry(audit.draft(audited));
  const before = await house.ctx.deliveries.get(id);
  const broken = advanceTest({ ...house.ctx, audit: { ...audit, draft } }, before, null, { type: 'staff' });
  await expect(broken).rejects.toThrow(UNFIT);
  expect(await house.ctx.deliveries.get(id)).toStrictEqual(before);
  const headers = { 'idempotency-key': newId('req') };
  const body = { to: 'picked_up' };
  const take = () => call(house, `POST /test/deliveries/${id}/advance`, { token: staff, body, headers });
  // A repeat of the request takes no second step and makes no second entry.
  for (const _ of [1, 2]) expect((await take()).body['status']).toBe('picked_up');
  expect(await entries()).toMatchObject([
    {
      action: 'test.advance',
      actor: { type: 'staff' },
      changes: { state: { from: 'assigned', to: 'picked_up' }, step: { from: null, to: 'picked_up' } },
    },
  ]);
  expect((await advance(id)).status).toBe(200);
  expect(await entries()).toHaveLength(1);
});
