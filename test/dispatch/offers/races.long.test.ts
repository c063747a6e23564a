import { expect, test } from 'vitest';
import { pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { acceptOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { setAvailability } from '../../../src/dispatch/couriers/set-availability.ts';
import type { DeliveryId } from '../../../src/domain/ids.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { eventsOf, openWorld, storeCourier, storeDelivery, storeHeld, storeOffer } from '../world.ts';

/** Races of a cancel against a pick-up. [J70] has 10,000 of a cancel against the last handover, which also book money. */
const RACES = 2000;
const AT_ONCE = 25;
/** The most batches of races in which each outcome must occur. */
const MOST_BATCHES = 10;
/** Hundreds of races with many transactions each. The limit only ends a hanging test, also on a busy machine. */
const LIMIT_MS = 900_000;
const world = await openWorld('races');
/** A second process on the same engines. */
const other = { ...world, ...world.elsewhere };

/** Runs this many races, some at the same time, and counts how they ended. */
async function raceMany(count: number, race: (index: number) => Promise<string>): Promise<Record<string, number>> {
  const ends: Record<string, number> = {};
  let started = 0;
  const runner = async (): Promise<void> => {
    while (started < count) {
      const end = await race((started += 1));
      ends[end] = (ends[end] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
  return ends;
}

async function codeOrDone(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    // Losing a race is an answer. Any other error is a fault.
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** The history without the birth. Fails if it has a hole. */
async function storyOf(id: DeliveryId): Promise<string> {
  const events = await eventsOf(world, id);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  return events
    .slice(1)
    .map(({ type }) => type)
    .join(' ');
}

test(
  '[D42] cancel against pick-up: one of them wins as a whole, and the other decides on its result',
  async () => {
    const ends = await raceMany(RACES, async (index) => {
      const { delivery, courier } = await storeHeld(world, 'assigned');
      const cancel = () =>
        codeOrDone(cancelDelivery(world, { deliveryId: delivery.id, reason: null }, asVendor(delivery)));
      const pick = () =>
        codeOrDone(pickUp(other, { deliveryId: delivery.id, overrideReason: 'no satellites' }, asCourier(courier)));
      // The first call has a small advantage, so they take turns.
      const both = index % 2 === 0 ? [cancel(), pick()] : [pick(), cancel()];
      const [first, second] = await Promise.all(both);
      const [canceled, picked] = index % 2 === 0 ? [first, second] : [second, first];
      const story = await storyOf(delivery.id);
      const after = await world.deliveries.get(delivery.id);
      const { active } = await world.couriers.get(courier.id);
      expect(after.state).toBe('canceled');
      expect(active).toEqual(after.related);
      expect(after.related).toHaveLength(picked === 'done' ? 1 : 0);
      return `${story}: cancel ${canceled}, pick-up ${picked}`;
    });
    const cancelFirst = 'canceled: cancel done, pick-up invalid_state_transition';
    const pickUpFirst = 'picked_up canceled: cancel done, pick-up done';
    expect(Object.keys(ends).toSorted()).toEqual([cancelFirst, pickUpFirst]);
  },
  LIMIT_MS,
);

test(
  '[D43] accept against cancel: the delivery is canceled, and no courier is left with it',
  async () => {
    const race = async (index: number): Promise<string> => {
      const [delivery, courier] = await Promise.all([storeDelivery(world), storeCourier(world)]);
      const offer = await storeOffer(world, delivery, courier);
      const accept = () => codeOrDone(acceptOffer(world, { offerId: offer.id }, asCourier(courier)));
      const cancel = async () => {
        // Accepting reads more than canceling. A few reads ahead of the cancel let each win at times.
        for (let read = 0; read < index % 6; read += 1) await world.deliveries.get(delivery.id);
        await cancelDelivery(other, { deliveryId: delivery.id, reason: null }, asVendor(delivery));
      };
      const [accepted] = await Promise.all([accept(), cancel()]);
      expect((await world.couriers.get(courier.id)).active).toEqual([]);
      expect(await world.offers.findOpenOf(courier.id)).toBeNull();
      return `${await storyOf(delivery.id)}: accept ${accepted}`;
    };
    const ends = new Set<string>();
    // On a slow machine one of them may win a whole batch.
    for (let batch = 0; batch < MOST_BATCHES && ends.size < 2; batch += 1)
      for (const end of Object.keys(await raceMany(100, race))) ends.add(end);
    expect([...ends].toSorted()).toEqual(['canceled: accept offer_taken', 'courier.assigned canceled: accept done']);
  },
  LIMIT_MS,
);

test(
  '[D44] of many couriers who accept one delivery exactly one has it; the others learn that it is taken',
  async () => {
    const ends = await raceMany(20, async () => {
      const delivery = await storeDelivery(world);
      const couriers = await Promise.all(Array.from({ length: 10 }, () => storeCourier(world)));
      const offers = await Promise.all(
        couriers.map((courier) => storeOffer(world, delivery, courier, { isExclusive: false })),
      );
      const accepts = couriers.map((courier, index) =>
        codeOrDone(acceptOffer(index % 2 === 0 ? world : other, { offerId: offers[index]!.id }, asCourier(courier))),
      );
      const outcomes = (await Promise.all(accepts)).toSorted();
      const holders = (await world.couriers.findMany(couriers.map(({ id }) => id))).filter(
        ({ active }) => active.length > 0,
      );
      expect(holders).toMatchObject([
        { id: (await world.deliveries.get(delivery.id)).courierId, active: [delivery.id] },
      ]);
      expect(await world.offers.listOpen([delivery.id])).toEqual([]);
      return `${await storyOf(delivery.id)}: ${outcomes.join(' ')}`;
    });
    expect(ends).toEqual({ [`courier.assigned: done${' offer_taken'.repeat(9)}`]: 20 });
  },
  LIMIT_MS,
);

test(
  '[D44] a courier who is assigned two deliveries at once has one',
  async () => {
    const ends = await raceMany(50, async () => {
      const courier = await storeCourier(world);
      const deliveries = await Promise.all([storeDelivery(world), storeDelivery(world)]);
      const assigns = deliveries.map(({ id }) =>
        codeOrDone(
          assignCourier(
            world,
            { deliveryId: id, courierId: courier.id, offerId: null, overrideReason: null },
            asStaff(),
          ),
        ),
      );
      const outcomes = (await Promise.all(assigns)).toSorted();
      const { active } = await world.couriers.get(courier.id);
      expect(active).toHaveLength(1);
      return outcomes.join(' ');
    });
    expect(ends).toEqual({ 'courier_unavailable done': 50 });
  },
  LIMIT_MS,
);

test(
  '[D45] accept against going offline: the courier has it or not, and no offer stays open',
  async () => {
    const ends = await raceMany(100, async (index) => {
      const [delivery, courier] = await Promise.all([storeDelivery(world), storeCourier(world)]);
      const offer = await storeOffer(world, delivery, courier);
      const accept = () => codeOrDone(acceptOffer(world, { offerId: offer.id }, asCourier(courier)));
      const leave = () =>
        codeOrDone(setAvailability(world, { courierId: courier.id, availability: 'offline' }, asCourier(courier)));
      const outcomes = await Promise.all(index % 2 === 0 ? [accept(), leave()] : [leave(), accept()]);
      const isHis = outcomes[index % 2] === 'done';
      expect(await world.couriers.get(courier.id)).toMatchObject({
        availability: 'offline',
        active: isHis ? [delivery.id] : [],
      });
      expect(await world.offers.findOpenOf(courier.id)).toBeNull();
      return isHis ? 'his' : 'not his';
    });
    expect((ends['his'] ?? 0) + (ends['not his'] ?? 0)).toBe(100);
  },
  LIMIT_MS,
);
