import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../src/domain/deliveries/events.ts';
import type { PresentedEvent } from '../../src/domain/views/present-event.ts';
import type { Snapshot } from '../../src/realtime/protocol.ts';
import { testEngines } from '../engines.ts';
import { until } from '../until.ts';
import { call, connect } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const engines = testEngines('crash-points');
let survivor: TestServer;
let victim: TestServer;

beforeAll(async () => {
  [survivor, victim] = [await startServer(engines), await startServer(engines)];
});
afterAll(async () => {
  await survivor.stop();
});

function listen(socket: Socket): PresentedEvent[] {
  const seen: PresentedEvent[] = [];
  for (const type of EVENT_TYPES) socket.on(type, (event: PresentedEvent) => seen.push(event));
  return seen;
}

/** The deliveries in the socket's snapshots: those born before its connection was complete. */
function listenToSnapshots(socket: Socket): Set<string> {
  const shown = new Set<string>();
  socket.on('snapshot', ({ delivery_id: id }: Snapshot) => shown.add(id));
  return shown;
}

function create(index: number): Promise<unknown> {
  const { lat, lng } = victim.demo.center;
  return call(victim.baseUrl, 'POST /express/deliveries', {
    token: victim.demo.vendor.api_key,
    body: {
      external_id: `crash-${index}`,
      pickup: { location_id: victim.demo.vendor.location_id },
      drop_off: [{ coordinates: { lat: lat + 0.01, lng }, contact: { name: 'Robin', phone: '+4915112345699' } }],
    },
  });
}

test('[Z3] the other servers send what a killed process committed, once and in order', async () => {
  const token = survivor.demo.vendor.api_key;
  const socket = await connect(survivor.baseUrl, '/vendor', { token });
  const [seen, shown] = [listen(socket), listenToSnapshots(socket)];
  const creating = Promise.allSettled(Array.from({ length: 40 }, (_, index) => create(index)));
  await until(() => seen.length > 5);
  await victim.kill();
  await creating;
  const created = (): string[] =>
    seen.filter(({ type }) => type === 'delivery.created').map((event) => event.delivery_id);
  let committed: string[] = [];
  // A commit in progress when the process died may land after a look at the list, so each look reads it again.
  await until(async () => {
    const { body } = await call(survivor.baseUrl, 'GET /deliveries?limit=100', { token });
    committed = (body['data'] as { id: string }[]).map(({ id }) => id);
    const told = new Set([...created(), ...shown]);
    return told.size === committed.length && committed.every((id) => told.has(id));
  });
  expect(committed.length).toBeGreaterThan(5);
  expect(created().toSorted()).toEqual([...new Set(created())].toSorted());
  socket.close();
});

test('[Z4] SIGTERM drains and ends with exit code 0', async () => {
  const server = await startServer(engines);
  const socket = await connect(server.baseUrl, '/vendor', { token: server.demo.vendor.api_key });
  const reasons: string[] = [];
  socket.on('disconnect', (reason) => reasons.push(reason));
  const drained = new Promise((resolve) => socket.once('drain', resolve));
  const code = server.stop();
  await until(async () => (await fetch(`${server.baseUrl}/readyz`).catch(() => null))?.status !== 200);
  await expect(drained).resolves.toMatchObject({ within_ms: expect.any(Number) });
  expect(await code).toBe(0);
  await until(() => reasons.length > 0);
  expect(reasons).not.toContain('io server disconnect');
});

test('[Z36] a server that stops beside another one accepts requests until a balancer has noticed', async () => {
  const [leaving, staying] = [await startServer(engines, { HTTP_LEAVE_REAL_MS: '3000' }), await startServer(engines)];
  const statusOf = async (path: string): Promise<number> => (await fetch(leaving.baseUrl + path)).status;
  const code = leaving.stop();
  // A closed port would throw.
  await until(async () => (await statusOf('/readyz')) === 503);
  expect(await statusOf('/healthz')).toBe(200);
  expect(await code).toBe(0);
  expect(await staying.stop()).toBe(0);
});
