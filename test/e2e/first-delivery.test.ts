import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testEngines } from '../engines.ts';
import { ENVIRONMENT } from '../environment.ts';
import { until } from '../until.ts';
import { call } from './client.ts';
import { startServer, type TestServer } from './servers.ts';

const engines = testEngines('first-delivery');
let server: TestServer;

beforeAll(async () => {
  // The delivery takes a quarter of a minute of service time.
  server = await startServer(engines, { CLOCK_SCALE: '10' });
});
afterAll(async () => {
  await server.stop();
});

function run(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; text: string }> {
  const child = spawn(command, args, { env: { PATH: ENVIRONMENT['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}

test('[Z60] the metrics of a process count each delivery that it ends once, by its last state', async () => {
  const { vendor, center } = server.demo;
  const token = vendor.api_key;
  const contact = { name: 'Robin', phone: '+4915112345699' };
  const body = {
    pickup: { location_id: vendor.location_id },
    drop_off: [{ coordinates: { lat: center.lat + 0.01, lng: center.lng }, contact }],
  };
  const ended = async (): Promise<string[]> => {
    const { body: metrics } = await call(server.baseUrl, 'GET /metrics');
    return String(metrics['text'])
      .split('\n')
      .filter((line) => line.startsWith('deliveries_ended_total{'));
  };
  expect(await ended()).toEqual([]);
  for (let count = 1; count <= 2; count += 1) {
    const made = await call(server.baseUrl, 'POST /express/deliveries', { token, body });
    const cancel = `POST /express/deliveries/${String(made.body['id'])}/cancel`;
    for (let times = 0; times < 2; times += 1) await call(server.baseUrl, cancel, { token });
    expect(await ended()).toEqual([`deliveries_ended_total{state="canceled",mode="test"} ${count}`]);
  }
});

test('[H333] the document of a server names its address', async () => {
  const { body } = await call(server.baseUrl, 'GET /openapi.json');
  expect(body['servers']).toMatchObject([{ variables: { base_url: { default: server.baseUrl } } }]);
});

test(
  '[Z2] the printed curl line makes a delivery that completes by itself, with a page that shows it',
  { timeout: 300_000 },
  async () => {
    // The lines of the greeting arrive one by one, and this one comes after the line about readiness.
    const curlLine = (): string | undefined => /^ *curl .*(?=\n)/m.exec(server.output())?.[0];
    await until(() => curlLine() !== undefined);
    const { text } = await run('bash', ['-c', curlLine() ?? 'false']);
    const created = JSON.parse(text) as { id: string; status: string; tracking_url: string };
    expect(created.status).toBe('searching');
    const page = await fetch(created.tracking_url);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Demo Kitchen');
    const token = server.demo.vendor.api_key;
    await until(async () => {
      const { body } = await call(server.baseUrl, `GET /express/deliveries/${created.id}`, { token });
      return body['status'] === 'delivered';
    }, 180_000);
    // The history comes from what a majority has stored, and may be a moment behind the delivery.
    let events: { type: string; sequence: number }[] = [];
    await until(async () => {
      const { body } = await call(server.baseUrl, `GET /deliveries/${created.id}/history`, { token });
      events = body['data'] as typeof events;
      return events.at(-1)?.type === 'delivered';
    });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  },
);
