import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startFleet } from '../../load-tests/servers/fleet.ts';
import { testEngines } from '../engines.ts';
import { ENVIRONMENT } from '../environment.ts';
import { until } from '../until.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');

test('[Y14] the first delivery goes from quote to drop-off', async () => {
  const { mongoUrl, redisUrl, keyPrefix } = testEngines('first');
  const dir = await mkdtemp(join(tmpdir(), 'example-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const environment = { REDIS_PREFIX: keyPrefix };
  const fleet = await startFleet({ servers: 1, dir, mongoUrl, redisUrl, scale: 1, environment });
  onTestFinished(() => fleet.stop());
  const { stdout } = await promisify(execFile)(process.execPath, [join(EXAMPLES, 'first-delivery.ts')], {
    env: { ...ENVIRONMENT, DEMO_FILE: join(dir, 'server-1', 'demo.json'), BASE_URL: fleet.addresses[0] },
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
  expect(lines.at(-1)).toBe('ended      delivered');
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
  const body = JSON.stringify({ id: 'evt_1', type: 'delivered', delivery_id: 'del_1' });
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
