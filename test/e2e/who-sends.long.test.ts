import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { testEngines } from '../engines.ts';
import { openPort } from '../open-port.ts';
import { until } from '../until.ts';
import { call } from './client.ts';
import { startServer } from './servers.ts';

const engines = testEngines('who-sends');
/** Service time is so slow that a server looks for events that are left only every ten seconds. */
const SLOWEST = '0.1';
const SOON_MS = 2500;

test('[W73] a server sends the webhooks of what it stores at once, and not with its next look', async () => {
  const server = await startServer(engines, { CLOCK_SCALE: SLOWEST });
  onTestFinished(async () => void (await server.stop()));
  const arrivals: number[] = [];
  const receiver = createServer((request, answer) => {
    arrivals.push(performance.now());
    request.resume();
    answer.end();
  });
  const url = await openPort(receiver);
  onTestFinished(() => void receiver.close());
  const { vendor, center } = server.demo;
  const token = vendor.api_key;
  const webhook = { url, events: ['delivery.created'] };
  expect((await call(server.baseUrl, 'POST /webhooks', { token, body: webhook })).status).toBe(201);
  const body = {
    pickup: { location_id: vendor.location_id },
    drop_off: [
      { coordinates: { lat: center.lat + 0.01, lng: center.lng }, contact: { name: 'Robin', phone: '+4915112345699' } },
    ],
  };
  // One arrival could be that of a look, but not several in a row.
  const waits: number[] = [];
  for (let count = 1; count <= 4; count += 1) {
    expect((await call(server.baseUrl, 'POST /express/deliveries', { token, body })).status).toBe(201);
    const madeAt = performance.now();
    await until(() => arrivals.length === count);
    waits.push((arrivals.at(-1) ?? Infinity) - madeAt);
  }
  expect(Math.max(...waits)).toBeLessThan(SOON_MS);
});
