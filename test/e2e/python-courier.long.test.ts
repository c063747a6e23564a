import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTcpProxy } from '../../load-tests/engines/tcp-proxy.ts';
import { createClient } from '../../packages/client/src/client.ts';
import { ENVIRONMENT } from '../environment.ts';
import { installFromPyPi } from '../pypi.ts';
import { until } from '../until.ts';
import { EXAMPLES, startDemo, WHOLE_LIFE } from './start-demo.ts';

const VERSION = '5.18.1';

test('[T56] a courier app with the Python client of Socket.IO delivers with a PIN over a connection that is cut', async () => {
  const packages = await installFromPyPi('python-socketio[client]', VERSION);
  const { fleet, demoFile, address } = await startDemo('python-courier');
  const proxy = await openTcpProxy({ port: Number(new URL(address).port), host: '127.0.0.1' });
  onTestFinished(() => proxy.close());
  const base = `http://127.0.0.1:${proxy.port}`;
  const env = { ...ENVIRONMENT, PYTHONPATH: packages, PYTHONUNBUFFERED: '1', DEMO_FILE: demoFile, BASE_URL: base };
  const app = spawn('python3', [join(EXAMPLES, 'courier_app.py')], { env });
  onTestFinished(() => void app.kill('SIGKILL'));
  let output = '';
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const connections = (): number => output.split('connected\n').length - 1;
  await until(() => connections() === 1);

  const client = createClient({ baseUrl: address, credential: fleet.facts.vendor.api_key });
  const { lat, lng } = fleet.facts.center;
  const contact = { name: 'Robin', phone: '+4915112345678' };
  const { id } = await client.express.create({
    pickup: { coordinates: { lat, lng }, contact },
    drop_off: [{ coordinates: { lat: lat + 0.005, lng }, contact, verification: { pin: { type: 'random' } } }],
  });
  await until(() => output.includes('done stop.arrive'));
  proxy.cut();
  proxy.heal();
  await until(() => connections() === 2);
  await until(() => output.includes('PIN: '));
  const { url } = await client.express.getTrackingLink(id);
  const { pin } = await client.tracking.getState(url.slice(url.lastIndexOf('/') + 1));
  app.stdin.write(`${pin ?? ''}\n`);
  await until(() => output.includes(`delivered ${id}`));

  const events = await client.tracking.listEvents(id).take(100);
  expect(events.map((event) => event.type)).toEqual(WHOLE_LIFE);
  await until(() => output.includes('event 7 delivered'));
  const heard = [...output.matchAll(/^event (\d+)/gm)].map(([, sequence]) => Number(sequence));
  expect(heard).toEqual([...new Set(heard)].toSorted((a, b) => a - b));
  expect(output).not.toMatch(/refused|Traceback/);
}, 300_000);
