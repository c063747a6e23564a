import { fc, test as property } from '@fast-check/vitest';
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  UnverifiedWebhook,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookTest,
} from '../../packages/client/src/webhooks.ts';
import { newWebhookSecret, signatureHeaders } from '../../src/webhooks/sign.ts';

const NOW_S = 1_770_000_000;
const [SECRET, OTHER] = [newWebhookSecret(), newWebhookSecret()];
const BODY = JSON.stringify({ object: 'event', id: 'evt_1', type: 'delivered', note: 'grün 🚲' });

/** `service` and `standard` leave only the headers of that scheme. */
function headersOf(
  secrets: readonly [string, ...string[]],
  scheme: 'service' | 'standard',
  at = NOW_S,
  body = BODY,
): Record<string, string> {
  const all = Object.entries(signatureHeaders(secrets, 'evt_1', at, body));
  return Object.fromEntries(all.filter(([name]) => name.startsWith('webhook-') === (scheme === 'standard')));
}

async function faultOf(
  headers: WebhookHeaders,
  { body = BODY, secret = SECRET }: { body?: string; secret?: string | string[] } = {},
) {
  try {
    return (await verifyWebhook(body, headers, secret, { nowS: NOW_S })).id;
  } catch (error) {
    return error instanceof UnverifiedWebhook ? error.fault : error;
  }
}

test.for(['service', 'standard'] as const)('[H355] what the server signs is verified: %s', async (scheme) => {
  const headers = headersOf([SECRET], scheme);
  expect(await faultOf(headers)).toBe('evt_1');
  expect(await faultOf(new Headers(headers))).toBe('evt_1');
  const asNode = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
  expect(await faultOf(asNode)).toBe('evt_1');
  expect(await verifyWebhook(Buffer.from(BODY), headers, SECRET, { nowS: NOW_S })).toMatchObject({ note: 'grün 🚲' });
  expect(await faultOf(headers, { secret: OTHER })).toBe('wrong_signature');
  expect(await faultOf(headers, { body: `${BODY} ` })).toBe('wrong_signature');
});

test.for(['service', 'standard'] as const)('[H355] a rotation works on both sides: %s', async (scheme) => {
  expect(await faultOf(headersOf([OTHER, SECRET], scheme))).toBe('evt_1');
  expect(await faultOf(headersOf([SECRET], scheme), { secret: [OTHER, SECRET] })).toBe('evt_1');
});

test.for(['service', 'standard'] as const)('[H355] an old or early request is refused: %s', async (scheme) => {
  for (const at of [NOW_S - 301, NOW_S + 301]) expect(await faultOf(headersOf([SECRET], scheme, at))).toBe('stale');
  for (const at of [NOW_S - 299, NOW_S + 299]) expect(await faultOf(headersOf([SECRET], scheme, at))).toBe('evt_1');
});

test('[H355] a request without a signature, with an empty secret or without an event is refused', async () => {
  expect(await faultOf({})).toBe('unsigned');
  expect(await faultOf({ 'x-service-signature': 't=now,v1=00' })).toBe('unsigned');
  expect(await faultOf({ 'x-service-signature': `t=${NOW_S}` })).toBe('wrong_signature');
  const empty = createHmac('sha256', '').update(`${NOW_S}.${BODY}`).digest('hex');
  expect(await faultOf({ 'x-service-signature': `t=${NOW_S},v1=${empty}` }, { secret: '' })).toBe('wrong_signature');
  expect(await faultOf(headersOf([SECRET], 'service', NOW_S, '[]'), { body: '[]' })).toBe('not_an_event');
});

property.prop([fc.string(), fc.string(), fc.string()])(
  '[H355] no invented header passes or breaks the verification',
  async (signature, id, standard) => {
    expect(['unsigned', 'wrong_signature', 'stale']).toContain(await faultOf({ 'x-service-signature': signature }));
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(NOW_S), 'webhook-signature': standard };
    expect(['unsigned', 'wrong_signature']).toContain(await faultOf(headers));
  },
);

test('[H355] the test of a registration is verified, and its type has no delivery', async () => {
  const sent: WebhookTest = {
    id: 'evt_1',
    object: 'event',
    type: 'webhook.test',
    api_version: '2026-01-01',
    created_at: '2026-03-01T08:00:00.000Z',
    live_mode: false,
    vendor_id: 'ven_1',
    data: {},
  };
  const body = JSON.stringify(sent);
  const event = await verifyWebhook(body, headersOf([SECRET], 'service', NOW_S, body), SECRET, { nowS: NOW_S });
  // The compiler checks that only an event of a delivery has its id.
  expect(event.type === 'webhook.test' ? event.vendor_id : event.delivery_id).toBe('ven_1');
  expect('delivery_id' in event || 'sequence' in event).toBe(false);
});
