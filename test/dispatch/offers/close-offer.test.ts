import { expect, test } from 'vitest';
import { acceptOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { withdrawForBetter } from '../../../src/dispatch/close-offer.ts';
import { newId } from '../../../src/domain/ids.ts';
import { GONE_REASONS, goneReasonOf } from '../../../src/domain/offers/offer.ts';
import { asCourier } from '../../callers.ts';
import { codeOf, openWorld, storeCourier, storeDelivery, storeOffer } from '../world.ts';

const world = await openWorld('withdraw-offer');

async function offered() {
  const courier = await storeCourier(world);
  const delivery = await storeDelivery(world);
  return { courier, delivery, offer: await storeOffer(world, delivery, courier) };
}

const bettered = (): number => world.metrics.counts.get('offers_bettered_total') ?? 0;

test('[O29] an offer is withdrawn for a much better match, and the courier learns why', async () => {
  const { offer, delivery, courier } = await offered();
  const before = bettered();
  const rung = world.bell.rung.length;
  expect(await withdrawForBetter(world, offer)).toBe(true);
  expect(world.notices.withdrawn.at(-1)).toMatchObject({ id: offer.id, state: 'withdrawn', reason: 'better_match' });
  expect(await world.offers.find(offer.id)).toMatchObject({ state: 'withdrawn', reason: 'better_match' });
  expect(bettered() - before).toBe(1);
  // The run that found the better match is still in progress.
  expect(world.bell.rung).toHaveLength(rung);
  expect(await codeOf(acceptOffer(world, { offerId: offer.id }, asCourier(courier)))).toBe('offer_taken');
  // Delivery and courier are not kept apart, and both may have the next offer.
  expect(await world.offers.listClosed([delivery.id], 0)).toEqual([]);
  await storeOffer(world, delivery, await storeCourier(world));
  await storeOffer(world, await storeDelivery(world), courier);
});

test('[O29] an offer that is no longer open is not withdrawn, and nobody is informed', async () => {
  const { offer, courier } = await offered();
  await acceptOffer(world, { offerId: offer.id }, asCourier(courier));
  const before = bettered();
  const told = world.notices.withdrawn.length;
  expect(await withdrawForBetter(world, offer)).toBe(false);
  expect(await world.offers.find(offer.id)).toMatchObject({ state: 'accepted' });
  expect([bettered(), world.notices.withdrawn.length]).toEqual([before, told]);
});

test('[O29] if a yes and a better match come at once, one wins: the courier has the delivery, or was informed', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 24; round += 1) {
    const { offer, delivery, courier } = await offered();
    const accepting = acceptOffer(world, { offerId: offer.id }, asCourier(courier));
    // The better match comes one read later each round, so that each of the two wins at times.
    const outdoing = reads(round % 8).then(() => withdrawForBetter(world, offer));
    const [yes, back] = await Promise.allSettled([accepting, outdoing]);
    const isTaken = yes.status === 'fulfilled';
    expect(back).toEqual({ status: 'fulfilled', value: !isTaken });
    expect((await world.deliveries.get(delivery.id)).courierId).toBe(isTaken ? courier.id : null);
    expect((await world.offers.find(offer.id))?.state).toBe(isTaken ? 'accepted' : 'withdrawn');
    outcomes.add(yes.status);
  }
  expect([...outcomes].toSorted()).toEqual(['fulfilled', 'rejected']);
}, 300_000);

async function reads(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await world.offers.find(newId('off'));
}

test('[O30] the phone receives one of a closed list of reasons for an offer that is gone', () => {
  for (const reason of GONE_REASONS) {
    const state = reason === 'expired' ? 'expired' : 'withdrawn';
    expect(goneReasonOf({ state, reason })).toBe(reason);
  }
  // Any other stored reason, such as one of another version, adds no new word to the wire.
  for (const reason of [null, '', 'too far for me', 'expired']) {
    expect(goneReasonOf({ state: 'withdrawn', reason })).toBe('taken');
  }
});
