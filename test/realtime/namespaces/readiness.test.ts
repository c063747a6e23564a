import { expect, test } from 'vitest';
import { delayPickup } from '../../../src/dispatch/deliveries/delay-pickup.ts';
import { markReady } from '../../../src/dispatch/deliveries/mark-ready.ts';
import { isoTime } from '../../../src/domain/time.ts';
import { asVendor } from '../../callers.ts';
import { until } from '../../until.ts';
import { assign, bear, openSite, storeCourier, tokensOf } from '../house.ts';

const site = await openSite('socket-readiness');
const tokens = tokensOf(site);
const [a, b] = [await site.start(), await site.start()];

test('[D78] the courier receives the event of a ready or delayed delivery, and a new snapshot', async () => {
  const courier = await storeCourier(site);
  const delivery = await assign(site, await bear(site), courier);
  const phone = await site.join(b, '/courier', { token: tokens.courier(courier) }).ready();
  const track = await site.join(b, '/track', { token: tokens.recipient(delivery) }).ready();
  const vendor = await site.join(a, '/vendor', { token: tokens.vendor(delivery) }).ready();
  const [all, readers] = [
    [phone, track, vendor],
    [phone, track],
  ];
  await until(() => all.every((client) => client.shown(delivery.id) === 2));

  const at = { deliveryId: delivery.id };
  const late = await delayPickup(a.ctx, { ...at, to: { minutes: 10 }, reason: 'oven' }, asVendor(delivery));
  // A snapshot stands for the events up to it: what follows is heard as an event once it is there.
  await until(() => readers.every((client) => client.shown(delivery.id) === 3));
  const delayedTo = isoTime(late.pickup.window?.readyAt ?? 0);
  const ready = await markReady(a.ctx, { ...at, ifVersion: null, readyAt: null }, asVendor(delivery));
  const readyAt = isoTime(ready.times.readyAt ?? 0);
  await until(() => all.every(({ sequences }) => sequences(delivery.id).includes(4)));
  for (const { named } of all) {
    expect(named('delivery.delayed')[0]?.data).toMatchObject({ to: 'assigned', reason: 'oven', ready_at: delayedTo });
    expect(named('delivery.ready')[0]?.data).toMatchObject({ to: 'assigned', ready_at: readyAt });
  }
  expect(vendor.named('delivery.ready')[0]?.data).toMatchObject({ delivery: { timestamps: { ready_at: readyAt } } });
  expect(JSON.stringify(track.heard)).not.toContain(delivery.vendorId);
  await until(() => phone.named('snapshot').some(({ sequence }) => sequence === 4));
  const [shown] = phone.named('snapshot').filter(({ sequence }) => sequence === 4);
  expect(shown?.delivery).toMatchObject({ pickup: { window: { ready_at: readyAt } } });
});
