import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startSending } from '../../../../src/webhooks/send-attempts.ts';
import { CLAIMS } from '../../../../src/models/claim-shape.ts';
import { REGISTRATIONS } from '../../../../src/models/webhooks/webhook-shapes.ts';
import { until } from '../../../until.ts';
import { addDelivery, addStaff, addVendor, call, openHouse } from '../../house.ts';
import { openPort } from '../../../open-port.ts';

type Got = { readonly headers: IncomingHttpHeaders; readonly text: string; readonly body: Record<string, unknown> };

const house = await openHouse('webhook-http');
const got: Got[] = [];
let status = 200;
const receiver = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    got.push({ headers: request.headers, text, body: JSON.parse(text) as Got['body'] });
    response.writeHead(status).end('told');
  });
});
const url = `${await openPort(receiver)}/`;
const sending = startSending(house.ctx, house.ctx.receivers);
afterAll(async () => {
  await sending.stop();
  receiver.closeAllConnections();
  receiver.close();
});

let vendor: Awaited<ReturnType<typeof addVendor>>;
let id: string;
let secret: string;

beforeEach(async () => {
  status = 200;
  got.length = 0;
  vendor = await addVendor(house);
  const body = { url, events: ['*'] };
  const made = await call(house, 'POST /webhooks', { token: vendor.key, body });
  id = String(made.body['id']);
  secret = String(made.body['secret']);
});

const on = (route: string, body?: Record<string, unknown>, token = vendor.key) => {
  const [verb = '', rest = ''] = route.split(' ');
  return call(house, `${verb} /webhooks/${id}${rest}`, { token, ...(body === undefined ? {} : { body }) });
};

/** Wakes the sender until this is true. */
const sent = (check: () => boolean | Promise<boolean>) =>
  until(() => {
    sending.wake();
    return check();
  });

test('[W40] a vendor reads, changes and removes its webhook; to all others it is absent', async () => {
  const changed = await on('PATCH', { events: ['delivered', 'canceled'], description: 'till' });
  expect(changed.body).toMatchObject({ id, events: ['delivered', 'canceled'], description: 'till', status: 'enabled' });
  expect((await on('GET')).body).toEqual(changed.body);
  expect(changed.text).not.toContain('whsec_');
  const live = await house.ctx.credentials.addVendorKey(vendor.id, true);
  for (const token of [(await addVendor(house)).key, live.key]) {
    for (const route of ['GET', 'PATCH', 'DELETE', 'POST /test', 'POST /rotate-secret', 'GET /attempts']) {
      const answer = await on(route, route === 'PATCH' ? { description: 'x' } : undefined, token);
      expect([route, answer.status, answer.body['code']]).toEqual([route, 404, 'webhook_not_found']);
    }
  }
  const places = house.mongo.collection(CLAIMS);
  expect(await places.countDocuments({ holder: id })).toBe(1);
  expect((await on('DELETE')).status).toBe(204);
  expect([(await on('GET')).status, (await on('DELETE')).status]).toEqual([404, 404]);
  expect(await places.countDocuments({ holder: id })).toBe(0);
  const log = await call(house, `GET /audit?object=${id}`, { token: vendor.key });
  expect(log.body.data?.map(({ action }) => action)).toEqual(['webhook.remove', 'webhook.change', 'webhook.register']);
  expect(log.text).not.toContain('whsec_');
});

test('[W40] a removed webhook gets no further try of a due attempt', async () => {
  status = 500;
  const delivery = await addDelivery(house, vendor.key);
  await sent(() => got.length === 1);
  await sent(async () => (await on('GET /attempts')).body.data?.[0]?.['tries'] === 1);
  await on('DELETE');
  await house.mongo.db.collection('attempts').updateMany({ registrationId: id }, { $set: { dueAt: 0 } });
  await sent(async () => (await house.mongo.db.collection('attempts').countDocuments({ state: 'due' })) === 0);
  expect([got.length, got[0]?.body['delivery_id']]).toEqual([1, delivery]);
});

test('[W41] a receiver that answers 410 disables its webhook; enabled again it gets what a replay sends', async () => {
  status = 410;
  await addDelivery(house, vendor.key);
  await sent(async () => (await on('GET')).body['status'] === 'disabled');
  expect((await on('GET')).body).toMatchObject({ disabled_reason: 'the receiver answered 410' });
  const list = async (query: string) => (await call(house, `GET /webhooks${query}`, { token: vendor.key })).body.data;
  expect([await list(''), (await list('?status=all'))?.length]).toEqual([[], 1]);
  status = 200;
  const missed = await addDelivery(house, vendor.key);
  await sent(async () => (await house.mongo.db.collection('events').countDocuments({ webhooks: 'due' })) === 0);
  const since = new Date(Date.now() - 60_000).toISOString();
  expect((await on('POST /replay', { since })).body['code']).toBe('webhook_disabled');
  expect((await on('PATCH', { status: 'enabled' })).body).toMatchObject({ status: 'enabled', disabled_at: null });
  expect(got).toHaveLength(1);
  const replay = await on('POST /replay', { since });
  expect([replay.status, replay.body]).toEqual([202, { object: 'webhook_replay', due: 2, next_since: null }]);
  await sent(() => got.length === 3);
  expect(got.map(({ body }) => body['delivery_id'])).toContain(missed);
});

test('[W42] after a rotation both secrets sign, and without an overlap only the new one', async () => {
  const next = await on('POST /rotate-secret', { overlap_hours: 1 });
  const fresh = String(next.body['secret']);
  await addDelivery(house, vendor.key);
  await sent(() => got.length === 1);
  const [{ headers, text }] = got as [Got];
  const at = String(headers['webhook-timestamp']);
  const mac = (key: string) => createHmac('sha256', key).update(`${at}.${text}`).digest('hex');
  expect(headers['x-service-signature']).toBe(`t=${at},v1=${mac(fresh)},v1=${mac(secret)}`);
  const standard = (key: string) => {
    const bytes = Buffer.from(key.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', bytes)
      .update(`${String(headers['webhook-id'])}.${at}.${text}`)
      .digest('base64')}`;
  };
  expect(headers['webhook-signature']).toBe(`${standard(fresh)} ${standard(secret)}`);
  await on('POST /rotate-secret', { overlap_hours: 0 });
  await on('POST /test');
  expect(String(got.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  const row = await house.mongo.collection(REGISTRATIONS).findOne({ _id: id as never });
  expect(JSON.stringify(row)).not.toContain(fresh);
});

test('[W43] a test call answers with what the receiver answered, and stores nothing', async () => {
  const fine = await on('POST /test');
  expect([fine.status, fine.body]).toMatchObject([200, { status: 200, error: null, response: 'told' }]);
  expect(got[0]?.body).toMatchObject({ type: 'webhook.test', live_mode: false, vendor_id: vendor.id });
  expect(got[0]?.headers['x-service-signature']).toContain('v1=');
  status = 500;
  expect((await on('POST /test')).body).toMatchObject({ status: 500, error: 'answered 500' });
  expect((await on('GET /attempts')).body.data).toEqual([]);
  const closed = await on('PATCH', { url: 'http://127.0.0.1:9/' });
  expect([closed.status, (await on('POST /test')).body['status']]).toEqual([200, null]);
});

test('[W72] an attempt names the type of its event, as long as the event is kept', async () => {
  await addDelivery(house, vendor.key);
  const isSent = { state: 'succeeded', type: 'delivery.created' };
  await expect.poll(async () => (await on('GET /attempts')).body.data).toMatchObject([isSent]);
  await house.mongo.db.collection('events').deleteOne({ id: String(got[0]?.body['id']) } as never);
  expect((await on('GET /attempts')).body.data).toMatchObject([{ type: null }]);
});

test('[W44] a replay sends one event again with the same id, and nothing that is foreign or too old', async () => {
  await addDelivery(house, vendor.key);
  await sent(() => got.length === 1);
  await sent(async () => (await on('GET /attempts?state=succeeded')).body.data?.length === 1);
  const eventId = String(got[0]?.body['id']);
  expect((await on('POST /replay', { event_id: eventId })).body).toMatchObject({ due: 1, next_since: null });
  await sent(() => got.length === 2);
  expect(got[1]?.body['id']).toBe(eventId);
  // A replay by time leaves out events that were received.
  await sent(async () => (await on('GET /attempts?state=succeeded')).body.data?.length === 1);
  const since = new Date(Date.now() - 60_000).toISOString();
  expect((await on('POST /replay', { since })).body).toMatchObject({ due: 0 });
  const stranger = await addVendor(house);
  await addDelivery(house, stranger.key);
  const foreign = await call(house, 'GET /events', { token: stranger.key });
  const other = await on('POST /replay', { event_id: String(foreign.body.data?.[0]?.['id']) });
  expect([other.status, other.body['code']]).toEqual([404, 'event_not_found']);
  for (const body of [{}, { since, event_id: eventId }, { since: '2020-01-01T00:00:00Z' }]) {
    expect((await on('POST /replay', body)).status).toBe(422);
  }
});

test('[W44] a replay of many events stops at its limit and says where to go on', async () => {
  for (let at = 0; at < 5; at += 1) await addDelivery(house, vendor.key);
  await sent(() => got.length === 5);
  await sent(async () => (await on('GET /attempts?state=succeeded')).body.data?.length === 5);
  await house.mongo.db.collection('attempts').updateMany({ registrationId: id }, { $set: { state: 'failed' } });
  const owner = { id: id as never, vendorId: vendor.id, liveMode: false };
  const registration = await house.ctx.webhooks.find(owner);
  if (registration === null) throw new Error('the registration is stored');
  let due = 0;
  let since: string | null = new Date(Date.now() - 60_000).toISOString();
  for (let turns = 0; since !== null && turns < 10; turns += 1) {
    const { made, nextSince } = await house.ctx.webhooks.replaySince(registration, since, 3);
    due += made;
    since = nextSince;
  }
  expect([due, since]).toEqual([5, null]);
});

test('[W45] attempts are listed by state with their tries, newest first', async () => {
  status = 500;
  const first = await addDelivery(house, vendor.key);
  await sent(async () => (await on('GET /attempts?state=due')).body.data?.[0]?.['tries'] === 1);
  status = 200;
  await addDelivery(house, vendor.key);
  await sent(async () => (await on('GET /attempts?state=succeeded')).body.data?.length === 1);
  const page = await on('GET /attempts?limit=1');
  expect(page.body).toMatchObject({ has_more: true, data: [{ state: 'succeeded', next_at: null }] });
  const link = /<(.+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  const [old] = (await call(house, `GET ${link}`, { token: vendor.key })).body.data ?? [];
  expect(old).toMatchObject({
    state: 'due',
    tries: 1,
    log: [{ status: 500, error: 'answered 500', response: 'told' }],
  });
  const event = await call(house, `GET /events/${String(old?.['event_id'])}`, { token: vendor.key });
  expect(event.body['delivery_id']).toBe(first);
});

test('[W46] a vendor lists and reads its own events as its webhooks get them', async () => {
  const [one, two] = [await addDelivery(house, vendor.key), await addDelivery(house, vendor.key)];
  await call(house, `POST /deliveries/${one}/cancel`, { token: vendor.key, body: {} });
  await sent(() => got.length === 3);
  const list = async (query: string, token = vendor.key) => {
    const answer = await call(house, `GET /events?${query}`, { token });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return answer;
  };
  const about = (answer: Awaited<ReturnType<typeof list>>) =>
    answer.body.data?.map(({ type, delivery_id: of }) => [type, of]);
  const all = [
    ['canceled', one],
    ['delivery.created', two],
    ['delivery.created', one],
  ];
  expect(about(await list(''))).toEqual(all);
  expect(about(await list('type=canceled'))).toEqual(all.slice(0, 1));
  expect(about(await list(`delivery_id=${one}`))).toEqual([all[0], all[2]]);
  expect(about(await list('date_range=2020-01-01/2020-02-01'))).toEqual([]);
  const first = await list('limit=1');
  await addDelivery(house, vendor.key);
  const second = await call(house, `GET ${/<(.+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''}`, {
    token: vendor.key,
  });
  expect(about(second)).toEqual([all[1]]);
  const eventId = String(first.body.data?.[0]?.['id']);
  const read = await call(house, `GET /events/${eventId}`, { token: vendor.key });
  expect(read.body).toEqual(got.find(({ body }) => body['id'] === eventId)?.body);
  const live = await house.ctx.credentials.addVendorKey(vendor.id, true);
  for (const token of [(await addVendor(house)).key, live.key]) {
    expect(about(await list('', token))).toEqual([]);
    expect((await call(house, `GET /events/${eventId}`, { token })).body['code']).toBe('event_not_found');
  }
  const admin = await addStaff(house, 'admin');
  expect((await call(house, 'GET /events', { token: admin })).status).toBe(403);
});
