import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVENT_TYPES, type PresentedEvent } from '../../src/domain/events.ts';
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

test(
  '[Z3] what a killed process committed goes out through the others, once and in order',
  { timeout: 60_000 },
  async () => {
    const token = survivor.demo.vendor.api_key;
    const socket = await connect(survivor.baseUrl, '/vendor', { token });
    const seen = listen(socket);
    const creating = Promise.allSettled(Array.from({ length: 40 }, (_, index) => create(index)));
    await until(() => seen.length > 5);
    await victim.kill();
    await creating;
    const { body } = await call(survivor.baseUrl, 'GET /deliveries?limit=100', { token });
    const committed = (body['data'] as { id: string }[]).map(({ id }) => id);
    expect(committed.length).toBeGreaterThan(5);
    const created = (): string[] =>
      seen.filter(({ type }) => type === 'delivery.created').map((event) => event.delivery_id);
    await until(() => committed.every((id) => created().includes(id as never)));
    expect(created().toSorted()).toEqual(committed.toSorted());
    socket.close();
  },
);

test('[Z4] SIGTERM drains and ends with exit code 0', { timeout: 60_000 }, async () => {
  const server = await startServer(engines);
  const socket = await connect(server.baseUrl, '/vendor', { token: server.demo.vendor.api_key });
  const reasons: string[] = [];
  socket.on('disconnect', (reason) => reasons.push(reason));
  const drained = new Promise((resolve) => socket.once('drain', resolve));
  const code = server.stop();
  await expect(drained).resolves.toMatchObject({ within_ms: expect.any(Number) });
  expect(await code).toBe(0);
  await until(() => reasons.length > 0);
  expect(reasons).not.toContain('io server disconnect');
});
