import { expect, test } from 'vitest';
import { request, Agent } from 'undici';
import { guardedConnector, isPublicAddress, judgeUrl } from '../../src/webhooks/guard-address.ts';

const PRIVATE = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '::1',
  '::',
  'fe80::1',
  'fc00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
];

test('[W6] only addresses of the public internet count as public', () => {
  expect(PRIVATE.filter(isPublicAddress)).toEqual([]);
  expect(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'].every(isPublicAddress)).toBe(true);
});

test('[W7] outside development a private, plain or odd address is refused at registration', async () => {
  const rules = { allowPrivate: false };
  const refused = [
    'http://93.184.216.34/',
    'https://user:pw@93.184.216.34/',
    'https://93.184.216.34:8080/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://localhost/',
    'https://[::ffff:127.0.0.1]/',
  ];
  for (const url of refused) expect(await judgeUrl(new URL(url), rules), url).not.toBeNull();
  expect(await judgeUrl(new URL('https://93.184.216.34/hook'), rules)).toBeNull();
  expect(await judgeUrl(new URL('http://127.0.0.1:9999/hook'), { allowPrivate: true })).toBeNull();
});

test('[W8] a name or literal that leads to a private address is refused while connecting', async () => {
  const dispatcher = new Agent({ connect: guardedConnector({ allowPrivate: false }, 60_000) });
  await expect(request('http://localhost:1/', { dispatcher })).rejects.toThrow('public');
  await expect(request('http://127.0.0.1:1/', { dispatcher })).rejects.toThrow('public');
  await dispatcher.close();
});
