// A refusal may rest on two facts. Confirming one must not stand for the other.
import { expect, test } from 'vitest';
import { acceptOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { setCourierState } from '../../../src/dispatch/couriers/onboard-courier.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import type { Offer } from '../../../src/domain/offers/offer.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { openShakyWorld } from '../shaky-world.ts';
import { codeOf, storeCourier, storeDelivery, storeOffer } from '../world.ts';
import { COURIERS } from '../../../src/models/couriers/courier-rows.ts';

const { set, world, askUntil } = await openShakyWorld('rolled-back-pairs');
const staff = asStaff();

/**
 * Changes something about a pair that is refused at first. The delivery is confirmed by now, and this change is not.
 */
type Unconfirmed = (pair: { courier: Courier; offer: Offer }) => {
  readonly change: () => Promise<unknown>;
  readonly isSeen: () => Promise<boolean>;
  /** The code of the refusal on a plain read. */
  readonly code: string;
};

const UNCONFIRMED: Record<string, Unconfirmed> = {
  'the courier': ({ courier: { id } }) => ({
    change: () => setCourierState(world, { courierId: id, state: 'suspended' }, staff),
    isSeen: async () => (await world.couriers.get(id)).state === 'suspended',
    code: 'courier_not_verified',
  }),
  'the offer': ({ offer: { id } }) => ({
    change: () => world.offers.close(id, 'expired', null, world.clock.now()),
    isSeen: async () => (await world.offers.find(id))?.state === 'expired',
    code: 'offer_expired',
  }),
};

test.each(Object.entries(UNCONFIRMED))(
  '[S40] an assignment is never refused for a change of %s that no majority has',
  async (_what, unconfirmed) => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const offer = await storeOffer(world, delivery, courier);
    // Such a courier is refused at once, and then again on confirmed reads.
    await world.mongo.collection(COURIERS).updateOne({ _id: courier.id }, { $set: { availability: 'offline' } });
    const { change, isSeen, code } = unconfirmed({ courier, offer });
    const findDelivery: typeof world.confirmed.findDelivery = async (id) => {
      const found = await world.confirmed.findDelivery(id);
      await set.stopReplication();
      await askUntil(isSeen, change);
      return found;
    };
    const confirmed = { ...world.confirmed, findDelivery };
    const told = await codeOf(acceptOffer({ ...world, confirmed }, { offerId: offer.id }, asCourier(courier)));
    expect(told).not.toBe(code);
    expect(['courier_unavailable', 'busy']).toContain(told);
  },
);
