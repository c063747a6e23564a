import { describe, expect, test } from 'vitest';
import { acceptOffer, declineOffer } from '../../../src/dispatch/offers/answer-offer.ts';
import { assignCourier } from '../../../src/dispatch/offers/assign-courier.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { unassignCourier } from '../../../src/dispatch/offers/unassign-courier.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { preparationAtBirth, type Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { pausedUntil } from '../../../src/domain/offers/offer.ts';
import { aStop } from '../../builders.ts';
import { asCourier, asInternal, asStaff, asVendor } from '../../callers.ts';
import { minutesFrom, spanOf } from '../kitchen.ts';
import {
  codeOf,
  eventsOf,
  historyOf,
  openWorld,
  refusalOf,
  storeCourier,
  storeDelivery,
  storeHeld,
  storeOffer,
} from '../world.ts';

const world = await openWorld('assign');
const staff = asStaff();
const byHand = (delivery: Delivery, courier: Courier) => ({
  deliveryId: delivery.id,
  courierId: courier.id,
  offerId: null,
  overrideReason: null,
});

describe('an offer', () => {
  test('[D20] gives the delivery when accepted, and a repeat gives the same answer', async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const offer = await storeOffer(world, delivery, courier);
    const taken = await acceptOffer(world, { offerId: offer.id }, asCourier(courier));
    expect(taken).toMatchObject({
      state: 'assigned',
      stage: 'en_route_to_pickup',
      courierId: courier.id,
      times: { assignedAt: world.clock.now() },
    });
    expect(taken.courier).toEqual({ id: courier.id, first_name: 'Grace', vehicle_type: 'scooter' });
    expect(await acceptOffer(world, { offerId: offer.id }, asCourier(courier))).toEqual(taken);
    expect(await world.offers.find(offer.id)).toMatchObject({ state: 'accepted' });
    expect(await world.couriers.get(courier.id)).toMatchObject({ active: [delivery.id] });
    const [, event] = await eventsOf(world, delivery.id);
    expect(event).toMatchObject({
      type: 'courier.assigned',
      data: { actor: { type: 'courier', id: courier.id }, courier: { id: courier.id } },
    });
  });

  test('[D20] is too late once it has expired, even before anybody has swept it', async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const offer = await storeOffer(world, delivery, courier);
    await world.clock.advance(25_000);
    expect(await codeOf(acceptOffer(world, { offerId: offer.id }, asCourier(courier)))).toBe('offer_expired');
    await world.offers.close(offer.id, 'expired', 'expired', world.clock.now());
    expect(await codeOf(acceptOffer(world, { offerId: offer.id }, asCourier(courier)))).toBe('offer_expired');
    expect(await historyOf(world, delivery.id)).toEqual(['delivery.created']);
  });

  test('[D21] is absent for other couriers, and gone once its delivery has ended', async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const offer = await storeOffer(world, delivery, courier);
    const stranger = asCourier(await storeCourier(world));
    expect(await codeOf(acceptOffer(world, { offerId: offer.id }, stranger))).toBe('offer_not_found');
    expect(await codeOf(declineOffer(world, { offerId: offer.id, reason: null }, stranger))).toBe('offer_not_found');
    expect(await codeOf(acceptOffer(world, { offerId: newId('off') }, stranger))).toBe('offer_not_found');
    await cancelDelivery(world, { deliveryId: delivery.id, reason: null }, asVendor(delivery));
    expect(world.notices.withdrawn).toContainEqual(expect.objectContaining({ id: offer.id, reason: 'canceled' }));
    expect(await codeOf(acceptOffer(world, { offerId: offer.id }, asCourier(courier)))).toBe('offer_taken');
  });

  test('[D21] shows a courier who gave the accepted delivery back nothing of it', async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const offer = await storeOffer(world, delivery, courier);
    await acceptOffer(world, { offerId: offer.id }, asCourier(courier));
    await unassignCourier(world, { deliveryId: delivery.id, reason: 'flat tyre' }, asCourier(courier));
    expect(await codeOf(acceptOffer(world, { offerId: offer.id }, asCourier(courier)))).toBe('offer_taken');
  });

  test('[D22] pauses the pair and rings the region when declined, and may be declined again', async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    const offer = await storeOffer(world, delivery, courier);
    world.bell.rung.length = 0;
    const decline = () => declineOffer(world, { offerId: offer.id, reason: 'too far' }, asCourier(courier));
    await decline();
    await decline();
    expect(world.bell.rung).toEqual([delivery.region]);
    const closed = await world.offers.find(offer.id);
    if (closed === null) throw new Error('the offer is lost');
    expect(closed).toMatchObject({ state: 'declined', reason: 'too far' });
    expect(pausedUntil(closed)).toBe(world.clock.now() + 3_600_000);
    expect(await codeOf(acceptOffer(world, { offerId: offer.id }, asCourier(courier)))).toBe('offer_taken');
  });
});

describe('an assignment by a person', () => {
  test('[D23] assigns the delivery and withdraws its open offers', async () => {
    const [delivery, asked, chosen] = [
      await storeDelivery(world),
      await storeCourier(world),
      await storeCourier(world),
    ];
    const offer = await storeOffer(world, delivery, asked);
    const assigned = await assignCourier(world, byHand(delivery, chosen), asInternal());
    expect(assigned).toMatchObject({ state: 'assigned', courierId: chosen.id });
    expect(world.notices.withdrawn).toContainEqual(
      expect.objectContaining({ id: offer.id, courierId: asked.id, reason: 'assigned_by_hand' }),
    );
    expect(await codeOf(acceptOffer(world, { offerId: offer.id }, asCourier(asked)))).toBe('offer_taken');
  });

  test('[D23] also withdraws the courier’s offer of another delivery, so that it does not wait for them', async () => {
    const [delivery, other, courier] = [
      await storeDelivery(world),
      await storeDelivery(world),
      await storeCourier(world),
    ];
    const offer = await storeOffer(world, other, courier);
    await assignCourier(world, byHand(delivery, courier), staff);
    expect(await world.offers.find(offer.id)).toMatchObject({ state: 'withdrawn' });
    expect(await world.offers.findOpenOf(courier.id)).toBeNull();
  });

  test('[D24] succeeds for the courier who already has it; another is refused with that courier’s id', async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned');
    const second = await storeCourier(world);
    expect(await assignCourier(world, byHand(delivery, courier), staff)).toEqual(delivery);
    const refusal = await refusalOf(assignCourier(world, byHand(delivery, second), staff));
    expect(refusal).toMatchObject({ code: 'already_assigned', told: { metadata: { courier_id: courier.id } } });
    expect(await historyOf(world, delivery.id)).toEqual(['delivery.created']);
  });

  test('[D24] is not a repeat if the same dispatcher chooses another courier', async () => {
    const [delivery, first, second] = [
      await storeDelivery(world),
      await storeCourier(world),
      await storeCourier(world),
    ];
    await assignCourier(world, byHand(delivery, first), staff);
    expect(await codeOf(assignCourier(world, byHand(delivery, second), staff))).toBe('already_assigned');
  });

  test('[D24] finds no courier or delivery that does not exist, and is refused to a courier themself', async () => {
    const [delivery, courier] = [await storeDelivery(world), await storeCourier(world)];
    expect(await codeOf(assignCourier(world, { ...byHand(delivery, courier), courierId: newId('cou') }, staff))).toBe(
      'courier_not_found',
    );
    expect(await codeOf(assignCourier(world, { ...byHand(delivery, courier), deliveryId: newId('del') }, staff))).toBe(
      'delivery_not_found',
    );
    expect(await codeOf(assignCourier(world, byHand(delivery, courier), asCourier(courier)))).toBe('forbidden');
    expect(await codeOf(assignCourier(world, byHand(delivery, courier), asVendor(delivery)))).toBe('forbidden');
  });
});

describe('given back', () => {
  test('[D25] the search starts again with its whole limit; the courier is free and receives no new offer', async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned');
    await world.clock.advance(60_000);
    const release = () => unassignCourier(world, { deliveryId: delivery.id, reason: 'flat tyre' }, asCourier(courier));
    world.bell.rung.length = 0;
    const freed = await release();
    const now = world.clock.now();
    expect(freed).toMatchObject({
      state: 'searching',
      stage: null,
      courierId: null,
      courier: null,
      formerCouriers: [courier.id],
      searchFromAt: now,
      searchUntilAt: now + 900_000,
    });
    expect(freed.times).toMatchObject({ assignedAt: null });
    expect(world.bell.rung).toEqual([delivery.region]);
    expect(await world.couriers.get(courier.id)).toMatchObject({ active: [] });
    expect(await release()).toEqual(freed);
    const [, event, ...more] = await eventsOf(world, delivery.id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'courier.unassigned',
      data: { reason: 'flat tyre', courier: { id: courier.id } },
      route: { courier_id: courier.id },
    });
    const offer = await storeOffer(world, freed, courier);
    expect(await codeOf(acceptOffer(world, { offerId: offer.id }, asCourier(courier)))).toBe('courier_excluded');
  });

  test('[D25] a delivery given back before its search was due, or put off since, waits for its time', async () => {
    const now = world.clock.now();
    const release = async (readyInMin: number, how: 'named' | 'learned' = 'named') => {
      const window = { readyAt: now + readyInMin * 60_000, deadlineAt: null };
      const learned = { preparation: preparationAtBirth(null, readyInMin * 60_000), times: { createdAt: now } };
      const over = how === 'named' ? { pickup: aStop(0, { window }) } : learned;
      const { delivery, courier } = await storeHeld(world, 'assigned', over);
      const command = { deliveryId: delivery.id, reason: 'flat tyre' };
      return minutesFrom(now, ...spanOf(await unassignCourier(world, command, asCourier(courier))));
    };
    expect(await release(60)).toEqual([40, 49, 64]);
    expect(await release(15)).toEqual([0, 4, 19]);
    expect(await release(-5)).toEqual([0, 0, 15]);
    expect(await release(60, 'learned')).toEqual([0, 49, 64]);
  });

  test('[D25] a vendor waits until the pickup is late, and no caller unassigns after the pickup', async () => {
    const { delivery } = await storeHeld(world, 'assigned', { times: { assignedAt: world.clock.now() } });
    const byVendor = () => unassignCourier(world, { deliveryId: delivery.id, reason: 'late' }, asVendor(delivery));
    expect(await codeOf(byVendor())).toBe('not_late_enough');
    await world.clock.advance(600_000);
    expect(await byVendor()).toMatchObject({ state: 'searching' });
    const collected = await storeHeld(world, 'picked_up');
    expect(await codeOf(unassignCourier(world, { deliveryId: collected.delivery.id, reason: 'late' }, staff))).toBe(
      'invalid_state_transition',
    );
  });

  test('[L20] a repeat that names the courier takes the delivery from no other courier', async () => {
    const { delivery, courier } = await storeHeld(world, 'assigned');
    const [next, stranger] = [await storeCourier(world), await storeCourier(world)];
    const takeFrom = ({ id }: Courier) =>
      unassignCourier(world, { deliveryId: delivery.id, courierId: id, reason: 'wrong courier' }, staff);
    expect(await codeOf(takeFrom(stranger))).toBe('already_assigned');
    const freed = await takeFrom(courier);
    expect(freed).toMatchObject({ state: 'searching', formerCouriers: [courier.id] });
    expect(await takeFrom(courier)).toEqual(freed);
    const given = await assignCourier(world, byHand(delivery, next), staff);
    expect(await takeFrom(courier)).toEqual(given);
    expect(await refusalOf(takeFrom(stranger))).toMatchObject({
      code: 'already_assigned',
      told: { metadata: { courier_id: next.id } },
    });
    expect(await takeFrom(next)).toMatchObject({ state: 'searching', formerCouriers: [courier.id, next.id] });
  });
});
