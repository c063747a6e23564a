import { jwtVerify } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { PUSHES, PUSH_TYPES, type DeliveryPush } from '../../../src/domain/couriers/push.ts';
import { createFcmService } from '../../../src/process/push/fcm-service.ts';
import { aDevice, ACCOUNT, clock, openService, publicKey, PUSH } from './house.ts';

const service = await openService();
const SEND = '/v1/projects/a-project/messages:send';
const create = (settings = service.settings) => createFcmService(ACCOUNT, settings, clock);

beforeEach(() => {
  service.heard.splice(0);
  service.next.splice(0);
  service.tokens.splice(0);
});

test('[O81] a push to Firebase has ids, its end and no name, and pushes share one access token', async () => {
  const fcm = create();
  const device = aDevice();
  expect(await Promise.all([fcm.send(device, PUSH), fcm.send(device, PUSH)])).toEqual(['sent', 'sent']);
  expect(await fcm.send(device, PUSH)).toBe('sent');
  const [exchange, ...more] = service.at('/token');
  expect(more).toEqual([]);
  const asked = new URLSearchParams(exchange?.body);
  expect(asked.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
  const { payload } = await jwtVerify(asked.get('assertion') ?? '', publicKey, {
    issuer: ACCOUNT.client_email,
    audience: `${service.url}/token`,
  });
  expect(payload['scope']).toBe('https://www.googleapis.com/auth/firebase.messaging');
  const [sent] = service.at(SEND);
  expect(sent?.headers.authorization).toMatch(/^Bearer at-\d+$/);
  expect(JSON.parse(sent?.body ?? '')).toMatchObject({
    message: {
      token: device.token,
      data: { type: 'offer', offer_id: PUSH.offerId, delivery_id: PUSH.deliveryId },
      android: { priority: 'HIGH', ttl: '20s' },
      apns: { headers: { 'apns-priority': '10', 'apns-expiration': expect.stringMatching(/^\d{10}$/) } },
    },
  });
});

test('[O86] a push about a change names its type and the delivery, and the newest one takes the place of the others', async () => {
  for (const type of PUSH_TYPES.filter((each) => each.startsWith('delivery_') || each.startsWith('pickup_'))) {
    service.heard.splice(0);
    await create().send(aDevice(), { ...PUSH, type: type as DeliveryPush['type'], offerId: null });
    const { message } = JSON.parse(service.at(SEND)[0]?.body ?? '') as { message: Record<string, unknown> };
    expect(message['data']).toStrictEqual({ type, delivery_id: PUSH.deliveryId });
    expect(message['apns']).toMatchObject({
      headers: { 'apns-collapse-id': PUSH.deliveryId },
      payload: { aps: { alert: { title: PUSHES[type].title } } },
    });
  }
});

test('[D184] a push about a document names its type and the document', async () => {
  service.heard.splice(0);
  const about = {
    type: 'document_expiring',
    courierId: newId('cou'),
    documentId: newId('doc'),
    ttlRealMs: 60_000,
  } as const;
  await create().send(aDevice(), about);
  const { message } = JSON.parse(service.at(SEND)[0]?.body ?? '') as { message: Record<string, unknown> };
  expect(message['data']).toStrictEqual({ type: 'document_expiring', document_id: about.documentId });
  expect(message['apns']).toMatchObject({ headers: { 'apns-collapse-id': about.documentId } });
});

test('[O82] a device without the app is gone, and any other 404 is a failure', async () => {
  const fcm = create();
  const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: 'UNREGISTERED' }];
  service.next.push({ status: 404, body: JSON.stringify({ error: { code: 404, details } }) });
  expect(await fcm.send(aDevice(), PUSH)).toBe('gone');
  for (const body of ['not found', '{"error":{"code":404}}']) {
    service.next.push({ status: 404, body });
    await expect(fcm.send(aDevice(), PUSH)).rejects.toThrow('404');
  }
  service.next.push({ status: 400, body: '{}' });
  await expect(fcm.send(aDevice(), PUSH)).rejects.toThrow('400');
  expect(service.at(SEND)).toHaveLength(4);
});

test('[O82] a refused access token is renewed once, and 429, 5xx and silence are retried', async () => {
  const fcm = create();
  service.next.push({ status: 401 });
  expect(await fcm.send(aDevice(), PUSH)).toBe('sent');
  expect(service.at('/token')).toHaveLength(2);
  service.next.push({ status: 401 }, { status: 401 });
  await expect(fcm.send(aDevice(), PUSH)).rejects.toThrow('401');
  service.next.push({ status: 429, headers: { 'retry-after': '0' } }, { status: 503 });
  expect(await fcm.send(aDevice(), PUSH)).toBe('sent');
  service.next.push({ status: 500 }, { status: 500 }, { status: 500 });
  await expect(fcm.send(aDevice(), PUSH)).rejects.toThrow('500');
  service.next.push({ status: 429, headers: { 'retry-after': '60' } });
  await expect(fcm.send(aDevice(), PUSH)).rejects.toThrow('429');
  service.next.push(null);
  expect(await create(service.hasty).send(aDevice(), PUSH)).toBe('sent');
});

test('[O82] an answer that breaks off or stops is retried, also one of the token server', async () => {
  const fcm = create();
  service.tokens.push({ status: 200, ends: 'reset' });
  expect(await fcm.send(aDevice(), PUSH)).toBe('sent');
  service.next.push({ status: 200, ends: 'reset' });
  expect(await fcm.send(aDevice(), PUSH)).toBe('sent');
  expect([service.at('/token').length, service.at(SEND).length]).toEqual([2, 3]);
  service.next.push({ status: 404, ends: 'silence' });
  expect(await create(service.hasty).send(aDevice(), PUSH)).toBe('sent');
  expect(service.at(SEND).length).toBeGreaterThanOrEqual(5);
});

test('[O82] a token server that fails is asked again, and its refusal is a failure', async () => {
  service.tokens.push({ status: 503 });
  expect(await create().send(aDevice(), PUSH)).toBe('sent');
  service.tokens.push({ status: 400, body: '{"error":"invalid_grant"}' });
  await expect(create().send(aDevice(), PUSH)).rejects.toThrow('the token server answered 400');
  service.tokens.push({ status: 200, body: '{}' });
  await expect(create().send(aDevice(), PUSH)).rejects.toThrow();
});
