import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openTcpProxy } from '../../load-tests/engines/tcp-proxy.ts';
import { createClient } from '../../packages/client/src/client.ts';
import { ENVIRONMENT } from '../environment.ts';
import { until } from '../until.ts';
import { EXAMPLES, startDemo, WHOLE_LIFE } from './start-demo.ts';

test('[Y14] the first delivery goes from quote to proof', async () => {
  const { demoFile, address } = await startDemo('first');
  const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, 'first-delivery.ts')], {
    env: { ...ENVIRONMENT, DEMO_FILE: demoFile, BASE_URL: address },
  });
  const lines = stdout.trim().split('\n');
  expect(lines[0]).toMatch(/^quote {6}\d+\.\d\d [A-Z]{3} for \d+\.\d km$/);
  expect(lines[1]).toMatch(/^created {4}del_\w{26}, searching$/);
  const events = lines.flatMap((line) => /^event (\d+) +(\S+)/.exec(line)?.slice(1) ?? []);
  expect(events.filter((_, index) => index % 2 === 0).map(Number)).toEqual(
    Array.from({ length: events.length / 2 }, (_, index) => index + 1),
  );
  for (const name of ['courier.assigned', 'picked_up', 'in_transit', 'delivered']) expect(events).toContain(name);
  expect(lines.some((line) => line.startsWith('position '))).toBe(true);
  expect(lines).toContain('ended      delivered');
  expect(lines.at(-1)).toBe('proof 1    pin true, photos 1');
}, 300_000);

test('[Y14] a top-up fills the wallet, and the receipt of a delivery says what it paid', async () => {
  const { demoFile, address } = await startDemo('wallet');
  const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, 'wallet.ts')], {
    env: { ...ENVIRONMENT, DEMO_FILE: demoFile, BASE_URL: address },
  });
  const lines = stdout.trim().split('\n');
  const amounts = (start: string): number[] =>
    lines.flatMap((line) =>
      line.startsWith(start) ? [Math.round(Number(/ (\d+\.\d\d) /.exec(line)?.[1]) * 100)] : [],
    );
  const [before = 0, topped = 0, reserved = 0, after = 0, ...more] = amounts('balance');
  expect(more).toEqual([]);
  expect(topped - before).toBe(10_000);
  expect(lines).toContain(`top-up     succeeded, 100.00 EUR`);
  const [total = 0] = amounts('total');
  expect(amounts('line').reduce((sum, amount) => sum + amount, 0)).toBe(total);
  expect(lines.find((line) => line.includes('tip'))).toBe('line       tip 1.50 EUR');
  expect([topped - reserved, topped - after]).toEqual([total, total]);
  expect(lines).toContain('ended      delivered');
}, 300_000);

test('[Y14] the receiver accepts signed requests and refuses others', async () => {
  const secret = 'whsec_example';
  const receiver = spawn(process.execPath, [join(EXAMPLES, 'receive-webhook.ts')], {
    env: { ...ENVIRONMENT, WEBHOOK_SECRET: secret, PORT: '0' },
  });
  onTestFinished(async () => {
    receiver.kill();
    await once(receiver, 'exit');
  });
  let output = '';
  receiver.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => output.includes('listening on'));
  const url = /http:\S+/.exec(output)?.[0] ?? '';
  const body = JSON.stringify({ object: 'event', id: 'evt_1', type: 'delivered', delivery_id: 'del_1' });
  const t = Math.floor((performance.timeOrigin + performance.now()) / 1000);
  const send = async (key: string, at: number): Promise<number> => {
    const v1 = createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
    const headers = { 'x-service-signature': `t=${at},v1=${v1}` };
    return (await fetch(url, { method: 'POST', body, headers })).status;
  };
  expect([await send(secret, t), await send('whsec_other', t), await send(secret, t - 3600)]).toEqual([200, 401, 401]);
  await until(() => output.includes('delivered  del_1  evt_1'));
  expect((await fetch(url, { method: 'POST', body })).status).toBe(401);
});

/** Starts the courier app, and types what its user would. */
function startApp(env: Record<string, string>): {
  app: ChildProcess;
  output: () => string;
  type: (line: string) => void;
} {
  const app = spawn(process.execPath, [join(EXAMPLES, 'courier-app.ts')], { env: { ...ENVIRONMENT, ...env } });
  onTestFinished(() => void app.kill('SIGKILL'));
  let output = '';
  app.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  app.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { app, output: () => output, type: (line) => void app.stdin.write(`${line}\n`) };
}

test('[H361] the courier app delivers with a PIN and does nothing twice, although its connection is cut', async () => {
  const { fleet, demoFile, address } = await startDemo('courier-app');
  const proxy = await openTcpProxy({ port: Number(new URL(address).port), host: '127.0.0.1' });
  onTestFinished(() => proxy.close());
  const { app, output, type } = startApp({ DEMO_FILE: demoFile, BASE_URL: `http://127.0.0.1:${proxy.port}` });
  const lost = (): number => output().split('connection lost').length - 1;
  await until(() => output().includes('Code: '));
  type('000000');
  await until(() => output().includes('connection live'));

  const client = createClient({ baseUrl: address, credential: fleet.facts.vendor.api_key });
  const { lat, lng } = fleet.facts.center;
  const contact = { name: 'Robin', phone: '+4915112345678' };
  const { id } = await client.express.create({
    pickup: { coordinates: { lat, lng }, contact },
    drop_off: [{ coordinates: { lat: lat + 0.005, lng }, contact, verification: { pin: { type: 'random' } } }],
  });
  await until(() => output().includes('done       stop.arrive'));
  proxy.cut();
  await until(() => lost() === 1);
  proxy.heal();
  await until(() => output().includes('PIN: '));
  for (const [asked, nothing] of ['', 'none'].entries()) {
    type(nothing);
    // The app hears a line only while it asks.
    await until(() => output().split('PIN: ').length === asked + 3);
  }
  const { url } = await client.express.getTrackingLink(id);
  const { pin } = await client.tracking.getState(url.slice(url.lastIndexOf('/') + 1));
  // The server hears the PIN and nobody hears its answer: the worst moment of a connection.
  proxy.loseAnswers();
  type(pin ?? '');
  await until(async () => (await client.express.get(id)).status === 'delivered');
  proxy.cut();
  await until(() => lost() === 2);
  proxy.heal();
  await until(() => output().includes(`delivered  ${id}`));

  const events = await client.tracking.listEvents(id).take(100);
  expect(events.map((event) => event.type)).toEqual(WHOLE_LIFE);
  const heard = [...output().matchAll(/^event (\d+)/gm)].map(([, sequence]) => Number(sequence));
  await until(() => output().includes('event 7'));
  expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  expect(new Set(heard).size).toBe(heard.length);
  app.stdin?.end();
  const [code] = (await once(app, 'exit')) as [number];
  expect([code, output()]).toEqual([0, expect.not.stringContaining('refused')]);
}, 300_000);

test.each(['delivery.pick_up', 'delivery.depart'])(
  '[H361] a courier app that ends after %s carries on where it was when it is started again',
  async (step) => {
    const { fleet, demoFile, address } = await startDemo(`app-${step.split('.')[1] ?? ''}`);
    const env = { DEMO_FILE: demoFile, BASE_URL: address };
    const start = async () => {
      const started = startApp(env);
      await until(() => started.output().includes('Code: '));
      started.type('000000');
      await until(() => started.output().includes('connection live'));
      return started;
    };
    const first = await start();
    const client = createClient({ baseUrl: address, credential: fleet.facts.vendor.api_key });
    const { lat, lng } = fleet.facts.center;
    const contact = { name: 'Robin', phone: '+4915112345678' };
    const dropOff = { coordinates: { lat: lat + 0.005, lng }, contact };
    const { id } = await client.express.create({
      pickup: { coordinates: { lat, lng }, contact },
      drop_off: [dropOff],
    });
    await until(() => first.output().includes(`done       ${step}\n`));
    first.app.kill('SIGKILL');
    await once(first.app, 'exit');
    const second = await start();
    await until(() => second.output().includes(`delivered  ${id}`));
    const events = await client.tracking.listEvents(id).take(100);
    expect(events.map((event) => event.type)).toEqual(WHOLE_LIFE);
    expect(second.output()).not.toMatch(/delivery\.pick_up|refused/);
  },
  300_000,
);

test('[H361] the first delivery has under 60 lines and the courier app under 120', async () => {
  const lines = async (name: string): Promise<number> =>
    (await readFile(join(EXAMPLES, name), 'utf8')).trimEnd().split('\n').length;
  expect(await lines('first-delivery.ts')).toBeLessThan(60);
  expect(await lines('courier-app.ts')).toBeLessThan(120);
});
