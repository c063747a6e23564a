import { Agent, request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { newId } from '../../src/domain/ids.ts';
import type { Registration } from '../../src/ports/webhooks.ts';
import { defaultSettings } from '../../src/settings.ts';
import {
  createReceiverRules,
  guardedConnector,
  isPublicAddress,
  type AddressRules,
} from '../../src/webhooks/guard-address.ts';
import { registerWebhook } from '../../src/webhooks/register-webhook.ts';
import { startNameServer } from './name-server.ts';

/** Addresses that lead elsewhere than to the public internet, by why. */
const PRIVATE: Readonly<Record<string, readonly string[]>> = {
  'this host and its networks': [
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.127.255.255',
    '100.100.100.200',
    '::',
    '::1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
  ],
  'metadata of a cloud in public space': ['168.63.129.16', '::ffff:168.63.129.16', '192.0.0.192'],
  'documentation, benchmarks and protocols': [
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
    '2001:3::1',
    '2001:4:112::1',
    '2001:10::1',
    '2001:20::1',
    '2001:30::1',
    '2001:1::1',
    '2620:4f:8000::1',
    '100::1',
  ],
  'many receivers': ['224.0.0.1', '233.252.0.1', '255.255.255.255', '240.0.0.1', 'ff02::1'],
  'an IPv4 address within an IPv6 one': [
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '::808:808',
    '::ffff:127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::7f00:1',
    '64:ff9b:1:ffff::1',
    '2002:7f00:1::',
    '2002:808:808::',
    '2001:0:7f00:1::',
  ],
  'space that is not given out': [
    '1::1',
    '0:1::1',
    '100:0:0:1::1',
    '1fff::1',
    '3ffe::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'c000::1',
    'e000::1',
    'fe00::1',
  ],
  'no address': [
    '',
    'localhost',
    '1',
    '2130706433',
    '0x7f.1',
    '127.1',
    'fe80::1%eth0',
    '2606:4700::1111%1',
    '8.8.8.8:80',
    '[::1]',
  ],
};

describe.each(Object.entries(PRIVATE))('%s', (_why, addresses) => {
  test.each(addresses)('[W20] %s does not count as public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test('[W20] addresses of the public internet count as public', () => {
  const open = [
    '93.184.216.34',
    '8.8.8.8',
    '::ffff:8.8.8.8',
    '2606:2800:220:1:248:1893:25c8:1946',
    '2001:4860:4860::8888',
    '2a00:1450::1',
    '2c0f:f248::1',
    '3000::1',
  ];
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([]);
});

const PUBLIC = '93.184.216.34';
const WAIT_MS = 400;
let rules: AddressRules;

beforeAll(async () => {
  const nameServer = await startNameServer({
    'open.example': [PUBLIC, '2606:2800:220:1:248:1893:25c8:1946'],
    'open4.example': [PUBLIC],
    'internal.example': ['10.0.0.7'],
    'internal6.example': ['fd00::7'],
    'compatible.example': ['::7f00:1'],
    'mixed.example': [PUBLIC, '10.0.0.7'],
    'mixed6.example': [PUBLIC, '::1'],
    'empty.example': [],
    'silent.example': 'no answer',
  });
  rules = createReceiverRules({ allowPrivate: false, resolveRealMs: WAIT_MS, nameServers: [nameServer] });
});

/** How a registration of this address ends, and after how many ms. */
async function register(url: string, vendorId = newId('ven')): Promise<{ refusal: Refusal | null; tookMs: number }> {
  const defaults = defaultSettings();
  const settings = { ...defaults, webhooks: { ...defaults.webhooks, resolveRealMs: WAIT_MS } };
  const webhooks = { register: async (registration: Registration) => registration };
  const clock = createClock();
  const startedAt = performance.now();
  const ended = registerWebhook(
    { settings, clock, webhooks, receivers: rules },
    { url, events: ['*'], description: null },
    { vendorId, liveMode: true },
  );
  const refusal = await ended.then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal !== null && !(refusal instanceof Refusal)) throw refusal;
  return { refusal, tookMs: performance.now() - startedAt };
}

test.each([
  'http://93.184.216.34/',
  'https://user:pw@93.184.216.34/',
  'https://93.184.216.34:8080/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[4000::1]/',
])('[W7] %s is refused at registration', async (url) => {
  const { refusal } = await register(url);
  expect(refusal?.code).toBe('webhook_url_not_allowed');
  expect(refusal?.message).toMatch(/^`\/url` must /);
});

test('[W7] a public address and a name of one are accepted at once', async () => {
  for (const url of [`https://${PUBLIC}/hook`, 'https://open.example/hook', 'https://open4.example:8443/hook']) {
    expect(await register(url)).toMatchObject({ refusal: null });
  }
});

test('[W21] a registration does not reveal internal names by code, text or time', async () => {
  const names = ['internal', 'internal6', 'compatible', 'mixed', 'mixed6', 'empty', 'silent', 'absent'];
  const ends = await Promise.all(names.map((name) => register(`https://${name}.example/`)));
  const texts = ends.map(({ refusal }, index) => {
    const { metadata: _url, ...told } = refusal?.told ?? {};
    return JSON.stringify([refusal?.code, told]).replaceAll(names[index] ?? '', 'NAME');
  });
  expect(new Set(texts).size).toBe(1);
  expect(ends[0]?.refusal?.code).toBe('webhook_url_not_allowed');
  const times = ends.map(({ tookMs }) => tookMs);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(WAIT_MS - 5);
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(WAIT_MS / 2);
});

test('[W8] a name or literal that leads to a private address is refused while connecting, all in the same words', async () => {
  const dispatcher = new Agent({ connect: guardedConnector(rules, 60_000) });
  const messages = new Set<string>();
  for (const host of [
    '127.0.0.1',
    '[::127.0.0.1]',
    'internal.example',
    'mixed.example',
    'absent.example',
    'silent.example',
  ]) {
    const error = await request(`http://${host}:1/`, { dispatcher }).catch((reason: unknown) => reason);
    messages.add(
      String(error)
        .replace(host.replace(/^\[|\]$/g, ''), 'HOST')
        .replace('::7f00:1', 'HOST'),
    );
  }
  expect([...messages]).toEqual(['Error: HOST does not lead to the public internet']);
  await dispatcher.close();
});

test('[W37] registrations whose names have no answer take nothing from the tries of webhooks', async () => {
  const registering = Promise.all(Array.from({ length: 250 }, () => register('https://silent.example/')));
  const dispatcher = new Agent({ connect: guardedConnector(rules, 60_000) });
  const error = await request('http://internal.example:1/', { dispatcher }).catch((reason: unknown) => reason);
  expect(String(error)).toBe('Error: internal.example does not lead to the public internet');
  const codes = (await registering).map(({ refusal }) => refusal?.code);
  expect(codes.filter((code) => code === 'busy')).toHaveLength(50);
  await dispatcher.close();
});

test('[W37] an account that registers many names without an answer keeps no other account waiting', async () => {
  const vendorId = newId('ven');
  const registering = Promise.all(Array.from({ length: 250 }, () => register('https://silent.example/', vendorId)));
  expect(await register('https://open.example/')).toMatchObject({ refusal: null });
  const codes = (await registering).map(({ refusal }) => refusal?.code);
  expect(codes.filter((code) => code === 'busy')).toHaveLength(245);
});

test('[W6] in development a receiver on this machine may be called', async () => {
  rules = { ...rules, allowPrivate: true };
  expect(await register('http://127.0.0.1:9999/hook')).toMatchObject({ refusal: null });
  rules = { ...rules, allowPrivate: false };
});
