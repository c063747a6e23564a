import { expect, test } from 'vitest';
import { acceptOffer, declineOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { closeExpired } from '../../../src/dispatch/close-offer.ts';
import type { AcceptanceRecord } from '../../../src/domain/offers/acceptance.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import type { Offer } from '../../../src/domain/offers/offer.ts';
import { createAcceptanceStore } from '../../../src/models/learning/acceptance-store.ts';
import type { Mongo } from '../../../src/engines/mongo.ts';
import type { AcceptanceStore } from '../../../src/ports/dispatch/learning.ts';
import { asCourier, asVendor } from '../../callers.ts';
import { keptLog } from '../../kept-ports.ts';
import { until } from '../../until.ts';
import { codeOf, openWorld, storeCourier, storeDelivery, storeOffer } from '../world.ts';

const world = await openWorld('count-answers');

/** The record as another process reads it. */
async function recordOf({ id }: Courier): Promise<AcceptanceRecord | undefined> {
  return (await createAcceptanceStore(world.mongo, world.clock).estimates([id])).get(id);
}

/** An open offer 4 km away to a new courier. */
async function offered(over: Partial<Offer> = {}) {
  const courier = await storeCourier(world);
  const delivery = await storeDelivery(world);
  const offer = await storeOffer(world, delivery, courier, { distanceM: 4000, ...over });
  return { courier, delivery, offer, ask: { offerId: offer.id, reason: null }, caller: asCourier(courier) };
}

test('[O22] an accepted offer is a yes of its band, however often it is accepted', async () => {
  const { courier, ask, caller } = await offered();
  await Promise.all(Array.from({ length: 5 }, () => acceptOffer(world, ask, caller)));
  await acceptOffer(world, ask, caller);
  await until(async () => (await recordOf(courier)) !== undefined);
  expect(await recordOf(courier)).toMatchObject({
    at: world.clock.now(),
    bands: { km_0_1: { asked: 0 }, km_3_6: { asked: 1, accepted: 1 } },
  });
});

test('[O22] a declined offer is a no, also when it is declined again', async () => {
  const { courier, ask, caller } = await offered();
  await declineOffer(world, ask, caller);
  await declineOffer(world, ask, caller);
  await until(async () => (await recordOf(courier)) !== undefined);
  expect(await recordOf(courier)).toMatchObject({ bands: { km_3_6: { asked: 1, accepted: 0 } } });
});

test('[D20] a decline after the time of the offer is too late, and the offer is expired', async () => {
  const { delivery, courier, ask, caller } = await offered({ expiresAt: world.clock.now() - 1 });
  expect(await codeOf(declineOffer(world, ask, caller))).toBe('offer_expired');
  expect(await codeOf(declineOffer(world, ask, caller))).toBe('offer_expired');
  expect(await world.offers.find(ask.offerId)).toMatchObject({ state: 'expired', deliveryId: delivery.id });
  expect(await recordOf(courier)).toBeUndefined();
});

test('[O22] an expired offer is a no if a phone showed it, and nothing if none did', async () => {
  const shown = await offered();
  const unseen = await offered();
  await world.offers.markDelivered(shown.offer.id, world.clock.now());
  for (const { offer } of [unseen, shown]) expect(await closeExpired(world, offer)).toBe(true);
  await until(async () => (await recordOf(shown.courier)) !== undefined);
  expect(await recordOf(shown.courier)).toMatchObject({ bands: { km_3_6: { asked: 1, accepted: 0 } } });
  expect(await recordOf(unseen.courier)).toBeUndefined();
});

test('[O22] an offer that was withdrawn, refused to the courier, or made at an unknown distance counts as nothing', async () => {
  const canceled = await offered();
  await world.offers.markDelivered(canceled.offer.id, world.clock.now());
  const { delivery } = canceled;
  await cancelDelivery(world, { deliveryId: delivery.id, reason: null }, asVendor(delivery));
  expect(await codeOf(acceptOffer(world, canceled.ask, canceled.caller))).toBe('offer_taken');
  const late = await offered({ expiresAt: world.clock.now() - 1 });
  expect(await codeOf(acceptOffer(world, late.ask, late.caller))).toBe('offer_expired');
  const unknown = await offered({ distanceM: null });
  await declineOffer(world, unknown.ask, unknown.caller);
  const marker = await offered();
  await declineOffer(world, marker.ask, marker.caller);
  await until(async () => (await recordOf(marker.courier)) !== undefined);
  for (const { courier } of [canceled, late, unknown]) expect(await recordOf(courier)).toBeUndefined();
});

/** The store when its collection never answers, or answers with an error. */
function broken(write: () => Promise<unknown>) {
  const log = keptLog();
  const collection: Mongo['collection'] = (of) => Object.assign(world.mongo.collection(of), { bulkWrite: write });
  const mongo: Mongo = { ...world.mongo, log, collection };
  return { acceptance: createAcceptanceStore(mongo, world.clock), log };
}

test.each([
  ['hangs', () => new Promise<never>(() => undefined)],
  ['fails', () => Promise.reject(new Error('away'))],
])('[O25] when counting %s, offers are answered and closed all the same', async (_how, write) => {
  const { acceptance } = broken(write);
  const ctx = { ...world, acceptance };
  const [yes, no, late] = [await offered(), await offered(), await offered()];
  await world.offers.markDelivered(late.offer.id, world.clock.now());
  expect((await acceptOffer(ctx, yes.ask, yes.caller)).courierId).toBe(yes.courier.id);
  await declineOffer(ctx, no.ask, no.caller);
  expect(await closeExpired(ctx, late.offer)).toBe(true);
  const states = await Promise.all(
    [yes, no, late].map(async ({ offer }) => (await world.offers.find(offer.id))?.state),
  );
  expect(states).toEqual(['accepted', 'declined', 'expired']);
});

test('[O25] a bounded number of unwritten answers waits, and the failure is logged', async () => {
  let written = 0;
  let letGo: (error: Error) => void = () => undefined;
  const hung = new Promise<never>((_resolve, reject) => void (letGo = reject));
  const { acceptance, log } = broken(((operations: unknown[]) => {
    written += operations.length;
    return written === 1 ? hung : Promise.resolve();
  }) as () => Promise<unknown>);
  const { courier, offer } = await offered();
  const closed: Parameters<AcceptanceStore['record']>[0] = { ...offer, state: 'declined', closedAt: world.clock.now() };
  for (let i = 0; i < 12_000; i += 1) acceptance.record(closed);
  expect(written).toBe(1);
  letGo(new Error('away'));
  await until(() => written === 10_001);
  expect(log.lines).toMatchObject([{ level: 'warn', fields: { answers: 1 } }]);
  expect(courier.id).toBe(closed.courierId);
});
