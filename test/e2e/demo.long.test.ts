import { existsSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { testEngines, type TestEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { call, logIn } from './client.ts';
import { runSource } from './commands.ts';
import { PRODUCTION } from './production.ts';
import { startProcess, startServer, type TestServer } from './servers.ts';
import { AUDIT } from '../../src/models/audit-shapes.ts';
import { SETTINGS } from '../../src/models/setting-shapes.ts';
import { LOCATIONS } from '../../src/models/vendors/vendor-shapes.ts';

const engines = testEngines('demo');

function operate(...args: string[]): ReturnType<typeof runSource> {
  return runSource('operator', args, environmentOf(engines));
}

function environmentOf({ mongoUrl, redisUrl, keyPrefix }: TestEngines): Record<string, string> {
  return { MONGO_URL: mongoUrl, REDIS_URL: redisUrl, REDIS_PREFIX: keyPrefix };
}

/** Adds a vendor with money. Returns its key. */
async function addShop(): Promise<string> {
  const { out } = await operate('add-vendor', '--name', 'Corner Shop');
  const { vendor_id: vendor, api_key: key } = JSON.parse(out) as { vendor_id: string; api_key: string };
  const why = ['--reason', 'test', '--reference', 'test'];
  expect((await operate('adjust-wallet', '--vendor', vendor, '--amount', '100.00', ...why)).code).toBe(0);
  return key;
}

async function order({ baseUrl, demo }: TestServer, token: string): Promise<string> {
  const contact = { name: 'Robin', phone: '+4915112345699' };
  const { lat, lng } = demo.center;
  const { status, body } = await call(baseUrl, 'POST /deliveries', {
    token,
    body: {
      pickup: { coordinates: demo.center, contact },
      drop_off: [{ coordinates: { lat: lat + 0.01, lng }, contact }],
      external_id: 'order-1',
    },
  });
  expect(status).toBe(201);
  return String(body['id']);
}

/**
 * The rows of the database that hold one of the words, as `collection: word`. The audit log and the ledger keep what was
 * done.
 */
async function mentions(words: readonly string[]): Promise<string[]> {
  const mongo = await connectMongo(engines.mongoUrl, keptLog());
  try {
    const all = (await mongo.db.listCollections().toArray()).map(({ name }) => name);
    const names = all.filter((name) => name !== AUDIT.name && !name.startsWith('ledger_'));
    const found = names.map(async (name) => {
      const text = JSON.stringify(await mongo.db.collection(name).find().toArray());
      return words.filter((word) => text.includes(word)).map((word) => `${name}: ${word}`);
    });
    return (await Promise.all(found)).flat();
  } finally {
    await mongo.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('[Z40] production does not start on a database with a demo until an operator has removed the demo', async () => {
  const ownKey = await addShop();
  const server = await startServer(engines);
  const { vendor, couriers, staff } = server.demo;
  const demoDelivery = await order(server, vendor.api_key);
  const ownDelivery = await order(server, ownKey);
  const webhook = { url: 'http://127.0.0.1:1/hook', events: ['*'] };
  expect((await call(server.baseUrl, 'POST /webhooks', { token: vendor.api_key, body: webhook })).status).toBe(201);
  await logIn(server.baseUrl, { phone: couriers[0]?.phone ?? '' });
  await logIn(server.baseUrl, staff);
  await call(server.baseUrl, `POST /deliveries/${demoDelivery}/cancel`, { token: vendor.api_key, body: {} });
  await until(async () => (await mentions([vendor.id])).includes(`roll_ups: ${vendor.id}`));
  expect(await server.stop()).toBe(0);

  const refused = await runSource('main', [], { ...environmentOf(engines), ...PRODUCTION, PORT: '0' });
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(JSON.parse(refused.err)).toMatchObject({
    msg: 'This database contains the demo. Run `npm run operator -- remove-demo`, then start again.',
  });

  const words = [
    vendor.id,
    vendor.location_id,
    staff.email,
    demoDelivery,
    ...couriers.flatMap(({ id, phone }) => [id, phone]),
  ];
  expect((await mentions(words)).length).toBeGreaterThan(words.length);
  const told = await operate('remove-demo');
  expect(told).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(told.out)).toMatchObject({
    removed: {
      vendors: 1,
      locations: 1,
      vendor_keys: 1,
      registrations: 1,
      staff: 1,
      sessions: 2,
      couriers: 3,
      deliveries: 1,
      settings: 1,
    },
  });
  expect(await mentions(words)).toEqual([]);
  expect(await mentions([ownDelivery])).toContain(`deliveries: ${ownDelivery}`);
  expect(await operate('remove-demo')).toMatchObject({ code: 2, out: '' });

  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const started = await startProcess(engines, { ...PRODUCTION, PORT: String(port) }, () => address);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect(await started.stop()).toBe(0);
});

test('[Z41] while a courier of the demo has a delivery of another vendor, the demo cannot be removed', async () => {
  const server = await startServer(engines);
  const ownKey = await addShop();
  const { couriers, staff } = server.demo;
  const [courier] = couriers;
  const token = await logIn(server.baseUrl, { phone: courier?.phone ?? '' });
  const online = { token, body: { status: 'online' } };
  expect((await call(server.baseUrl, `PATCH /couriers/${courier?.id}/status`, online)).status).toBe(200);
  const id = await order(server, ownKey);
  const assigned = await call(server.baseUrl, 'POST /dispatch/assign', {
    token: await logIn(server.baseUrl, staff),
    body: { delivery_id: id, courier_id: courier?.id },
  });
  expect(assigned.status).toBe(200);
  await server.stop();
  const told = await operate('remove-demo');
  expect(told).toMatchObject({ code: 2, out: '' });
  expect(told.err).toContain(id);
  expect(await mentions([staff.email])).toContain(`staff: ${staff.email}`);
});

test('[Z44] the next start completes a demo that was cut short', async () => {
  const at = testEngines('demo-cut-short');
  const mongo = await connectMongo(at.mongoUrl, keptLog());
  onTestFinished(() => mongo.close());
  const first = await startServer(at);
  const { vendor, staff, couriers } = first.demo;
  await first.stop();
  const settings = mongo.collection(SETTINGS);
  await settings.updateOne({ _id: 'demo' }, { $set: { isUnfinished: true } });
  await mongo.collection(LOCATIONS).deleteOne({ _id: vendor.location_id });
  const second = await startServer(at);
  expect(second.demo).toMatchObject({ vendor: { id: vendor.id, location_id: vendor.location_id }, staff, couriers });
  await order(second, second.demo.vendor.api_key);
  await logIn(second.baseUrl, staff);
  await second.stop();
});

test('[J160] the wallet of the demo is filled once, however often and in however many processes the server starts', async () => {
  const at = testEngines('demo-wallet');
  const funds: unknown[] = [];
  for (let start = 1; start <= 2; start += 1) {
    const servers = await Promise.all([startServer(at), startServer(at)]);
    for (const { baseUrl, demo } of servers) {
      const { body } = await call(baseUrl, 'GET /wallets/balance', { token: demo.vendor.api_key });
      funds.push(body['available']);
    }
    await Promise.all(servers.map((server) => server.stop()));
  }
  expect(funds).toEqual(Array.from({ length: 4 }, () => 100_000_000));
  const told = await runSource('operator', ['verify-ledger'], environmentOf(at));
  expect(JSON.parse(told.out)).toMatchObject({ ok: true, entries: 1, accounts: 1 });
});

test('[Z42] each installation has its own demo password, and only this machine reaches its server', async () => {
  const [here, open] = await Promise.all([
    startServer(testEngines('demo-here')),
    startServer(testEngines('demo-open'), { HOST: '0.0.0.0' }),
  ]);
  expect(here.demo.staff.email).toBe(open.demo.staff.email);
  expect(here.demo.staff.password).not.toBe(open.demo.staff.password);
  expect(here.demo.staff.password).toMatch(/^[0-9A-Za-z]{20}$/);
  await logIn(here.baseUrl, here.demo.staff);
  const byNetwork = ({ baseUrl }: TestServer) => fetch(`http://${ownAddress()}:${new URL(baseUrl).port}/healthz`);
  await expect(byNetwork(here)).rejects.toThrow('fetch failed');
  expect((await byNetwork(open)).status).toBe(200);
  await Promise.all([here.stop(), open.stop()]);
});

/**
 * An address through which other machines would reach this one. On Linux every loopback address but the first acts like
 * one.
 */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flat();
  return all.find((each) => each?.family === 'IPv4' && !each.internal)?.address ?? '127.0.0.2';
}

test('[Z38] a server is ready only when its demo is', async () => {
  const port = await freePort();
  const dataDir = mkdtempSync(join(inject('scratch'), 'ready-'));
  const environment = { PORT: String(port), DATA_DIR: dataDir };
  const server = await startProcess(testEngines('demo-ready'), environment, () => `http://127.0.0.1:${port}`);
  expect(existsSync(join(dataDir, 'demo.json'))).toBe(true);
  expect(await server.stop()).toBe(0);
});
