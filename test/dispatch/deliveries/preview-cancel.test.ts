import { expect, test } from 'vitest';
import type { Caller } from '../../../src/domain/access.ts';
import { pickupDueAt, type Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { cancelTerms } from '../../../src/dispatch/deliveries/preview-cancel.ts';
import { hereAt } from '../../../src/dispatch/move-delivery.ts';
import { STATES } from '../../../src/domain/deliveries/states.ts';
import { aCourier, aDelivery, aStop, heldBy, NOON } from '../../builders.ts';
import { asCourier, asStaff, asVendor } from '../../callers.ts';
import { funded } from '../../money/charges/ends.ts';
import { codeOf, openWorld, storeDelivery, storeHeld } from '../world.ts';

const world = await openWorld('preview-cancel');
const courier = aCourier();
const terms = (delivery: Delivery, now = NOON, doer: Exclude<Caller, { type: 'recipient' }> = asVendor(delivery)) =>
  cancelTerms(delivery, doer, { ...hereAt(world, delivery, null), now });

test('[H284] the rule follows the state, the courier and the clock', () => {
  expect(terms(aDelivery())).toMatchObject({ rule: 'before_assignment', whyNot: null, opensReturn: false });
  const held = heldBy(courier);
  expect(terms(held, NOON + 30_000)).toMatchObject({ rule: 'soon_after_assignment', validUntilAt: NOON + 120_000 });
  expect(terms(held, NOON + 120_001)).toMatchObject({ rule: 'after_assignment', validUntilAt: NOON + 420_001 });
  const there = heldBy(courier, 'assigned', { pickup: aStop(0, { state: 'arrived', arrivedAt: NOON }) });
  expect(terms(there)).toMatchObject({ rule: 'at_pickup', opensReturn: false });
  expect(terms(heldBy(courier, 'in_transit'))).toMatchObject({ rule: 'after_pickup', opensReturn: true });
  const discard = heldBy(courier, 'in_transit', { dropOffs: [aStop(1, { undeliverableAction: 'discard' })] });
  expect(terms(discard).opensReturn).toBe(false);
  expect(terms(aDelivery({ state: 'failed' }))).toMatchObject({ rule: null, whyNot: 'delivery_failed' });
  expect(terms(held, NOON, asCourier(courier))).toMatchObject({ rule: null, whyNot: 'forbidden' });
});

test('[J66] the terms end when the courier becomes late, if that is the reason', () => {
  const held = heldBy(courier);
  const now = NOON + 8 * 60_000;
  const late = cancelTerms(held, asVendor(held), { ...hereAt(world, held, null), now }, 'courier_late');
  expect(late.validUntilAt).toBe(pickupDueAt(held) + world.settings.charges.courierLateMs);
  expect(terms(held, now).validUntilAt).toBe(now + 5 * 60_000);
});

test('[J66] the terms of a cancel by staff show the drop-offs that were delivered before it', () => {
  const dropOffs = [aStop(1, { state: 'delivered' }), aStop(2)];
  const half = funded(heldBy(courier, 'in_transit', { fee: 1000, dropOffs }));
  const breakdown = [{ type: 'delivery', amount: 500, tax: 0 }];
  expect(terms(half, NOON, asStaff())).toMatchObject({ rule: 'after_pickup', fee: 500, breakdown, refund: 500 });
  expect(terms(half)).toMatchObject({ fee: 1600, refund: 0 });
});

test('[H284] the terms agree with the cancel in every state, and reading them changes nothing', async () => {
  for (const state of STATES) {
    const isHeld = state === 'assigned' || state === 'picked_up' || state === 'in_transit';
    const delivery = isHeld ? (await storeHeld(world, state)).delivery : await storeDelivery(world, { state });
    for (const doer of [asVendor(delivery), asStaff()]) {
      const { rule } = terms(delivery, world.clock.now(), doer);
      expect(await world.deliveries.get(delivery.id)).toEqual(delivery);
      if (doer.type !== 'staff') continue;
      const canceled = cancelDelivery(world, { deliveryId: delivery.id, reason: null }, doer);
      if (rule === null) expect([state, await codeOf(canceled)]).toEqual([state, 'invalid_state_transition']);
      else expect(await canceled).toMatchObject({ state: 'canceled' });
    }
  }
});

test('[H283] each kind of caller names only its own reasons', async () => {
  const delivery = await storeDelivery(world);
  const { id: deliveryId } = delivery;
  const byVendor = (reason: 'store_closed' | 'test_expired') =>
    codeOf(cancelDelivery(world, { deliveryId, reason }, asVendor(delivery)));
  expect([await byVendor('store_closed'), await byVendor('test_expired')]).toEqual([
    'impossible_value',
    'impossible_value',
  ]);
  const done = await cancelDelivery(world, { deliveryId, reason: 'store_closed', comment: 'Flood' }, asStaff());
  expect(done.ending).toEqual({ by: 'staff', reason: 'store_closed', comment: 'Flood' });
});
