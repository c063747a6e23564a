import { expect, test } from 'vitest';
import { newId } from '../../../../src/domain/ids.ts';
import { createPushSender } from '../../../../src/process/push/push-sender.ts';
import { forgetDevices } from '../../../../src/process/push/open-push.ts';
import { until } from '../../../until.ts';
import { addCourier, addStaff, call, openHouse } from '../../house.ts';
import { replyOf } from '../../routes.ts';

const house = await openHouse('devices');

type Person = Awaited<ReturnType<typeof addCourier>>;
const register = ({ id, token }: Person, deviceToken: string, over: object = {}) =>
  call(house, `POST /couriers/${id}/devices`, { token, body: { token: deviceToken, platform: 'android', ...over } });
const idsOf = async ({ id }: Person) => (await house.ctx.devices.listOf(id)).map((device) => device.id);

test('[H178] a device is registered, listed without its token, and removed', async () => {
  const courier = await addCourier(house);
  const made = await register(courier, 'token-of-a-phone', { app_version: '1.2.3', provider: 'fcm' });
  expect(made).toMatchObject({ status: 201, body: { object: 'device', platform: 'android', provider: 'fcm' } });
  expect(replyOf('POST /couriers/{id}/devices')?.safeParse(made.body).error).toBeUndefined();
  const again = await register(courier, 'token-of-a-phone', { app_version: '1.2.4' });
  expect(again.body['id']).toBe(made.body['id']);
  const listed = await call(house, `GET /couriers/${courier.id}/devices`, { token: courier.token });
  expect(replyOf('GET /couriers/{id}/devices')?.safeParse(listed.body).error).toBeUndefined();
  expect(listed.body.data).toMatchObject([{ id: made.body['id'], app_version: '1.2.4' }]);
  expect(listed.text).not.toContain('token-of-a-phone');
  const remove = (token: string, id = made.body['id']) =>
    call(house, `DELETE /couriers/${courier.id}/devices/${String(id)}`, { token });
  expect((await remove((await addCourier(house)).token)).body['code']).toBe('courier_not_found');
  expect((await remove(courier.token)).status).toBe(204);
  for (const id of [made.body['id'], newId('dev'), 'dev_x']) {
    expect(await remove(courier.token, id)).toMatchObject({ status: 404, body: { code: 'device_not_found' } });
  }
});

test('[A118] a device that staff remove is in the audit log, and one that its courier removes is not', async () => {
  const courier = await addCourier(house);
  const [admin, support] = [await addStaff(house, 'admin'), await addStaff(house, 'support')];
  const remove = async (token: string, id: unknown) =>
    (await call(house, `DELETE /couriers/${courier.id}/devices/${String(id)}`, { token })).status;
  const entries = async () =>
    (await call(house, `GET /audit?object=${courier.id}&action=device.remove`, { token: admin })).body.data;
  const { id } = (await register(courier, 'lost-phone')).body;
  expect([await remove(support, id), await remove(support, id)]).toEqual([204, 404]);
  const removal = { actor: { type: 'staff' }, live_mode: false, changes: { device_id: { from: id, to: null } } };
  expect(await entries()).toMatchObject([removal]);
  expect(await remove(courier.token, (await register(courier, 'old-phone')).body['id'])).toBe(204);
  expect(await entries()).toHaveLength(1);
});

test('[H179] a token belongs to the courier who registered it last, and a courier has five devices at most', async () => {
  const [first, second] = [await addCourier(house), await addCourier(house)];
  await register(first, 'shared-phone');
  const moved = await register(second, 'shared-phone');
  expect([await idsOf(first), await idsOf(second)]).toEqual([[], [moved.body['id']]]);
  for (let phone = 0; phone < 5; phone += 1) {
    expect((await register(second, `phone-number-${phone}`)).status).toBe(201);
  }
  const left = await idsOf(second);
  expect([left.length, left.includes(moved.body['id'] as (typeof left)[number])]).toEqual([5, false]);
  expect(await house.mongo.db.collection('devices').countDocuments({ courierId: second.id })).toBe(5);
  const many = Array.from({ length: 12 }, (_, phone) => register(first, `racing-phone-${phone}`));
  expect((await Promise.all(many)).map(({ status }) => status)).toEqual(many.map(() => 201));
  expect(await idsOf(first)).toHaveLength(5);
});

test('[H179] only the courier registers devices, with a token that a push service may give', async () => {
  const courier = await addCourier(house);
  const staff = await addStaff(house, 'admin');
  expect((await register({ ...courier, token: staff }, 'token-of-a-phone')).status).toBe(403);
  for (const token of ['short', 'with a space in it', 'x'.repeat(4097)]) {
    expect((await register(courier, token)).body).toMatchObject({ errors: [{ pointer: '/token' }] });
  }
});

test('[H180] a logout and a suspension end the devices of their sessions, before the next push at the latest', async () => {
  const [leaver, suspended] = [await addCourier(house), await addCourier(house)];
  for (const courier of [leaver, suspended]) await register(courier, `phone-of-${courier.id}`);
  expect((await call(house, 'POST /auth/logout', { token: leaver.token })).status).toBe(204);
  const staff = await addStaff(house, 'dispatcher');
  expect((await call(house, `POST /couriers/${suspended.id}/suspend`, { token: staff })).status).toBe(200);
  const sent: string[] = [];
  const fcm = {
    send: async ({ courierId }: { courierId: string }) => (sent.push(courierId), 'sent' as const),
    close: async () => undefined,
  };
  const push = createPushSender({ ...house.ctx, services: { fcm, webhook: null } });
  const at = { type: 'offer', offerId: newId('off'), deliveryId: newId('del'), ttlRealMs: 1000 } as const;
  for (const courier of [leaver, suspended]) await push.send({ ...at, courierId: courier.id });
  expect(sent).toEqual([]);
  expect([await idsOf(leaver), await idsOf(suspended)]).toEqual([[], []]);
  const told = await addCourier(house);
  await register(told, 'phone-of-another');
  const [device] = await house.ctx.devices.listOf(told.id);
  if (device !== undefined) await forgetDevices(house.ctx, new Set([device.sessionId]));
  await until(async () => (await idsOf(told)).length === 0);
});
