import { expect, test } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { addVendor, call, openHouse } from '../house.ts';
import { crashAfterEffect } from './crash-after-effect.ts';

const house = await openHouse('webhook-names', (settings) => ({
  ...settings,
  webhooks: { ...settings.webhooks, resolveRealMs: 100 },
}));
const { key: token } = await addVendor(house);
let addresses: string[] = [];
Object.assign(house.ctx.receivers, { allowPrivate: false, resolveNew: async () => addresses });

/** Registers the same webhook, with this key. */
const register = (key: string) =>
  call(house, 'POST /webhooks', {
    token,
    body: { url: 'https://shop.example/hook', events: ['*'] },
    headers: { 'idempotency-key': key },
  });

test('[W69] a retry after a crash returns the secret, although the name of the host is gone', async () => {
  const key = newId('req');
  addresses = ['93.184.216.34'];
  const first = await register(key);
  await crashAfterEffect(house);
  addresses = [];
  const again = await register(key);
  expect([first.status, again.status, again.body['id']]).toEqual([201, 201, first.body['id']]);
  expect(again.body['secret']).toBe(first.body['secret']);
});

test('[W70] a URL that was refused is judged again in a retry with the same key', async () => {
  const key = newId('req');
  addresses = [];
  const refused = await register(key);
  expect([refused.status, refused.body['code']]).toEqual([422, 'webhook_url_not_allowed']);
  addresses = ['93.184.216.34'];
  expect((await register(key)).status).toBe(201);
});
