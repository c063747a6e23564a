import { expect, test } from 'vitest';
import { raiseDispute } from '../../../src/dispatch/billing/raise-dispute.ts';
import { refundDelivery } from '../../../src/dispatch/billing/refund-delivery.ts';
import { deliverStop } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { BILLING_ACCOUNTS } from '../../../src/models/billing/invoice-shapes.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { addPricingRule } from '../../../src/vendors/edit-pricing-rules.ts';
import { asStaff } from '../../callers.ts';
import { at, bookedFor, carry, entryOf, openShop } from '../shop.ts';
import { codeOf, openWorld, refusalOf } from '../world.ts';

const world = await openWorld('platform-charges');
const staff = asStaff();
const FUNDS = 10_000;

/** A vendor whose deliveries are delivered. With the promo, the platform pays for all of one. */
async function openFreeShop() {
  const shop = await openShop(world, FUNDS);
  const terms = { type: 'promotion', code: 'FREE', rate_bp: 10_000, paid_by: 'platform' } as const;
  await addPricingRule(world, shop.vendorId, { terms, activeFrom: null, activeTo: null }, newId('prl'));
  const deliver = async (promo?: 'FREE') => {
    const { delivery } = await carry(world, await shop.create({ extras: promo ? { promo } : {} }), 'in_transit');
    return deliverStop(world, at(delivery, 1), staff);
  };
  return { ...shop, deliver };
}

test('[J368] a delivery that the platform pays is neither refunded nor disputed, and its wallet has paid nothing', async () => {
  const { deliver, balance, doer } = await openFreeShop();
  const delivery = await deliver('FREE');
  expect(await entryOf(world, delivery)).toMatchObject({ kind: 'platform_charge', vendorId: delivery.vendorId });
  const pay = Math.round(delivery.fee * 0.8);
  const booked = { promotion: 0 - delivery.fee, revenue: delivery.fee, delivery_cost: 0 - pay, earnings: pay };
  expect(await bookedFor(world, delivery)).toEqual(booked);
  const about = { deliveryId: delivery.id, amount: null };
  const refund = refundDelivery(world, { ...about, id: newId('rfd'), reference: 'one', reason: 'cold' }, staff);
  expect(await refusalOf(refund)).toMatchObject({ code: 'refund_not_possible', told: { reason: 'not_charged' } });
  const asked = { ...about, id: newId('dsp'), reason: 'arrived_late', description: 'Late.', proofIds: [] } as const;
  expect(await codeOf(raiseDispute(world, asked, doer))).toBe('refund_not_possible');
  expect(await balance()).toEqual({ posted: FUNDS, held: 0, owed: 0 });
});

test('[J368] a vendor is invoiced from its first charge on, and not for what the platform pays', async () => {
  const { deliver, vendorId } = await openFreeShop();
  const accounts = async () => {
    while ((await world.ledger.seal(500)) > 0);
    return world.mongo.collection(BILLING_ACCOUNTS).find({ vendorId }).toArray();
  };
  await deliver('FREE');
  expect(await accounts()).toEqual([]);
  const charged = await entryOf(world, await deliver());
  expect(await accounts()).toMatchObject([{ period: null, from: charged?.at }]);
  expect((await verifyLedger(world.mongo, () => undefined)).faults).toEqual([]);
});
