import { expect, test } from 'vitest';
import { watchOffers } from '../../../src/dispatch/regions/watch-offers.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import type { CourierPush } from '../../../src/domain/couriers/push.ts';
import type { Push } from '../../../src/ports/offers.ts';
import { aDelivery } from '../../builders.ts';
import { until } from '../../until.ts';
import { phones } from '../region-world.ts';
import { openWorld, storeCourier, storeDelivery, storeOffer } from '../world.ts';

const world = await openWorld('wake-phone');
const { clock } = world;

/** An open offer to a courier whose phone acknowledges or not, watched by a leader that looks twice a second. */
async function watched(over: { push?: Push; isThere?: boolean; delivery?: Parameters<typeof aDelivery>[0] } = {}) {
  const sent: { at: number; push: CourierPush }[] = [];
  const push: Push = over.push ?? {
    send: (note) => {
      sent.push({ at: clock.now() - openedAt, push: note });
      return Promise.resolve();
    },
  };
  const answers = { isThere: over.isThere ?? false };
  const notices = phones(answers);
  const offers = watchOffers({ ...world, notices, push }, () => undefined);
  const delivery: Delivery = await storeDelivery(world, { priority: 'scheduled', ...over.delivery });
  const courier = await storeCourier(world);
  const openedAt = clock.now();
  const offer = await storeOffer(world, delivery, courier, { expiresAt: openedAt + 60_000 });
  offers.add(offer, delivery);
  const pass = async (ms: number): Promise<void> => {
    for (const end = clock.now() + ms; clock.now() < end; offers.tick()) await clock.advance(500);
  };
  return { sent, answers, notices, offers, offer, delivery, courier, openedAt, pass };
}

test('[O26] a phone that has not acknowledged an offer is woken after 3 s, again every 10 s, three times', async () => {
  const { sent, pass, offer, courier, delivery } = await watched();
  await pass(2500);
  expect(sent).toEqual([]);
  await pass(57_000);
  expect(sent.map(({ at }) => at)).toEqual([3000, 13_000, 23_000]);
  const first = { type: 'offer', offerId: offer.id, courierId: courier.id, deliveryId: delivery.id, ttlRealMs: 57_000 };
  expect(sent[0]?.push).toStrictEqual(first);
  expect(world.metrics.counts.get('offers_pushed_total sent')).toBe(3);
});

test('[O26] a phone that has acknowledged the offer is not woken', async () => {
  const there = await watched({ isThere: true });
  await there.pass(30_000);
  expect(there.sent).toEqual([]);
  const late = await watched();
  await late.pass(3500);
  late.answers.isThere = true;
  await late.pass(30_000);
  expect(late.sent).toHaveLength(1);
  await until(async () => (await world.offers.find(late.offer.id))?.deliveredAt !== null);
});

test('[O26] a courier who has read the offer over HTTP is not woken, is not shown it again, and needs no push that takes it back', async () => {
  const { sent, notices, offers, offer, delivery, pass } = await watched();
  await pass(3500);
  // A read over HTTP stores this, whatever process answers it.
  await world.offers.markDelivered(offer.id, clock.now());
  offers.hold([{ offer: { ...offer, deliveredAt: clock.now() }, delivery }]);
  const shown = notices.shown.length;
  await pass(30_000);
  expect([sent.length, notices.shown.length]).toEqual([1, shown]);
  await world.offers.close(offer.id, 'withdrawn', null, clock.now());
  offers.drop(offer.id);
  await world.settled();
  expect(sent).toHaveLength(1);
});

test('[O26] an offer that was read before the acknowledgement was stored does not undo it', async () => {
  const { sent, answers, notices, offers, offer, delivery, pass } = await watched();
  answers.isThere = true;
  await pass(3500);
  await until(async () => (await world.offers.find(offer.id))?.deliveredAt !== null);
  // The watcher learns that it is stored a moment later.
  await pass(5000);
  const shown = notices.shown.length;
  offers.hold([{ offer: { ...offer, deliveredAt: null }, delivery }]);
  await pass(30_000);
  expect([sent.length, notices.shown.length]).toEqual([1, shown]);
});

test('[O26] an offer that is shown again has its delivery as it is stored by then', async () => {
  const { notices, offers, offer, delivery, pass } = await watched();
  const versions: number[] = [];
  notices.offerNew = (_offer, shown) => {
    versions.push(shown.version);
    return Promise.resolve(false);
  };
  offers.hold([{ offer, delivery: { ...delivery, version: 7 } }]);
  await pass(5000);
  expect([...new Set(versions)]).toEqual([7]);
});

test('[O26] no phone is woken for a closed offer, and none of a robo-courier', async () => {
  const gone = await watched();
  gone.offers.hold([]);
  await gone.pass(30_000);
  expect(gone.sent).toEqual([]);
  const dropped = await watched();
  await dropped.pass(1000);
  const shown = dropped.notices.shown.length;
  dropped.offers.drop(dropped.offer.id);
  await dropped.pass(30_000);
  expect([dropped.sent, dropped.notices.shown.length]).toEqual([[], shown]);
  const robo = await watched({ delivery: { robo: { timeScale: 1 } } });
  await robo.pass(30_000);
  expect(robo.sent).toEqual([]);
});

test('[O87] the push of an offer is taken back if the offer is withdrawn, and not if it was answered or never pushed', async () => {
  const close = (each: Awaited<ReturnType<typeof watched>>, state: 'withdrawn' | 'declined') =>
    world.offers.close(each.offer.id, state, null, clock.now());
  const [withdrawn, declined, unpushed, there] = [await watched(), await watched(), await watched(), await watched()];
  for (const each of [withdrawn, declined, there]) await each.pass(3500);
  for (const each of [withdrawn, unpushed, there]) await close(each, 'withdrawn');
  await close(declined, 'declined');
  withdrawn.offers.drop(withdrawn.offer.id);
  for (const each of [declined, unpushed]) each.offers.hold([]);
  there.notices.isConnected = () => Promise.resolve(true);
  there.offers.hold([]);
  await until(() => withdrawn.sent.length === 2);
  await world.settled();
  expect(withdrawn.sent[1]?.push).toMatchObject({ type: 'offer_withdrawn', offerId: withdrawn.offer.id });
  expect(declined.sent.map(({ push }) => push.type)).toEqual(['offer']);
  expect([unpushed.sent, there.sent.length]).toEqual([[], 1]);
});

test('[O26] the life of a push is machine time', async () => {
  const sent: CourierPush[] = [];
  const push: Push = { send: async (note) => void sent.push(note) };
  const offers = watchOffers(
    { ...world, clock: { ...clock, scale: 10 }, notices: phones({ isThere: false }), push },
    () => undefined,
  );
  const delivery = await storeDelivery(world);
  const offer = await storeOffer(world, delivery, await storeCourier(world));
  offers.add(offer, delivery);
  await clock.advance(3000);
  offers.tick();
  expect(sent[0]?.ttlRealMs).toBe(2200);
});

test('[O27] a failed push is tried again in its turn; the offer is shown and closed as without it', async () => {
  const from = world.log.lines.length;
  let tries = 0;
  const push: Push = {
    send: () => {
      tries += 1;
      return Promise.reject(new Error('no such device'));
    },
  };
  const { pass, notices, offer } = await watched({ push });
  await pass(59_000);
  expect(tries).toBe(3);
  expect(notices.shown.length).toBeGreaterThanOrEqual(15);
  await pass(2000);
  await until(async () => (await world.offers.find(offer.id))?.state === 'expired');
  const lines = world.log.lines.slice(from).filter(({ level }) => level === 'error');
  expect(lines).toMatchObject([{ fields: { what: 'pushes' } }]);
  expect(world.metrics.counts.get('offers_pushed_total failed')).toBe(3);
});

test('[O27] a hanging push is not repeated beside itself, and keeps nothing waiting', async () => {
  let tries = 0;
  const push: Push = {
    send: () => {
      tries += 1;
      return new Promise(() => undefined);
    },
  };
  const { pass, notices, offer } = await watched({ push });
  await pass(61_000);
  expect(tries).toBe(1);
  expect(notices.shown.length).toBeGreaterThanOrEqual(15);
  await until(async () => (await world.offers.find(offer.id))?.state === 'expired');
});

test('[O27] a push service that throws at once does no harm either', async () => {
  const push: Push = {
    send: () => {
      throw new Error('a fault of the adapter');
    },
  };
  const { pass, notices, offer } = await watched({ push });
  await pass(59_000);
  expect(notices.shown.length).toBeGreaterThanOrEqual(15);
  await pass(2000);
  await until(async () => (await world.offers.find(offer.id))?.state === 'expired');
});
