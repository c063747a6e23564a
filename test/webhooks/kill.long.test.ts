import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { call } from '../e2e/client.ts';
import { startServer, type TestServer } from '../e2e/servers.ts';
import { testEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';

const engines = testEngines('webhook-kill');
// A lease of at least four seconds of machine time: a killed server has no time to end its try.
const ENVIRONMENT = { CLOCK_SCALE: '5', WEBHOOKS_TOTAL_REAL_MS: '2000', WEBHOOKS_LEASE_MS: '5000' };
const received: string[] = [];
let isAnswering = false;
const receiver = createServer((request, response) => {
  received.push(String(request.headers['webhook-id']));
  if (isAnswering) response.writeHead(200).end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

async function order({ baseUrl, demo }: TestServer): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  const token = demo.vendor.api_key;
  const webhook = { url: `http://127.0.0.1:${port}/`, events: ['delivery.created'] };
  expect((await call(baseUrl, 'POST /webhooks', { token, body: webhook })).status).toBe(201);
  const { lat, lng } = demo.center;
  const dropOff = {
    coordinates: { lat: lat + 0.01, lng },
    contact: { name: 'Robin', phone: '+4915112345699' },
  };
  const body = { pickup: { location_id: demo.vendor.location_id }, drop_off: [dropOff] };
  expect((await call(baseUrl, 'POST /express/deliveries', { token, body })).status).toBe(201);
}

test('[W11] a server that is killed in the middle of a try leaves it to the next one, and all ten tries with it', async () => {
  const kills = 2;
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = await startServer(engines, ENVIRONMENT);
    if (kill === 0) await order(victim);
    await until(() => received.length > kill);
    await victim.kill();
  }
  isAnswering = true;
  const survivor = await startServer(engines, ENVIRONMENT);
  await until(() => received.length > kills);
  await survivor.stop();
  expect(new Set(received).size).toBe(1);
  const mongo = await connectMongo(engines.mongoUrl, keptLog());
  const rows = await mongo.db.collection('attempts').find().toArray();
  await mongo.close();
  expect(rows).toMatchObject([{ state: 'done', number: 1, claims: 1, log: [{ status: 200 }] }]);
});
