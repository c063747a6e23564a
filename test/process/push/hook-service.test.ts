import { createHmac } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { createHookService } from '../../../src/process/push/hook-service.ts';
import type { AddressRules } from '../../../src/webhooks/guard-address.ts';
import { aDevice, clock, openService, PUSH } from './house.ts';

const service = await openService();
const SECRET = 'a secret of more than thirty-two characters';
const NO_NAMES = { resolve: async () => [], resolveNew: async () => [] };
const createWith = (rules: AddressRules, settings = service.settings) =>
  createHookService({ url: `${service.url}/push`, secret: SECRET }, settings, rules, clock);

beforeEach(() => {
  service.heard.splice(0);
  service.next.splice(0);
});

test('[O83] a push to the server of the operator is signed like a webhook, and names the device', async () => {
  const hook = createWith({ ...NO_NAMES, allowPrivate: true });
  const device = aDevice({ appVersion: '1.2.3' });
  expect(await hook.send(device, PUSH)).toBe('sent');
  const [sent] = service.at('/push');
  const [, atS, mac] = /^t=(\d+),v1=(\w+)$/.exec(String(sent?.headers['x-service-signature'])) ?? [];
  expect(mac).toBe(createHmac('sha256', SECRET).update(`${atS}.${sent?.body}`).digest('hex'));
  const { id, ...body } = JSON.parse(sent?.body ?? '{}') as Record<string, unknown>;
  expect(id).toBe(sent?.headers['webhook-id']);
  expect(body).toEqual({
    object: 'push',
    type: 'offer',
    courier_id: PUSH.courierId,
    offer_id: PUSH.offerId,
    delivery_id: PUSH.deliveryId,
    ttl_ms: 20_000,
    device: { id: device.id, token: device.token, platform: 'android', app_version: '1.2.3' },
  });
  await hook.close();
});

test('[O83] its tries have one id, and 410 says that the device is gone', async () => {
  const hook = createWith({ ...NO_NAMES, allowPrivate: true });
  const again = { status: 503, headers: { 'retry-after': '0' } };
  service.next.push(again, again);
  expect(await hook.send(aDevice(), PUSH)).toBe('sent');
  expect(service.at('/push')).toHaveLength(3);
  const ids = () => new Set(service.at('/push').map(({ headers }) => headers['webhook-id'])).size;
  expect(ids()).toBe(1);
  const hasty = createWith({ ...NO_NAMES, allowPrivate: true }, service.hasty);
  service.next.push(null);
  expect(await hasty.send(aDevice(), PUSH)).toBe('sent');
  expect(ids()).toBe(2);
  await hasty.close();
  service.next.push({ status: 410 });
  expect(await hook.send(aDevice(), PUSH)).toBe('gone');
  service.next.push({ status: 302, headers: { location: '/elsewhere' } });
  await expect(hook.send(aDevice(), PUSH)).rejects.toThrow('302');
  expect(service.at('/elsewhere')).toEqual([]);
  await hook.close();
});

test('[O83] outside development it connects to public addresses only', async () => {
  const hook = createWith({ ...NO_NAMES, allowPrivate: false });
  await expect(hook.send(aDevice(), PUSH)).rejects.toThrow('does not lead to the public internet');
  expect(service.heard).toEqual([]);
  await hook.close();
});
