import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { ENTRIES, HOLDS } from '../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../src/models/ledger/verify-ledger.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { call, logIn, type Answer, type Options } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const SERVERS = 4;
const SPENDS = 200;
const FUNDED = 50;
const REPEATS = 100;
const PATIENCE_MS = 120_000;

const engines = testEngines('spend-races');
let servers: TestServer[] = [];

beforeAll(async () => {
  // The first one makes the demo.
  servers = [await startServer(engines, { CLOCK_SCALE: '10' })];
  for (let more = 1; more < SERVERS; more += 1) servers.push(await startServer(engines, { CLOCK_SCALE: '10' }));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

/** The server whose turn it is. */
function serverOf(index: number): TestServer {
  const server = servers[index % servers.length];
  if (server === undefined) throw new Error('the servers run');
  return server;
}

/** Adds a vendor without money. Returns its key. */
async function addShop(): Promise<string> {
  const { baseUrl, demo } = serverOf(0);
  const staff = await logIn(baseUrl, demo.staff);
  const { body: shop } = await call(baseUrl, 'POST /vendors', { token: staff, body: { name: 'Corner Shop' } });
  const key = { vendor_id: shop['id'], live_mode: false, name: 'races' };
  const { status, body } = await call(baseUrl, 'POST /vendor/api-keys', { token: staff, body: key });
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body['key']);
}

/** Tops up a wallet through the sandbox, and waits for the money. */
async function fund(token: string, amount: number): Promise<void> {
  const { baseUrl } = serverOf(0);
  const { body } = await call(baseUrl, 'POST /wallets/fund', { token, body: { amount } });
  await call(baseUrl, `POST ${new URL(String(body['authorization_url'])).pathname}/pay`);
  await until(async () => (await call(baseUrl, 'GET /wallets/balance', { token })).body['available'] === amount);
}

function anOrder(): Record<string, unknown> {
  const { lat, lng } = serverOf(0).demo.center;
  const contact = { name: 'Robin', phone: '+4915112345699' };
  return {
    pickup: { coordinates: { lat, lng }, contact },
    drop_off: [{ coordinates: { lat: lat + 0.01, lng }, contact }],
  };
}

/** How often each status was answered. */
function countStatuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Sends so many requests at once, to the servers in turn. One that a busy machine could not answer is sent again. */
function sendAll(count: number, route: string, optionsOf: (index: number) => Options): Promise<Answer[]> {
  const sendOne = async (index: number): Promise<Answer> => {
    let answer: Answer | undefined;
    await until(async () => {
      answer = await call(serverOf(index).baseUrl, route, optionsOf(index));
      return answer.body['code'] !== 'idempotency_in_progress';
    });
    return answer as Answer;
  };
  return Promise.all(Array.from({ length: count }, (_, index) => sendOne(index)));
}

test('[J250] of 200 deliveries created at once on four servers with money for 50, exactly 50 are created', async () => {
  const token = await addShop();
  const quoted = await call(serverOf(0).baseUrl, 'POST /express/quotes', { token, body: anOrder() });
  const fee = Number(quoted.body['fee']);
  // The last two digits of an amount select the behaviour of the sandbox. With 00 it is a sound gateway.
  const amount = Math.ceil((FUNDED * fee) / 100) * 100;
  expect(fee).toBeGreaterThan(100);
  await fund(token, amount);
  // With its key, a repeated request has no second effect.
  const keyOf = (index: number) => ({ 'idempotency-key': `spend-${index}` });
  const answers = await sendAll(SPENDS, 'POST /deliveries', (index) => ({
    token,
    headers: keyOf(index),
    body: anOrder(),
  }));
  expect(countStatuses(answers)).toEqual({ 201: FUNDED, 402: SPENDS - FUNDED });
  const refused = answers.filter(({ status }) => status === 402);
  expect(new Set(refused.map(({ body }) => body['code']))).toEqual(new Set(['insufficient_funds']));
  const { body: balance } = await call(serverOf(1).baseUrl, 'GET /wallets/balance', { token });
  expect(balance).toMatchObject({ available: amount - FUNDED * fee, held: FUNDED * fee });
  const { body: list } = await call(serverOf(2).baseUrl, 'GET /deliveries?limit=100', { token });
  expect(list['data']).toHaveLength(FUNDED);
});

test('[J251] 100 requests with one key on four servers top up once, and make one delivery that is charged once', async () => {
  const token = await addShop();
  const headers = { 'idempotency-key': 'one' };
  const amount = 100_000;
  const started = await sendAll(REPEATS, 'POST /wallets/fund', () => ({ token, headers, body: { amount } }));
  expect(countStatuses(started)).toEqual({ 202: REPEATS });
  const [topUp, ...others] = new Map(started.map(({ body }) => [body['id'], body])).values();
  expect(others).toEqual([]);
  await sendAll(REPEATS, `POST ${new URL(String(topUp?.['authorization_url'])).pathname}/pay`, () => ({}));
  const { baseUrl } = serverOf(0);
  await until(async () => (await call(baseUrl, 'GET /wallets/balance', { token })).body['available'] === amount);

  const test_specifications = { robo_courier_specification: { mode: 'auto', time_scale: 1000 } };
  const body = { ...anOrder(), test_specifications };
  const created = await sendAll(REPEATS, 'POST /deliveries', () => ({ token, headers, body }));
  expect(countStatuses(created)).toEqual({ 201: REPEATS });
  const [delivery, ...more] = new Map(created.map((answer) => [answer.body['id'], answer.body])).values();
  expect(more).toEqual([]);
  const id = String(delivery?.['id']);
  const state = async () => (await call(baseUrl, `GET /deliveries/${id}`, { token })).body['status'];
  await until(async () => (await state()) === 'delivered', PATIENCE_MS);

  const { body: balance } = await call(baseUrl, 'GET /wallets/balance', { token });
  expect(balance).toMatchObject({ available: amount - Number(delivery?.['fee']), held: 0 });
  const mongo = await connectMongo(engines.mongoUrl, keptLog());
  const booked = await mongo
    .collection(ENTRIES)
    .find({ about: { $in: [id, String(topUp?.['id'])] } })
    .toArray();
  expect(booked.map(({ kind }) => kind).toSorted()).toEqual(['charge', 'top_up']);
  expect(await mongo.collection(HOLDS).countDocuments({ about: id })).toBe(1);
  expect(await verifyLedger(mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
  await mongo.close();
});
