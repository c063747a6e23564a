import { expect, onTestFinished, test } from 'vitest';
import { anOffer } from '../../builders.ts';
import { redisProxy } from '../../engines/redis-proxy.ts';
import { until } from '../../until.ts';
import { advance, bear, openSite, storeCourier, tokensOf } from '../house.ts';

const site = await openSite('socket-outage');
const tokens = tokensOf(site);

// A rejection that nobody looks at would fail this run, as it would end a process.
test('[T25] without Redis the process continues with events, local offers and new clients, and recovers when Redis returns', async () => {
  const proxy = await redisProxy(site.engines.redisUrl);
  const [cut, other] = [await site.start(undefined, proxy.url), await site.start()];
  onTestFinished(cut.stop);
  const [here, there] = [await storeCourier(site), await storeCourier(site)];
  let delivery = await bear(site);
  const phone = await site.join(cut, '/courier', { token: tokens.courier(here) }).ready();
  const vendor = await site.join(cut, '/vendor', { token: tokens.vendor(delivery) }).ready();
  await until(() => vendor.shown(delivery.id) === 1);
  const away = await site.join(other, '/courier', { token: tokens.courier(there) }).ready();
  const offerTo = (courierId: typeof here.id) => anOffer({ courierId, deliveryId: delivery.id });

  proxy.cut();
  await until(() => !cut.redis.isReady());
  expect(await cut.ctx.notices.offerNew(offerTo(here.id), delivery)).toBe(true);
  // Nobody will acknowledge the others, or only a later try: there is nothing to wait for.
  site.settings.offers.ackRealMs = 700;
  expect(await cut.ctx.notices.offerNew(offerTo(there.id), delivery)).toBe(false);
  expect(away.named('offer.new')).toEqual([]);
  cut.ctx.notices.offerWithdrawn(offerTo(there.id));
  delivery = await advance(site, delivery);
  await until(() => vendor.sequences(delivery.id).includes(2));
  const newcomer = await site.join(cut, '/courier', { token: tokens.courier(here) }).ready();
  await until(() => phone.closedBy !== null);
  expect(newcomer.socket.connected).toBe(true);

  proxy.heal();
  await until(() => cut.redis.isReady());
  await until(async () => cut.ctx.notices.offerNew(offerTo(there.id), delivery));
  expect(away.named('offer.new')).not.toEqual([]);
});

test('[T25] if Redis cannot say how many processes there are, an offer waits for the phone of another process', async () => {
  const [one, other] = [await site.start(), await site.start()];
  const courier = await storeCourier(site);
  const delivery = await bear(site);
  await site.join(other, '/courier', { token: tokens.courier(courier) }).ready();
  let asked = 0;
  const refuse = (_name: string, _given: unknown, answer: (error: Error) => void): void => {
    asked += 1;
    answer(new Error('a replica does not answer'));
  };
  // The adapter counts the processes with this method alone, and publishes with others.
  Object.assign(one.redis.adapter.pub, { send_command: refuse });
  site.settings.offers.ackRealMs = 2_000;
  const offer = anOffer({ courierId: courier.id, deliveryId: delivery.id });
  expect(await one.ctx.notices.offerNew(offer, delivery)).toBe(true);
  expect(asked).toBe(1);
});
