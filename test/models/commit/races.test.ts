import { expect, test, vi } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import { aCourier, anOffer, NOON } from '../../builders.ts';
import {
  aBirth,
  aChange,
  anAssignment,
  offerToFree,
  openHouse,
  storeCourier,
  storeDelivery,
  claiming,
  withdrawing,
} from '../../engines/mongo-house.ts';

// None of 64 concurrent commits waits for a connection so long that it is refused.
const house = await openHouse('store-races', 'maxConnecting=64');
// A test makes hundreds of writes one after the other: a busy disk may take a second for each.
vi.setConfig({ testTimeout: 300_000 });
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const winners = (results: readonly { readonly ok: boolean }[]): number => results.filter(({ ok }) => ok).length;

test('[S6] exactly one of two racing commits wins, and the delivery has only the winner’s events', async () => {
  for (let round = 0; round < 30; round += 1) {
    const delivery = await storeDelivery(house);
    const changes = [aChange(delivery, { fee: round }), aChange(delivery, { state: 'canceled' }, 'canceled')];
    const results = await Promise.all(changes.map((change) => house.commit(change)));
    expect(winners(results)).toBe(1);
    const winner = changes[results.findIndex(({ ok }) => ok)];
    expect(await house.deliveries.get(delivery.id)).toStrictEqual(winner?.after);
    expect(await house.eventLog.list(delivery.id, 1, 10)).toStrictEqual(winner?.events);
  }
});

test('[S6] if 64 couriers accept one delivery at once, it is assigned to one of them only', async () => {
  const delivery = await storeDelivery(house);
  const couriers = await Promise.all(times(64, () => storeCourier(house)));
  const offers = couriers.map(({ id }) => anOffer({ deliveryId: delivery.id, courierId: id, isExclusive: false }));
  expect(await Promise.all(offers.map((offer) => house.offers.open(offer)))).toEqual(offers.map(() => true));
  const results = await Promise.all(
    couriers.map((courier, index) => house.commit(anAssignment(delivery, courier, offers[index] ?? null))),
  );
  expect(winners(results)).toBe(1);
  const winner = couriers[results.findIndex(({ ok }) => ok)];
  const after = await house.couriers.findMany(couriers.map(({ id }) => id));
  expect(after.filter(({ active }) => active.length > 0).map(({ id }) => id)).toEqual([winner?.id]);
  expect(await house.deliveries.get(delivery.id)).toMatchObject({ version: 2, courierId: winner?.id });
  expect(await house.eventLog.list(delivery.id, 0, 10)).toHaveLength(2);
  expect(results.flatMap((result) => (result.ok ? result.withdrawn : []))).toHaveLength(63);
  expect(await house.offers.listOpen([delivery.id])).toEqual([]);
});

test('[S6] a courier who accepts 32 deliveries at once gets no more than their capacity', async () => {
  const courier = await storeCourier(house, { capacity: 2 });
  const deliveries = await Promise.all(times(32, () => storeDelivery(house)));
  // Each was decided on the version that it read. A second try reads the next one.
  for (const version of [1, 2, 3]) {
    const seen = { ...courier, version };
    await Promise.all(deliveries.map((delivery) => house.commit(anAssignment(delivery, seen))));
  }
  const { active } = await house.couriers.get(courier.id);
  expect(active).toHaveLength(2);
  const held = await house.deliveries.findMany(deliveries.map(({ id }) => id));
  expect(
    held
      .filter(({ state }) => state === 'assigned')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(active.toSorted());
});

test('[S6] exactly one of 16 creates that claim one fact is stored, and the others get its owner', async () => {
  const fact = `external:${newId('ven')}:1`;
  const births = times(16, () => aBirth({})).map((birth) => ({
    ...birth,
    effects: [claiming({ fact, holder: birth.after.id })],
  }));
  const results = await Promise.all(births.map((birth) => house.commit(birth)));
  expect(winners(results)).toBe(1);
  const [stored, ...more] = await house.deliveries.findMany(births.map(({ after }) => after.id));
  expect(more).toEqual([]);
  const claim = { fact, holder: stored?.id };
  expect(results.filter(({ ok }) => !ok)).toEqual(times(15, () => ({ ok: false, why: 'claimed', claim })));
});

test('[S6] if a phone is added 16 times at once, it has one courier', async () => {
  const couriers = times(16, () => aCourier({ phone: '+49301112223' }));
  const added = await Promise.all(couriers.map((courier) => house.couriers.add(courier, null)));
  expect(added.filter(Boolean)).toHaveLength(1);
  expect(await house.couriers.findByPhone('+49301112223', false)).toStrictEqual(couriers[added.indexOf(true)]);
});

test('[S7] no offer stays open on a delivery that is taken or ends while the offer is being opened', async () => {
  for (let round = 0; round < 40; round += 1) {
    const delivery = await storeDelivery(house);
    const { id: deliveryId } = delivery;
    const offers = await Promise.all(times(3, () => offerToFree(house, { deliveryId, isExclusive: false })));
    const ended = aChange(delivery, { state: 'canceled' }, 'canceled');
    const ending = house.commit({ ...ended, effects: [withdrawing(delivery)] });
    const opened = await Promise.all(offers.map((offer) => house.offers.open(offer)));
    const result = await ending;
    expect(await house.offers.listOpen([delivery.id])).toEqual([]);
    // A caller who learned that the offer is open also learns that it is gone.
    const told = new Set(result.ok ? result.withdrawn.map(({ id }) => id) : []);
    const lost = offers.filter(({ id }, index) => opened[index] === true && !told.has(id));
    expect(lost).toEqual([]);
  }
});

test('[S8] if two callers close an offer at once, one of them closes it', async () => {
  for (const offer of await Promise.all(times(10, () => offerToFree(house)))) {
    await storeDelivery(house, { id: offer.deliveryId });
    expect(await house.offers.open(offer)).toBe(true);
    const closed = await Promise.all([
      house.offers.close(offer.id, 'expired', null, NOON),
      house.offers.close(offer.id, 'declined', 'busy', NOON),
    ]);
    expect(closed.filter((one) => one !== null)).toHaveLength(1);
  }
});
