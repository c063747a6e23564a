import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openCore } from '../src/core.ts';
import { aCourier, aDelivery } from './builders.ts';
import { testEngines } from './engines.ts';
import { keptLog } from './kept-ports.ts';
import { until } from './until.ts';
import { openPort } from './open-port.ts';

const engines = testEngines('core');

/** A message service that fails, and how many messages it was requested to send. */
async function aFailingSender(): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((_request, answer) => {
    asked += 1;
    answer.writeHead(500).end();
  });
  const url = await openPort(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url, asked: () => asked };
}

test('[A80] a one-time code that is not sent, or is refused, leaves one log line', async () => {
  const sender = await aFailingSender();
  const config = readConfig({ OTP_URL: sender.url, REDIS_PREFIX: engines.keyPrefix, AUTH_MESSAGES_PER_ADDRESS: '20' });
  const log = keptLog();
  const { parts, close } = await openCore(config, engines, log);
  onTestFinished(close);
  const phones = Array.from({ length: 40 }, (_, index) => `+4930${555_000 + index}`);
  for (const phone of phones) await parts.couriers.add(aCourier({ phone, liveMode: true }), null);
  for (const phone of phones) await parts.credentials.requestOtp(phone, '192.0.2.1');
  const written = (): unknown[] => log.lines.filter(({ message }) => message.startsWith('a one-time code'));
  await until(() => sender.asked() === 20 && written().length > 1);
  const fields = expect.objectContaining({ network: '192.0.2.1' }) as object;
  expect(written()).toHaveLength(2);
  expect(written()).toContainEqual({ level: 'error', fields, message: 'a one-time code was not sent' });
  expect(written()).toContainEqual({ level: 'warn', fields, message: 'a one-time code was refused' });
});

test('[W73] a process hears of what it has stored itself, once, and not of what another one has stored', async () => {
  const config = readConfig({ REDIS_PREFIX: engines.keyPrefix });
  const [own, other] = [await openCore(config, engines, keptLog()), await openCore(config, engines, keptLog())];
  onTestFinished(async () => void (await Promise.all([own.close(), other.close()])));
  const heard: string[] = [];
  const stop = own.commits.onStored(() => heard.push('own'));
  other.commits.onStored(() => heard.push('other'));
  const delivery = aDelivery();
  const change = { before: null, after: delivery, events: [], effects: [] };
  expect(await own.parts.commit(change)).toMatchObject({ ok: true });
  expect(heard).toEqual(['own']);
  expect(await own.parts.commit(change)).toMatchObject({ ok: false, why: 'stale' });
  expect(heard).toEqual(['own']);
  stop();
  const again = { ...change, before: delivery, after: { ...delivery, version: delivery.version + 1 } };
  expect(await own.parts.commit(again)).toMatchObject({ ok: true });
  expect(heard).toEqual(['own']);
});
