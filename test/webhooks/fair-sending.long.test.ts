import { createServer, type Server } from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { newId, type RegistrationId, type VendorId } from '../../src/domain/ids.ts';
import { createWebhookStore } from '../../src/models/webhooks/webhook-store.ts';
import type { Metrics } from '../../src/ports/process.ts';
import { registerWebhook } from '../../src/webhooks/register-webhook.ts';
import { startSending, type Sending } from '../../src/webhooks/send-attempts.ts';
import { costsOf } from '../models/reading-costs.ts';
import { CLOCK, openHouse, QUIET, SETTINGS, storeDelivery } from '../engines/mongo-house.ts';
import { patient } from '../clock.ts';
import { until } from '../until.ts';
import { ATTEMPTS, REGISTRATIONS } from '../../src/models/webhooks/webhook-shapes.ts';

const house = await openHouse('fair-sending');
const store = createWebhookStore(house.mongo, Buffer.alloc(32, 7), patient(CLOCK), SETTINGS, house.audit);
const METRICS: Metrics = { count: () => {}, observe: () => {}, gauge: () => {}, text: () => Promise.resolve('') };
const RULES = { allowPrivate: true, resolve: async () => [], resolveNew: async () => [] };
// A receiver that never answers holds its place for so long.
const TRY_MS = 30_000;
const settings = { ...SETTINGS, webhooks: { ...SETTINGS.webhooks, totalRealMs: TRY_MS } };
const needs = { clock: CLOCK, settings, webhooks: store, log: QUIET, metrics: METRICS, receivers: RULES };

/** When each request came, by its path. */
const received = new Map<string, number[]>();
const receiver: Server = createServer((request, response) => {
  const path = request.url ?? '';
  received.set(path, [...(received.get(path) ?? []), performance.now()]);
  if (path.startsWith('/quick')) request.resume().on('end', () => response.writeHead(200).end());
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => receiver.closeAllConnections());

beforeEach(async () => {
  received.clear();
  for (const name of ['registrations', 'attempts', 'events', 'claims'] as const) {
    await house.mongo.db.collection(name).deleteMany({});
  }
});

/** Stops, and hangs up on behalf of the receivers that never answer. */
async function stop(sending: Sending): Promise<void> {
  let isStopped = false;
  const stopped = sending.stop().then(() => (isStopped = true));
  await until(() => {
    receiver.closeAllConnections();
    return isStopped;
  });
  await stopped;
}

const timesOf = (path: string): readonly number[] => received.get(path) ?? [];

async function register(path: string, vendorId: VendorId = newId('ven')): Promise<RegistrationId> {
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const asked = {
    url: `http://127.0.0.1:${port}${path}`,
    events: ['*'],
    description: null,
    ordering: 'best_effort' as const,
  };
  return (await registerWebhook(needs, asked, { vendorId, liveMode: false })).registration.id;
}

/** Makes so many attempts due for a registration, all of one event. */
async function owe(registrationId: RegistrationId, count: number, dueAt = CLOCK.now() - 1000): Promise<void> {
  const delivery = await storeDelivery(house, { vendorId: newId('ven') });
  const attempts = Array.from({ length: count }, (_, number) => ({
    _id: `${registrationId}:${number}`,
    attemptId: newId('att'),
    eventKey: `${delivery.id}:1`,
    eventId: newId('evt'),
    registrationId,
    state: 'due' as const,
    dueAt: dueAt + number / count,
    number: 0,
    claims: 0,
    log: [],
  }));
  await house.mongo.collection(ATTEMPTS).insertMany(attempts);
}

test('[W13] a claim reads no attempts of receivers that are at their limit', async () => {
  for (let number = 0; number < 9; number += 1) await owe(await register(`/slow/${number}`), 300);
  const healthy = await register('/quick');
  const sending = startSending(needs, RULES);
  await until(() => timesOf('/slow/8').length > 0);
  const costs = await costsOf(house.mongo, 'attempts', async () => {
    await owe(healthy, 40, CLOCK.now());
    await until(() => timesOf('/quick').length === 40);
  });
  await stop(sending);
  expect(costs.length).toBeGreaterThan(0);
  expect(costs.filter(({ docsExamined }) => docsExamined > 20)).toEqual([]);
});

test('[W14] slow receivers never take all places: others get through while they wait', async () => {
  const vendorId = newId('ven');
  for (let number = 0; number < 20; number += 1) await owe(await register(`/slow/${number}`, vendorId), 30);
  for (let number = 20; number < 40; number += 1) await owe(await register(`/slow/${number}`), 30);
  const healthy = await register('/quick');
  const sending = startSending(needs, RULES);
  await until(() => timesOf('/slow/0').length > 0);
  await owe(healthy, 100, CLOCK.now());
  await until(() => timesOf('/quick').length === 100);
  // Those that hang are still at their first tries.
  const slow = Array.from({ length: 40 }, (_, number) => timesOf(`/slow/${number}`).length);
  expect(Math.max(...slow)).toBe(1);
  await stop(sending);
});

test('[W14] registrations with much due take turns', async () => {
  const ids = [await register('/quick/1'), await register('/quick/2'), await register('/quick/3')];
  for (const id of ids) await owe(id, 200);
  const sending = startSending(needs, RULES);
  await until(() => ids.every((_, index) => timesOf(`/quick/${index + 1}`).length === 200));
  await stop(sending);
  const halves = ids.map((_, index) => timesOf(`/quick/${index + 1}`)[100] ?? Infinity);
  const ends = ids.map((_, index) => timesOf(`/quick/${index + 1}`).at(-1) ?? 0);
  expect(Math.max(...halves)).toBeLessThan(Math.min(...ends));
});

test('[W15] an attempt whose secret cannot be decrypted fails alone and is tried again after its step', async () => {
  const broken = await register('/quick/broken');
  const registrations = house.mongo.collection(REGISTRATIONS);
  await registrations.updateOne({ _id: broken }, { $set: { sealedSecret: Buffer.alloc(60, 1).toString('base64') } });
  await owe(broken, 3, CLOCK.now() - 2000);
  await owe(await register('/quick/whole'), 3);
  const sending = startSending(needs, RULES);
  await until(() => timesOf('/quick/whole').length === 3);
  const attempts = house.mongo.collection(ATTEMPTS);
  await until(
    async () => (await attempts.countDocuments({ registrationId: broken, 'log.0': { $exists: true } })) === 3,
  );
  await stop(sending);
  expect(timesOf('/quick/broken')).toEqual([]);
  const [row] = await attempts.find({ registrationId: broken }).toArray();
  expect(row?.dueAt).toBeGreaterThan(CLOCK.now());
  expect(row?.log).toMatchObject([{ status: null, error: expect.stringContaining('secret') as string }]);
});

test('[W16] many simultaneous registrations do not exceed the limit of an account', async () => {
  const vendorId = newId('ven');
  const most = SETTINGS.webhooks.registrations;
  const results = await Promise.allSettled(Array.from({ length: most + 5 }, () => register('/quick', vendorId)));
  const made = results.filter(({ status }) => status === 'fulfilled');
  expect(made).toHaveLength(most);
  expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))).toMatchObject(
    Array.from({ length: 5 }, () => ({ code: 'too_many_registrations' })),
  );
  expect(await house.mongo.collection(REGISTRATIONS).countDocuments({ vendorId })).toBe(most);
});
