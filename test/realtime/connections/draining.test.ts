import { expect, test } from 'vitest';
import { until } from '../../until.ts';
import { bear, openSite, storeCourier, tokensOf } from '../house.ts';

const site = await openSite('draining');
const tokens = tokensOf(site);

test('[T23] a server that drains announces it, closes all connections so that clients reconnect, and accepts none', async () => {
  const leaving = await site.start();
  const delivery = await bear(site);
  const phone = await site.join(leaving, '/courier', { token: tokens.courier(await storeCourier(site)) }).ready();
  const vendor = await site.join(leaving, '/vendor', { token: tokens.vendor(delivery) }).ready();
  const order: string[] = [];
  phone.socket.on('disconnect', () => void order.push('courier'));
  vendor.socket.on('disconnect', () => void order.push('vendor'));
  await leaving.realtime.leave();
  await until(() => order.length === 2);
  expect(order).toEqual(['courier', 'vendor']);
  expect(phone.named('drain')).toEqual([{ within_ms: 300 }]);
  // Not `io server disconnect`, after which a client stays away.
  expect([phone.closedBy, vendor.closedBy]).toEqual(['transport close', 'transport close']);
  const failed: string[] = [];
  const late = site.join(leaving, '/vendor', { token: tokens.vendor(delivery) });
  late.socket.on('connect_error', (error) => void failed.push(error.message));
  await until(() => failed.length > 0);
  expect(late.refusedWith).toBeNull();
});

test('[T23] a client whose handshake ends while the server drains is closed, so that it goes to another one', async () => {
  const asked = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const leaving = await site.start(({ credentials }) => ({
    credentials: {
      ...credentials,
      authenticate: async (token, ...rest) => {
        asked.resolve();
        await go.promise;
        return credentials.authenticate(token, ...rest);
      },
    },
  }));
  const phone = site.join(leaving, '/courier', { token: tokens.courier(await storeCourier(site)) });
  await asked.promise;
  await leaving.realtime.leave();
  go.resolve();
  await until(() => leaving.io.engine.clientsCount === 0);
  expect(phone.socket.connected).toBe(false);
  expect(phone.refusedWith).toBeNull();
});
