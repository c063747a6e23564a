import { Agent, request } from 'undici';
import { beforeAll, expect, test } from 'vitest';
import { createClock } from '../../src/clock.ts';
import { Refusal } from '../../src/domain/refusals/refusals.ts';
import { newId, type VendorId } from '../../src/domain/ids.ts';
import type { Clock } from '../../src/ports/process.ts';
import type { Registration } from '../../src/ports/webhooks.ts';
import { defaultSettings } from '../../src/settings.ts';
import { createReceiverRules, guardedConnector, type AddressRules } from '../../src/webhooks/guard-address.ts';
import { registerWebhook } from '../../src/webhooks/register-webhook.ts';
import { handClock } from '../clock.ts';
import { until } from '../until.ts';
import { startNameServer } from './name-server.ts';

const PUBLIC = '93.184.216.34';
const WAIT_MS = 400;
/** Ends only what is never answered: the name server of a busy machine may take long. */
const PATIENT_MS = 60_000;
let nameServers: readonly string[];
let rules: AddressRules;

/** The rules of a process of its own. */
const rulesOf = (resolveRealMs: number): AddressRules =>
  createReceiverRules({ allowPrivate: false, resolveRealMs, nameServers });

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
  nameServers = [nameServer];
  rules = rulesOf(WAIT_MS);
});

type Registering = { vendorId?: VendorId; receivers?: AddressRules; resolveRealMs?: number; clock?: Clock };

/** How a registration of this address ends, and after how many ms. */
async function register(
  url: string,
  { vendorId = newId('ven'), receivers = rules, resolveRealMs = WAIT_MS, clock = createClock() }: Registering = {},
): Promise<{ refusal: Refusal | null; tookMs: number }> {
  const defaults = defaultSettings();
  const settings = { ...defaults, webhooks: { ...defaults.webhooks, resolveRealMs } };
  const webhooks = { find: async () => null, register: async (registration: Registration) => registration };
  const startedAt = performance.now();
  const ended = registerWebhook(
    { settings, clock, webhooks, receivers },
    { url, events: ['*'], description: null, ordering: 'best_effort' as const },
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
  const patient = { receivers: rulesOf(PATIENT_MS), resolveRealMs: PATIENT_MS };
  for (const url of [`https://${PUBLIC}/hook`, 'https://open.example/hook', 'https://open4.example:8443/hook']) {
    const { refusal, tookMs } = await register(url, patient);
    expect(refusal).toBeNull();
    expect(tookMs).toBeLessThan(PATIENT_MS);
  }
});

test('[W21] a registration does not reveal internal names by code, text or time', async () => {
  const names = ['internal', 'internal6', 'compatible', 'mixed', 'mixed6', 'empty', 'silent', 'absent'];
  const [clock, patient, endedAt] = [handClock(), rulesOf(PATIENT_MS), [] as number[]];
  let resolved = 0;
  const resolveNew: AddressRules['resolveNew'] = (...asked) =>
    patient.resolveNew(...asked).finally(() => void (resolved += 1));
  const registering = names.map(async (name) => {
    const { refusal } = await register(`https://${name}.example/`, { receivers: { ...patient, resolveNew }, clock });
    endedAt.push(clock.real.elapsed());
    return refusal;
  });
  // All but the silent one.
  await until(() => resolved === names.length - 1);
  await clock.advance(WAIT_MS);
  const refusals = await Promise.all(registering);
  const texts = refusals.map((refusal, index) => {
    const { metadata: _url, ...told } = refusal?.told ?? {};
    return JSON.stringify([refusal?.code, told]).replaceAll(names[index] ?? '', 'NAME');
  });
  expect(new Set(texts).size).toBe(1);
  expect(refusals[0]?.code).toBe('webhook_url_not_allowed');
  expect(endedAt).toEqual(names.map(() => WAIT_MS));
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
  const receivers = rulesOf(2000);
  const registering = Promise.all(
    Array.from({ length: 250 }, () => register('https://silent.example/', { receivers })),
  );
  // The registrations fill their places now. So many questions may be too many for the buffer of the name server.
  await until(async () => (await receivers.resolve('internal.example')).includes('10.0.0.7'));
  const dispatcher = new Agent({ connect: guardedConnector(receivers, PATIENT_MS) });
  const error = await request('http://internal.example:1/', { dispatcher }).catch((reason: unknown) => reason);
  expect(String(error)).toBe('Error: internal.example does not lead to the public internet');
  const codes = (await registering).map(({ refusal }) => refusal?.code);
  expect(codes.filter((code) => code === 'busy')).toHaveLength(50);
  await dispatcher.close();
});

test('[W37] an account that registers many names without an answer keeps no other account waiting', async () => {
  const account = { vendorId: newId('ven'), receivers: rulesOf(PATIENT_MS) };
  const registering = Promise.all(Array.from({ length: 250 }, () => register('https://silent.example/', account)));
  const other = { receivers: account.receivers, resolveRealMs: PATIENT_MS };
  expect(await register('https://open.example/', other)).toMatchObject({ refusal: null });
  const codes = (await registering).map(({ refusal }) => refusal?.code);
  expect(codes.filter((code) => code === 'busy')).toHaveLength(245);
});

test('[W6] in development a receiver on this machine may be called', async () => {
  rules = { ...rules, allowPrivate: true };
  expect(await register('http://127.0.0.1:9999/hook')).toMatchObject({ refusal: null });
  rules = { ...rules, allowPrivate: false };
});
