import { expect, test, vi } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { Offer } from '../../../src/domain/offers/offer.ts';
import { createFinds } from '../../../src/engines/together.ts';
import { createOfferStore } from '../../../src/models/offers/offer-store.ts';
import { aCourier, anOffer, NOON } from '../../builders.ts';
import { keptLog } from '../../kept-ports.ts';
import {
  aChange,
  anAssignment,
  CLOCK,
  fingerprint,
  offerToFree,
  openHouse,
  storeDelivery,
  SETTINGS,
} from '../../engines/mongo-house.ts';
import { OFFERS, REGIONS } from '../../../src/models/offers/offer-shapes.ts';
import { standingIn } from '../../../src/domain/couriers/courier.ts';
import { anEntry } from '../audit/an-entry.ts';

const house = await openHouse('offer-store');

/** An offer to a free courier for a delivery with an open search. */
async function aReadyOffer(over: Partial<Offer> = {}): Promise<Offer> {
  const offer = over.courierId === undefined ? await offerToFree(house, over) : anOffer(over);
  if (over.deliveryId === undefined) await storeDelivery(house, { id: offer.deliveryId });
  return offer;
}

/** Runs `happens` after the leader has read and before the offer is inserted. Returns the result. */
function beforeNextInsert<T>(happens: () => Promise<T>): () => Promise<T> {
  return atNextInsert(async (insert) => {
    const result = await happens();
    await insert();
    return result;
  });
}

/** Runs `happens` after the offer is inserted and before the leader looks whether it is still sound. */
function afterNextInsert(happens: () => Promise<unknown>): void {
  atNextInsert(async (insert) => {
    await insert();
    await happens();
  });
}

/** Runs `around` in place of the next insertion of an offer. Returns its result. */
function atNextInsert<T>(around: (insert: () => Promise<unknown>) => Promise<T>): () => Promise<T> {
  const stored: object = Object.getPrototypeOf(house.mongo.collection(OFFERS));
  const write = Reflect.get(stored, 'insertOne') as (this: unknown, row: unknown) => Promise<unknown>;
  const { promise, resolve } = Promise.withResolvers<T>();
  const spied = vi.spyOn(stored as { insertOne: typeof write }, 'insertOne');
  spied.mockImplementationOnce(async function inserting(this: unknown, row) {
    spied.mockRestore();
    resolve(await around(() => write.call(this, row)));
  });
  return () => promise;
}

test('[S8] a courier has at most one open offer, and a delivery at most one exclusive offer', async () => {
  const first = await aReadyOffer();
  expect(await house.offers.open(first)).toBe(true);
  expect(await house.offers.findOpenOf(first.courierId)).toStrictEqual(first);
  expect(await house.offers.open(first)).toBe(false);
  expect(await house.offers.open(await aReadyOffer({ courierId: first.courierId }))).toBe(false);
  expect(await house.offers.open(await offerToFree(house, { deliveryId: first.deliveryId }))).toBe(false);

  expect(await house.offers.close(first.id, 'declined', 'busy', NOON + 1)).not.toBeNull();
  expect(await house.offers.open(await aReadyOffer({ courierId: first.courierId }))).toBe(true);
  expect(await house.offers.open(await offerToFree(house, { deliveryId: first.deliveryId }))).toBe(true);
});

test('[S8] a delivery may have several parallel offers, one per courier', async () => {
  const { id: deliveryId } = await storeDelivery(house);
  const offers = await Promise.all([1, 2, 3].map(() => offerToFree(house, { deliveryId, isExclusive: false })));
  for (const offer of offers) expect(await house.offers.open(offer)).toBe(true);
  const open = await house.offers.listOpen([deliveryId, newId('del')]);
  expect(new Set(open)).toStrictEqual(new Set(offers));
});

test('[S7] no offer is opened for a delivery without a search', async () => {
  const { id: deliveryId } = await storeDelivery(house, { state: 'assigned' });
  const unsound = [await offerToFree(house, { deliveryId }), await offerToFree(house)];
  const stored = await fingerprint(house);
  for (const offer of unsound) {
    expect(await house.offers.open(offer)).toBe(false);
    expect(await house.offers.find(offer.id)).toBeNull();
  }
  expect(await fingerprint(house)).toMatchObject({ offers: (stored as { offers: string }).offers });
});

const MEANWHILE: Record<string, (offer: Offer) => Promise<unknown>> = {
  'goes offline': ({ courierId }) =>
    house.couriers.setAvailability({ id: courierId, version: 1 }, 'offline', NOON, null),
  'is suspended': ({ courierId }) =>
    house.couriers.setStanding({ id: courierId, version: 1 }, standingIn(aCourier(), 'suspended'), anEntry()),
  'is given another delivery by hand': async ({ courierId }) =>
    house.commit(anAssignment(await storeDelivery(house), await house.couriers.get(courierId))),
};

for (const [what, happens] of Object.entries(MEANWHILE)) {
  test(`[S42] no offer stays open to a courier who ${what} while it is being opened`, async () => {
    const offer = await aReadyOffer();
    const meanwhile = beforeNextInsert(() => happens(offer));
    expect(await house.offers.open(offer)).toBe(false);
    expect(await meanwhile()).toBeTruthy();
    expect(await house.offers.findOpenOf(offer.courierId)).toBeNull();
  });
}

test('[O8] an offer that a phone shows stays open if a newer leader began while it was written', async () => {
  const [shown, unseen] = [
    await aReadyOffer({ fence: 1, region: 'west' }),
    await aReadyOffer({ fence: 1, region: 'east' }),
  ];
  for (const { id, region, isShown } of [
    { ...shown, isShown: true },
    { ...unseen, isShown: false },
  ]) {
    afterNextInsert(async () => {
      await house.mongo.collection(REGIONS).updateOne({ _id: region }, { $set: { fence: 2 } });
      if (isShown) await house.offers.markDelivered(id, NOON);
    });
    expect(await house.offers.open(isShown ? shown : unseen)).toBe(false);
  }
  expect(await house.offers.listOpenIn('west')).toEqual([{ ...shown, deliveredAt: NOON }]);
  expect(await house.offers.listOpenIn('east')).toEqual([]);
});

test('[S42] no offer stays open for a search that is postponed while it is being opened', async () => {
  const delivery = await storeDelivery(house);
  const offer = await aReadyOffer({ deliveryId: delivery.id });
  const later = aChange(delivery, { searchFromAt: CLOCK.now() + 3_600_000 }, 'delivery.delayed');
  const meanwhile = beforeNextInsert(() => house.commit(later));
  expect(await house.offers.open(offer)).toBe(false);
  expect(await meanwhile()).toMatchObject({ ok: true });
  expect(await house.offers.listOpen([delivery.id])).toEqual([]);
});

test('[S42] no offer stays open for a delivery that changes while it is being opened', async () => {
  const delivery = await storeDelivery(house);
  const offer = await aReadyOffer({ deliveryId: delivery.id, deliveryVersion: delivery.version });
  const meanwhile = beforeNextInsert(() => house.commit(aChange(delivery, {}, 'delivery.delayed')));
  expect(await house.offers.open(offer)).toBe(false);
  expect(await meanwhile()).toMatchObject({ ok: true });
  expect(await house.offers.listOpen([delivery.id])).toEqual([]);
  expect(await house.offers.open({ ...offer, deliveryVersion: delivery.version + 1 })).toBe(true);
});

test('[S19] an offer with an older fencing number than the newest of its region is not opened', async () => {
  const region = 'north';
  const open = async (fence: number, where = region): Promise<boolean> =>
    house.offers.open(await aReadyOffer({ fence, region: where }));
  expect(await open(5)).toBe(true);
  expect(await open(5)).toBe(true);
  expect(await open(4)).toBe(false);
  expect(await open(7)).toBe(true);
  expect(await open(6)).toBe(false);
  expect(await open(1, 'north-east')).toBe(true);
  const first = await Promise.all([9, 9, 9, 9].map((fence) => open(fence, 'south')));
  expect(first).toEqual([true, true, true, true]);
  expect(await house.offers.listOpenIn(region)).toHaveLength(3);
});

test('[S32] the log reports once that a leader’s fencing number is refused, with the newest number', async () => {
  const log = keptLog();
  const offers = createOfferStore({ ...house.mongo, log }, CLOCK, { ...SETTINGS, finds: createFinds(CLOCK) });
  const open = async (fence: number): Promise<boolean> => offers.open(await aReadyOffer({ fence, region: 'west' }));
  expect(await open(9)).toBe(true);
  expect(log.lines).toEqual([]);
  expect([await open(5), await open(5), await open(6)]).toEqual([false, false, false]);
  expect(log.lines).toMatchObject([
    { level: 'warn', fields: { region: 'west', fence: 5, newest: 9 } },
    { level: 'warn', fields: { region: 'west', fence: 6, newest: 9 } },
  ]);
});

test('[S19] a leader that is replaced between the check of its fence and the insert leaves no offer behind', async () => {
  const region = 'east';
  const old = await aReadyOffer({ fence: 3, region });
  const newer = await aReadyOffer({ fence: 4, region });
  const meanwhile = beforeNextInsert(() => house.offers.open(newer));
  expect(await house.offers.open(old)).toBe(false);
  expect(await meanwhile()).toBe(true);
  expect(await house.offers.listOpenIn(region)).toStrictEqual([newer]);
});

test('[S20] a closed offer is no longer open, keeps its end and cannot be closed again', async () => {
  const offer = await aReadyOffer();
  await house.offers.open(offer);
  await house.offers.markDelivered(offer.id, NOON + 5);
  await house.offers.markDelivered(offer.id, NOON + 9);
  const closed = { ...offer, deliveredAt: NOON + 5, state: 'expired', reason: 'late', closedAt: NOON + 10 };
  expect(await house.offers.close(offer.id, 'expired', 'late', NOON + 10)).toStrictEqual(closed);
  expect(await house.offers.find(offer.id)).toStrictEqual(closed);
  expect(await house.offers.findOpenOf(offer.courierId)).toBeNull();
  expect(await house.offers.listOpen([offer.deliveryId])).toEqual([]);
  expect(await house.offers.close(offer.id, 'declined', null, NOON + 11)).toBeNull();
  expect(await house.offers.close(newId('off'), 'declined', null, NOON)).toBeNull();
  await house.offers.markDelivered(offer.id, NOON + 20);
  expect(await house.offers.find(offer.id)).toStrictEqual(closed);
});

test('[S20] the store remembers declined and expired offers of a delivery, but not withdrawn ones', async () => {
  const { id: deliveryId } = await storeDelivery(house);
  const ends = [
    ['declined', NOON],
    ['expired', NOON + 1000],
    ['withdrawn', NOON + 1000],
  ] as const;
  const offers = [];
  for (const [state, at] of ends) {
    const offer = await offerToFree(house, { deliveryId });
    await house.offers.open(offer);
    offers.push(await house.offers.close(offer.id, state, null, at));
  }
  const [declined, expired] = offers;
  expect(await house.offers.listClosed([deliveryId, newId('del')], NOON)).toStrictEqual([declined, expired]);
  expect(await house.offers.listClosed([deliveryId], NOON + 1)).toStrictEqual([expired]);
  expect(await house.offers.listClosed([newId('del')], NOON)).toEqual([]);
});

test('[S20] open offers whose time is over are listed as expired, oldest first', async () => {
  const late = await aReadyOffer({ expiresAt: NOON - 100 });
  const later = await aReadyOffer({ expiresAt: NOON - 200 });
  for (const offer of [late, later, await aReadyOffer()]) await house.offers.open(offer);
  expect(await house.offers.listExpired(NOON - 100, 10)).toStrictEqual([later, late]);
  expect(await house.offers.listExpired(NOON, 1)).toStrictEqual([later]);
  expect(await house.offers.listExpired(NOON - 201, 10)).toEqual([]);
});
