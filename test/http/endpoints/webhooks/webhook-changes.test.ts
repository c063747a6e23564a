import { beforeEach, expect, test } from 'vitest';
import type { RegistrationId } from '../../../../src/domain/ids.ts';
import { REGISTRATIONS } from '../../../../src/models/webhooks/webhook-shapes.ts';
import { addVendor, call, openHouse } from '../../house.ts';

const house = await openHouse('webhook-changes');
const url = 'https://orders.example/hook';
let vendor: Awaited<ReturnType<typeof addVendor>>;
let id: RegistrationId;

beforeEach(async () => {
  vendor = await addVendor(house);
  const { body } = await call(house, 'POST /webhooks', { token: vendor.key, body: { url, events: ['*'] } });
  id = body['id'] as RegistrationId;
});

const on = (route: string, body?: Record<string, unknown>) => {
  const [verb = '', rest = ''] = route.split(' ');
  return call(house, `${verb} /webhooks/${id}${rest}`, { token: vendor.key, ...(body === undefined ? {} : { body }) });
};

test('[W41] a late 410 of an earlier address does not disable the new one', async () => {
  await on('PATCH', { url: `${url}/new` });
  await house.ctx.webhooks.disable({ id, vendorId: vendor.id, url }, 'gone');
  expect((await on('GET')).body).toMatchObject({ status: 'enabled' });
});

test('[W68] another rotation leaves the old secret its time, unless it asks for no overlap', async () => {
  const rows = house.mongo.collection(REGISTRATIONS);
  const rotate = async (hours: number) => (await on('POST /rotate-secret', { overlap_hours: hours })).status;
  const count = async () => (await house.ctx.webhooks.secretsOf({ id, vendorId: vendor.id, liveMode: false }))?.length;
  expect([await rotate(1), await count()]).toEqual([200, 2]);
  const before = await rows.findOne({ _id: id });
  const until = new Date(before?.oldSecret?.until ?? 0).toISOString();
  const again = await on('POST /rotate-secret', { overlap_hours: 1 });
  expect([again.status, again.body]).toMatchObject([
    409,
    { code: 'webhook_secret_overlap', metadata: { old_secret_until: until } },
  ]);
  expect(await rows.findOne({ _id: id })).toEqual(before);
  expect([await rotate(0), await count()]).toEqual([200, 1]);
  expect(await rotate(1)).toBe(200);
  await rows.updateOne({ _id: id }, { $set: { 'oldSecret.until': Date.now() - 1 } });
  expect(await rotate(1)).toBe(200);
});

test('[W43] a test call says that the secret cannot be decrypted', async () => {
  await house.mongo.collection(REGISTRATIONS).updateOne({ _id: id }, { $set: { sealedSecret: 'damaged' } });
  const { status, body } = await on('POST /test');
  expect([status, body]).toMatchObject([200, { status: null, error: expect.stringContaining('WEBHOOK_KEY') }]);
});

test('[W44] a replay reaches back only as far as attempts are kept', async () => {
  const attemptsMs = house.ctx.settings.retention.attemptsMs;
  const { replayMostMs } = house.ctx.settings.webhooks;
  const own = await openHouse('webhook-replay', (settings) => ({
    ...settings,
    retention: { ...settings.retention, attemptsMs: Math.min(attemptsMs, replayMostMs) / 2 },
  }));
  const { key: token } = await addVendor(own);
  const made = await call(own, 'POST /webhooks', { token, body: { url, events: ['*'] } });
  const ask = (share: number) => {
    const since = new Date(Date.now() - share * own.ctx.settings.retention.attemptsMs).toISOString();
    return call(own, `POST /webhooks/${String(made.body['id'])}/replay`, { token, body: { since } });
  };
  expect([(await ask(0.9)).status, (await ask(1.1)).status]).toEqual([202, 422]);
});

test('[W66] a vendor chooses the order of a webhook, which is best effort by default', async () => {
  expect((await on('GET')).body).toMatchObject({ ordering: 'best_effort' });
  expect((await on('PATCH', { ordering: 'per_delivery' })).body).toMatchObject({ ordering: 'per_delivery' });
  expect((await on('PATCH', { description: 'till' })).body).toMatchObject({ ordering: 'per_delivery' });
  const { body: log } = await call(house, `GET /audit?object=${id}`, { token: vendor.key });
  expect(log).toMatchObject({
    data: [{}, { changes: { ordering: { from: 'best_effort', to: 'per_delivery' } } }, {}],
  });
  const ordered = { url, events: ['*'], ordering: 'per_delivery' };
  const made = await call(house, 'POST /webhooks', { token: vendor.key, body: ordered });
  expect([made.status, made.body]).toMatchObject([201, { ordering: 'per_delivery' }]);
  expect(await on('PATCH', { ordering: 'any' })).toMatchObject({ status: 400 });
});
