import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { connectMongo } from '../../src/models/connect-mongo.ts';
import { SETTINGS } from '../../src/models/setting-shapes.ts';
import { LOCATIONS } from '../../src/models/vendors/vendor-shapes.ts';
import { CENTER } from '../builders.ts';
import { testEngines, type TestEngines } from '../engines.ts';
import { keptLog } from '../kept-ports.ts';
import { until } from '../until.ts';
import { call } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const DEMO = { DEMO_STREETS: 'on' };
const ROUTES = 'Valhalla finds routes';

async function start(engines: TestEngines, env: Record<string, string>): Promise<TestServer> {
  const server = await startServer(engines, env);
  onTestFinished(async () => void (await server.stop()));
  return server;
}

/** The order of the printed curl line. */
function printedOrder(server: TestServer): Record<'pickup' | 'drop_off', unknown> {
  const body = / -d '(\{.*\})'/.exec(server.output())?.[1] ?? '';
  return JSON.parse(body) as ReturnType<typeof printedOrder>;
}

async function consoleOf({ baseUrl }: TestServer): Promise<string> {
  return (await fetch(`${baseUrl}/console`)).text();
}

test('[E42] the delivery of the printed line has a way along the streets of the demo', async () => {
  const server = await start(testEngines('demo streets'), DEMO);
  await until(() => server.output().includes(ROUTES));
  const lines = server.output().split('\n');
  const lineOf = (text: string): number => lines.findIndex((line) => line.includes(text));
  expect(lineOf('ready in')).toBeLessThan(lineOf('Streets: '));
  const token = server.demo.vendor.api_key;
  let made: Record<string, unknown> = {};
  await until(async () => {
    ({ body: made } = await call(server.baseUrl, 'POST /express/deliveries', { token, body: printedOrder(server) }));
    return made['distance_source'] === 'route';
  });
  expect(made['distance_m']).toBeGreaterThan(3000);
  expect(made['distance_m']).toBeLessThan(4000);
  const { body: read } = await call(server.baseUrl, `GET /deliveries/${String(made['id'])}`, { token });
  expect(read['legs']).toHaveLength(1);
  expect(await consoleOf(server)).toMatch(/"tiles":"\/map\/\w+\.pmtiles"/);
});

test('[E41] a demo that was begun in another city stays there, with its phones and without streets', async () => {
  const at = testEngines('demo elsewhere');
  const mongo = await connectMongo(at.mongoUrl, keptLog());
  onTestFinished(() => mongo.close());
  const first = await start(at, {});
  await first.stop();
  const couriers = first.demo.couriers.map(({ id }, index) => ({ id, phone: `+491511234560${index}` }));
  await mongo
    .collection(SETTINGS)
    .updateOne({ _id: 'demo' }, { $set: { 'facts.center': CENTER, 'facts.couriers': couriers, isUnfinished: true } });
  await mongo.collection(LOCATIONS).deleteOne({ _id: first.demo.vendor.location_id });
  const second = await start(at, DEMO);
  expect(second.demo.center).toEqual(CENTER);
  expect(second.demo.couriers.map(({ phone }) => phone)).toEqual(couriers.map(({ phone }) => phone));
  const { status, body: made } = await call(second.baseUrl, 'POST /express/deliveries', {
    token: second.demo.vendor.api_key,
    body: printedOrder(second),
  });
  expect([status, (made['pickup'] as { coordinates: unknown }).coordinates]).toEqual([201, CENTER]);
  expect(await consoleOf(second)).not.toContain('.pmtiles');
  await second.stop();
  expect(existsSync(join(dirname(second.demoFile), 'streets'))).toBe(false);
});
