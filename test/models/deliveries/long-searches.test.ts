import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId, type DeliveryId } from '../../../src/domain/ids.ts';
import type { ClosedState } from '../../../src/domain/offers/offer.ts';
import type { LongSearched } from '../../../src/ports/deliveries.ts';
import type { PageMark } from '../../../src/ports/pages.ts';
import { aCourier, anOffer, NOON } from '../../builders.ts';
import { anAssignment, offerToFree, openHouse, storeCourier, storeDelivery } from '../../engines/mongo-house.ts';
import { costsOf } from '../reading-costs.ts';

const house = await openHouse('long-searches');
const MINUTE = 60_000;

/** A delivery whose search counts from `minutes` before noon. Those that count longest have begun last. */
const searched = (minutes: number, over: Parameters<typeof storeDelivery>[1] = {}): Promise<Delivery> =>
  storeDelivery(house, {
    searchFromAt: NOON - (100 - minutes) * MINUTE,
    searchCountsFromAt: NOON - minutes * MINUTE,
    ...over,
  });

async function pagesOf(filter: LongSearched, limit: number): Promise<DeliveryId[][]> {
  const pages: DeliveryId[][] = [];
  let after: PageMark | null = null;
  do {
    const page = await house.deliveries.listLongSearched(filter, { limit, after });
    pages.push(page.items.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return pages;
}

test('[O33] long searches are paged, oldest first and each once, while others are created and assigned', async () => {
  const at = [30, 20, 20, 20, 15, 10];
  const long: Delivery[] = [];
  for (const minutes of at) long.push(await searched(minutes));
  const [, , , , gone] = long;
  await searched(9);
  await searched(-5);
  await searched(40, { state: 'assigned' });
  const filter: LongSearched = { countingSince: NOON - 10 * MINUTE };
  const ids = long.map(({ id }) => id);
  expect(await pagesOf(filter, 3)).toEqual([ids.slice(0, 3), ids.slice(3)]);
  expect(await pagesOf(filter, 7)).toEqual([ids]);

  const first = await house.deliveries.listLongSearched(filter, { limit: 3, after: null });
  const courier = await storeCourier(house, aCourier());
  if (gone === undefined) throw new Error('there is a fifth');
  expect((await house.commit(anAssignment(gone, courier))).ok).toBe(true);
  await searched(25);
  const rest = await house.deliveries.listLongSearched(filter, { limit: 50, after: first.next });
  expect(rest.items.map(({ id }) => id)).toEqual(ids.slice(3).filter((id) => id !== gone.id));
});

test('[O33] long searches can be filtered by mode', async () => {
  const live = await searched(60, { liveMode: true });
  const filter: LongSearched = { countingSince: NOON - 10 * MINUTE };
  expect((await pagesOf({ ...filter, liveMode: true }, 50)).flat()).toEqual([live.id]);
  const test = (await pagesOf({ ...filter, liveMode: false }, 50)).flat();
  expect(test).not.toContain(live.id);
  expect((await pagesOf(filter, 50)).flat()).toEqual([live.id, ...test]);
});

test('[O33] the cost of a page depends only on its entries, wherever in the queue it is', async () => {
  const own = await openHouse('long-searches-many', 'maxConnecting=64');
  const ages = Array.from({ length: 80 }, (_, minutes) => minutes);
  await Promise.all(ages.map((minutes) => storeDelivery(own, { searchCountsFromAt: NOON - minutes * MINUTE })));
  for (const after of [null, { at: NOON - 30 * MINUTE, id: newId('del') }]) {
    const costs = await costsOf(own.mongo, 'deliveries', async () => {
      const page = await own.deliveries.listLongSearched({ countingSince: NOON }, { limit: 10, after });
      expect(page.items).toHaveLength(10);
    });
    expect(costs.map(({ docsExamined }) => docsExamined <= 12)).toEqual([true]);
  }
}, 60_000);

test('[O34] the closed offers of a delivery are counted by how they ended, and the last one is shown', async () => {
  const [first, second, none] = [await searched(1), await searched(1), await searched(1)];
  const close = async (
    delivery: Delivery,
    state: Exclude<ClosedState, 'accepted'>,
    reason: string | null,
    at: number,
  ) => {
    const offer = await offerToFree(house, { deliveryId: delivery.id });
    expect(await house.offers.open(offer)).toBe(true);
    expect(await house.offers.close(offer.id, state, reason, at)).not.toBeNull();
  };
  await close(first, 'declined', 'too far', NOON + 1);
  await close(first, 'expired', 'expired', NOON + 3);
  await close(first, 'declined', 'rain', NOON + 2);
  await close(first, 'withdrawn', 'better_match', NOON - 1);
  await close(second, 'declined', null, NOON);
  const open = await offerToFree(house, { deliveryId: second.id });
  await house.offers.open(open);
  const tries = await house.offers.countClosed([first.id, second.id, none.id, newId('del')]);
  expect(Object.fromEntries(tries)).toEqual({
    [first.id]: {
      counts: { accepted: 0, declined: 2, expired: 1, withdrawn: 1 },
      last: { state: 'expired', reason: 'expired', closedAt: NOON + 3 },
    },
    [second.id]: {
      counts: { accepted: 0, declined: 1, expired: 0, withdrawn: 0 },
      last: { state: 'declined', reason: null, closedAt: NOON },
    },
  });
  expect(await house.offers.countClosed([])).toEqual(new Map());
});

test('[O34] an offer that was accepted before the delivery was given back is counted', async () => {
  const delivery = await searched(1);
  const courier = await storeCourier(house);
  const offer = anOffer({ deliveryId: delivery.id, courierId: courier.id });
  await house.offers.open(offer);
  expect((await house.commit(anAssignment(delivery, courier, offer))).ok).toBe(true);
  const tries = (await house.offers.countClosed([delivery.id])).get(delivery.id);
  expect(tries).toMatchObject({ counts: { accepted: 1 }, last: { state: 'accepted', reason: null } });
});
