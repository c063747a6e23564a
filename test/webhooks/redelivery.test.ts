import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DomainEvent } from '../../src/domain/deliveries/events.ts';
import { newId, type VendorId } from '../../src/domain/ids.ts';
import { createWebhookStore } from '../../src/models/webhooks/webhook-store.ts';
import type { Metrics } from '../../src/ports/process.ts';
import { defaultSettings } from '../../src/settings.ts';
import { registerWebhook } from '../../src/webhooks/register-webhook.ts';
import { startSending } from '../../src/webhooks/send-attempts.ts';
import { keptLog } from '../kept-ports.ts';
import { CLOCK, openHouse, QUIET, storeDelivery, type House } from '../engines/mongo-house.ts';
import { until } from '../until.ts';
import { EVENTS_LOG } from '../../src/models/deliveries/events/event-rows.ts';
import { ATTEMPTS } from '../../src/models/webhooks/webhook-shapes.ts';
import { anUnfitEntry, UNFIT } from '../models/audit/an-entry.ts';

type Received = { id: string; signature: string; body: string };

const SETTINGS = defaultSettings();
const METRICS: Metrics = { count: () => {}, observe: () => {}, gauge: () => {}, text: () => Promise.resolve('') };
const RULES = { allowPrivate: true, resolve: async () => [], resolveNew: async () => [] };
const KEY = Buffer.alloc(32, 7);

const house = await openHouse('webhooks');
const store = createWebhookStore(house.mongo, KEY, CLOCK, SETTINGS, house.audit);
let receiver: Server;
let received: Received[] = [];
let answer: { status: number; headers?: Record<string, string> } = { status: 200 };

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({
        id: String(request.headers['webhook-id']),
        signature: String(request.headers['x-service-signature']),
        body,
      });
      response.writeHead(answer.status, answer.headers).end('thanks');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  received = [];
  answer = { status: 200 };
});
afterAll(() => {
  receiver.close();
});

function needs() {
  return { clock: CLOCK, settings: SETTINGS, webhooks: store, log: QUIET, metrics: METRICS, receivers: RULES };
}

function hostOf(): string {
  const address = receiver.address();
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

async function register(vendorId: VendorId, events: readonly string[] = ['*']) {
  return registerWebhook(
    needs(),
    { url: `http://${hostOf()}/`, events, description: null, ordering: 'best_effort' as const },
    { vendorId, liveMode: false },
  );
}

test('[W9] each event reaches each registration of its vendor and mode that wants it, signed, once', async () => {
  const vendorId = newId('ven');
  const { secret } = await register(vendorId);
  await register(vendorId, ['delivered']);
  await register(newId('ven'));
  const sending = startSending(needs(), RULES);
  const delivery = await storeDelivery(house, { vendorId });
  await until(() => received.length > 0);
  await sending.stop();
  expect(received).toHaveLength(1);
  const [{ body, signature }] = received as [Received];
  const event = JSON.parse(body) as DomainEvent;
  expect(event).toMatchObject({ type: 'delivery.created', delivery_id: delivery.id, sequence: 1 });
  expect(event.data.delivery?.id).toBe(delivery.id);
  expect(body).not.toContain('"route"');
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
});

test('[C8] a signature carries the wall time, whatever the service time is', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  const wall = (): number => Date.UTC(2031, 4, 6, 7, 8, 9);
  const clock = { ...CLOCK, real: { ...CLOCK.real, wall } };
  const sending = startSending({ ...needs(), clock }, RULES);
  await storeDelivery(house, { vendorId });
  await until(() => received.length > 0);
  await sending.stop();
  expect(received[0]?.signature).toContain(`t=${wall() / 1000},`);
});

test('[W10] fanning out again makes no second attempt', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  const { id } = await storeDelivery(house, { vendorId });
  await Promise.all([store.fanOut(100), store.fanOut(100)]);
  await house.mongo.collection(EVENTS_LOG).updateMany({}, { $set: { webhooks: 'due' } });
  await store.fanOut(1000);
  const rows = await house.mongo
    .collection(ATTEMPTS)
    .find({ eventKey: `${id}:1` })
    .toArray();
  expect(rows).toHaveLength(1);
});

test('[W10] a row that fails beside one that is there already keeps its event due', async () => {
  const vendorId = newId('ven');
  const { registration: failing } = await register(vendorId);
  const { registration: kept } = await register(vendorId);
  const { id } = await storeDelivery(house, { vendorId });
  const rows = house.mongo.collection(ATTEMPTS);
  const eventKey = `${id}:1`;
  const validator = { registrationId: { $ne: failing.id } };
  await house.mongo.db.command({ collMod: 'attempts', validator });
  await expect(store.fanOut(1000)).rejects.toThrow('validation');
  expect(await rows.countDocuments({ eventKey, registrationId: kept.id })).toBe(1);
  // Now the first error of the write is the row that is there, and the second one the row that fails.
  await expect(store.fanOut(1000)).rejects.toThrow('duplicate key');
  await house.mongo.db.command({ collMod: 'attempts', validator: {} });
  await store.fanOut(1000);
  expect(await rows.countDocuments({ eventKey })).toBe(2);
});

test('[W11] if a sender dies before it records a try, the attempt is sent again with the same event id', async () => {
  const vendorId = newId('ven');
  const { registration } = await register(vendorId);
  await house.mongo.collection(ATTEMPTS).deleteMany({});
  await storeDelivery(house, { vendorId });
  await store.fanOut(100);
  const now = CLOCK.now();
  const claim = async (at: number) =>
    (await store.claimDue(registration.id, { now: at, leaseMs: 60_000, limit: 10 })).attempts;
  const [first] = await claim(now);
  expect(first?.number).toBe(1);
  expect(await claim(now)).toEqual([]);
  const [second] = await claim(now + 90_000);
  expect(second?.eventId).toBe(first?.eventId);
  expect(second?.number).toBe(1);
});

test('[W12] a failed try is due again after its step; a redirect is not followed; a gone receiver gets no more', async () => {
  const vendorId = newId('ven');
  await register(vendorId);
  const rows = house.mongo.collection(ATTEMPTS);
  await rows.deleteMany({});
  const log = keptLog();
  answer = { status: 302, headers: { location: 'http://127.0.0.1:1/' } };
  // Stands until it is moved: the step of 5 s would be over before a machine that stalls has looked.
  let now = CLOCK.now() + 3_600_000;
  const sending = startSending({ ...needs(), log, clock: { ...CLOCK, now: () => now } }, RULES);
  await storeDelivery(house, { vendorId });
  await until(async () => (await rows.findOne({ number: 1, 'log.0': { $exists: true } })) !== null);
  const row = await rows.findOne({});
  expect(row?.state).toBe('due');
  expect(row?.log).toMatchObject([{ status: 302, error: 'answered 302', response: 'thanks' }]);
  expect(row?.dueAt).toBeGreaterThan(now);
  expect(log.lines.map(({ fields }) => fields)).toMatchObject([{ attempt_number: 1, status: 302, url_host: hostOf() }]);
  answer = { status: 410 };
  now = row?.dueAt ?? 0;
  sending.wake();
  await until(async () => (await rows.findOne({ state: 'failed' })) !== null);
  await sending.stop();
  expect(received).toHaveLength(2);
  expect(new Set(received.map(({ id }) => id)).size).toBe(1);
});

test('[A109] a replay is stored together with its entry, or not at all, also while events are fanned out', async () => {
  const vendorId = newId('ven');
  const { registration } = await register(vendorId);
  const { id } = registration;
  for (let at = 0; at < 12; at += 1) await storeDelivery(house, { vendorId });
  const since = new Date(0).toISOString();
  const made = () => house.mongo.collection(ATTEMPTS).countDocuments({ registrationId: id });
  const draft: House['audit']['draft'] = (audited) => anUnfitEntry(house.audit.draft(audited));
  const broken = createWebhookStore(house.mongo, KEY, CLOCK, SETTINGS, { ...house.audit, draft });
  await expect(broken.replaySince(registration, since, 1000)).rejects.toThrow(UNFIT);
  expect(await made()).toBe(0);
  const replays = Array.from({ length: 4 }, () => store.replaySince(registration, since, 1000));
  await Promise.all([...replays, store.fanOut(1000), store.fanOut(1000)]);
  expect(await made()).toBe(12);
  const due = (await Promise.all(replays)).reduce((sum, replay) => sum + replay.made, 0);
  const { items } = await house.audit.list({ objectId: id, action: 'webhook.replay' }, { limit: 10, after: null });
  const told = items.reduce((sum, { changes }) => sum + Number(changes['due']?.to), 0);
  expect([told, due <= 12]).toEqual([due, true]);
  await house.mongo.collection(ATTEMPTS).updateMany({ registrationId: id }, { $set: { state: 'failed' } });
  expect(await store.replaySince(registration, since, 1000)).toEqual({ made: 12, nextSince: null });
});
