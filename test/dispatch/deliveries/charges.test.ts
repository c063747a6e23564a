import { expect, test } from 'vitest';
import { deliverStop, failStop } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { createDelivery } from '../../../src/dispatch/deliveries/create-delivery.ts';
import { cancelTerms } from '../../../src/dispatch/deliveries/preview-cancel.ts';
import { hereAt } from '../../../src/dispatch/move-delivery.ts';
import { quoteDelivery } from '../../../src/dispatch/deliveries/quote-delivery.ts';
import { updateDelivery } from '../../../src/dispatch/deliveries/update/update-delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { chargedOf } from '../../../src/domain/pricing/funds.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { CLAIMS } from '../../../src/models/claim-shape.ts';
import { DELIVERIES } from '../../../src/models/deliveries/delivery-shape.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { courierAccount } from '../../../src/money/ledger/accounts.ts';
import { addPricingRule } from '../../../src/vendors/edit-pricing-rules.ts';
import { aNewStop } from '../../builders.ts';
import { asStaff } from '../../callers.ts';
import { at, BOOK, bookedFor, carry, entryOf, holdOf, openShop } from '../shop.ts';
import { codeOf, historyOf, openWorld, refusalOf, storeHeld } from '../world.ts';

const world = await openWorld('charges');
const MINUTE_MS = 60_000;
const staff = asStaff();
const failing = { reason: 'customer_refused', contactTries: [] } as const;

test('[J50] a birth reserves the fee and the tip in its own transaction', async () => {
  const { create, balance } = await openShop(world, 10_000);
  const { fee, id, funds } = await create({ extras: { tip: 200 } });
  expect(funds).toMatchObject({ hold: fee + 200, shares: { customer: fee, vendor: 0, platform: 0 } });
  expect(await balance()).toEqual({ posted: 10_000, held: fee + 200, owed: 0 });
  expect(await holdOf(world, { id })).toMatchObject({ state: 'open' });
});

test('[J51] a delivered delivery is charged, its hold is gone, and its courier has earned the pay and the tip', async () => {
  const { create, balance, vendorId } = await openShop(world, 10_000);
  const { delivery, courier } = await carry(world, await create({ extras: { tip: 200 } }), 'in_transit');
  const done = await deliverStop(world, at(delivery, 1), staff);
  const { fee } = delivery;
  const pay = Math.round(fee * 0.8);
  expect(await balance()).toEqual({ posted: 10_000 - fee - 200, held: 0, owed: 0 });
  expect(await holdOf(world, delivery)).toMatchObject({ state: 'captured' });
  const entry = await entryOf(world, delivery);
  expect(entry).toMatchObject({ kind: 'charge', vendorId, about: delivery.id });
  expect(entry?.postings.map(({ account }) => account)).toContain(courierAccount('earnings', courier.id, BOOK));
  const booked = { wallet: -fee - 200, revenue: fee, delivery_cost: -pay, earnings: pay + 200 };
  expect(await bookedFor(world, delivery)).toEqual(booked);
  expect(chargedOf(done.funds?.charges ?? [])).toBe(fee + 200);
  expect(await world.deliveries.get(delivery.id)).toStrictEqual(done);
});

test('[J52] a cancel is charged by its rule, and the rest of the hold is available again', async () => {
  const { create, balance, doer } = await openShop(world, 10_000);
  const { delivery } = await carry(world, await create(), 'assigned');
  const searching = await create();
  await world.clock.advance(3 * MINUTE_MS);
  const fee = Math.round(delivery.fee / 4);
  for (const { id } of [delivery, searching]) await cancelDelivery(world, { deliveryId: id, reason: null }, doer);
  expect(await bookedFor(world, delivery)).toMatchObject({ wallet: -fee, earnings: Math.round(fee * 0.8) });
  expect([await entryOf(world, searching), (await holdOf(world, searching))?.state]).toEqual([null, 'voided']);
  expect(await balance()).toEqual({ posted: 10_000 - fee, held: 0, owed: 0 });
});

test('[J53] a search that finds no courier and a cancel by staff give the whole hold back', async () => {
  const { create, balance } = await openShop(world, 10_000);
  const unheard = await create();
  const { delivery } = await carry(world, await create(), 'in_transit');
  await cancelDelivery(world, { deliveryId: delivery.id, reason: null }, staff);
  await world.clock.advance(unheard.searchUntilAt - world.clock.now());
  await cancelDelivery(world, { deliveryId: unheard.id, reason: 'no_courier_available' }, { type: 'system' });
  expect(await balance()).toEqual({ posted: 10_000, held: 0, owed: 0 });
});

test('[J58] what exceeds the hold becomes a debt that the next money pays, and the return that opens is free', async () => {
  const { fee } = await (await openShop(world, 10_000)).create();
  const { create, balance, fund } = await openShop(world, fee + 50);
  const { delivery, courier } = await carry(world, await create({ extras: { tip: 50 } }), 'in_transit');
  const { id } = delivery;
  await failStop(world, { ...at(delivery, 1), ...failing }, staff);
  const owed = Math.round(fee * 0.6) - 50;
  expect(await balance()).toEqual({ posted: 0, held: 0, owed });
  expect(await bookedFor(world, { id })).toMatchObject({ wallet: -fee - 50, receivable: -owed });
  expect(await codeOf(create())).toBe('insufficient_funds');
  await fund(owed + 7);
  expect(await balance()).toEqual({ posted: 7, held: 0, owed: 0 });
  const [returnId = id] = (await world.deliveries.get(id)).related;
  expect(await world.deliveries.get(returnId)).toMatchObject({ kind: 'return', fee: 0, courierId: courier.id });
  const returned = await deliverStop(world, { ...at(delivery, 1), deliveryId: returnId }, staff);
  expect([returned.state, returned.funds, await entryOf(world, returned)]).toEqual(['delivered', undefined, null]);
});

test('[J60] a delivery that was stored before deliveries were charged is free', async () => {
  const { vendorId, balance } = await openShop(world, 500);
  const { delivery } = await storeHeld(world, 'in_transit', { vendorId });
  const done = await deliverStop(world, at(delivery, 1), staff);
  expect([done.state, await entryOf(world, delivery)]).toEqual(['delivered', null]);
  expect(await balance()).toEqual({ posted: 500, held: 0, owed: 0 });
});

test('[H488] the refusal of a higher tip names what the rise needs', async () => {
  const { create, doer } = await openShop(world, 1000);
  const { id: deliveryId, currency } = await create({ extras: { tip: 100 } });
  const raised = updateDelivery(world, { deliveryId, ifVersion: null, stops: [], tip: 1001 }, doer);
  await expect(raised).rejects.toMatchObject({ told: { metadata: { needed: 901, currency } } });
});

test('[J61] a higher tip is reserved with its change, or refused', async () => {
  const { create, balance, doer } = await openShop(world, 1000);
  const { id: deliveryId, fee } = await create({ extras: { tip: 100 } });
  const tip = (amount: number) => updateDelivery(world, { deliveryId, ifVersion: null, stops: [], tip: amount }, doer);
  await tip(150);
  expect(await balance()).toEqual({ posted: 1000, held: fee + 150, owed: 0 });
  const before = await world.deliveries.get(deliveryId);
  expect(await codeOf(tip(1001 - fee))).toBe('insufficient_funds');
  expect(await world.deliveries.get(deliveryId)).toStrictEqual(before);
  expect(await balance()).toEqual({ posted: 1000, held: fee + 150, owed: 0 });
  await tip(1000 - fee);
  const { delivery } = await carry(world, await world.deliveries.get(deliveryId), 'in_transit');
  await deliverStop(world, at(delivery, 1), staff);
  expect(await balance()).toEqual({ posted: 0, held: 0, owed: 0 });
});

test('[J62] a create that the wallet cannot pay leaves no trace, and its quote can be used later', async () => {
  const { command, create, fund, doer, vendorId } = await openShop(world, 449);
  const { pickup, ...asked } = command();
  const more = { pickup: pickup?.place ?? null, window: null, subsidy: null, customerTier: null, promo: null };
  const quote = await quoteDelivery(world, { ...asked, ...more });
  expect(quote.fee).toBeGreaterThan(449);
  const id = newId('del');
  const poor = command({ externalId: 'poor', quoteId: quote.id });
  expect(await codeOf(createDelivery(world, poor, doer, id))).toBe('insufficient_funds');
  expect(await world.mongo.collection(DELIVERIES).countDocuments({ vendorId })).toBe(0);
  expect([await historyOf(world, id), await holdOf(world, { id })]).toEqual([[], null]);
  expect(await world.mongo.collection(CLAIMS).countDocuments({ holder: id })).toBe(0);
  await fund(quote.fee);
  expect(await create({ externalId: 'poor', quoteId: quote.id })).toMatchObject({ fee: quote.fee });
});

test('[J63] a repeated create answers the first delivery, although the wallet is empty by then', async () => {
  const { create, balance } = await openShop(world, 10_000);
  const first = await create({ externalId: 'once' });
  const { fee } = first;
  while ((await balance()).held + fee <= 10_000) await create();
  expect(await codeOf(create({ externalId: 'another' }))).toBe('insufficient_funds');
  expect((await create({ externalId: 'once' })).id).toBe(first.id);
});

test('[J63] of equal creates at once that the wallet can pay once, all answer the one delivery', async () => {
  const { fee } = await (await openShop(world, 10_000)).create();
  const { create, balance } = await openShop(world, fee);
  const made = await Promise.all(Array.from({ length: 8 }, () => create({ externalId: 'at once' })));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await balance()).toEqual({ posted: fee, held: fee, owed: 0 });
});

test('[J64] a cancel that races the last handover leaves one outcome and one charge', async () => {
  const { create, balance, doer } = await openShop(world, 100_000);
  const ends = new Set<string>();
  let paid = 0;
  for (let race = 0; race < 12; race += 1) {
    const { delivery } = await carry(world, await create(), 'in_transit');
    const cancel = () =>
      cancelDelivery({ ...world, ...world.elsewhere }, { deliveryId: delivery.id, reason: null }, doer);
    const deliver = () => deliverStop(world, at(delivery, 1), staff);
    const settled = await Promise.allSettled(race % 2 === 0 ? [cancel(), deliver()] : [deliver(), cancel()]);
    for (const each of settled) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(Refusal);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { state, funds } = await world.deliveries.get(delivery.id);
    ends.add(state);
    const charged = chargedOf(funds?.charges ?? []);
    expect(charged).toBe(delivery.fee + (state === 'canceled' ? Math.round(delivery.fee * 0.6) : 0));
    const { wallet = 0, receivable = 0 } = await bookedFor(world, delivery);
    expect(0 - wallet - receivable).toBe(charged);
    paid += charged;
  }
  const { posted, held, owed } = await balance();
  expect([posted - owed, held]).toEqual([100_000 - paid, 0]);
  expect(ends.size).toBeGreaterThan(0);
});

test('[J65] a cancel that costs more than the caller accepts is refused and changes nothing', async () => {
  const { create, doer } = await openShop(world, 10_000);
  const { delivery } = await carry(world, await create(), 'arrived');
  const half = Math.round(delivery.fee / 2);
  const cancel = (acceptFee: number) =>
    cancelDelivery(world, { deliveryId: delivery.id, reason: null, acceptFee }, doer);
  const refusal = await refusalOf(cancel(half - 1));
  expect(refusal).toMatchObject({
    code: 'cancellation_fee_changed',
    told: { metadata: { fee: half, currency: 'EUR' } },
  });
  expect(await world.deliveries.get(delivery.id)).toStrictEqual(delivery);
  expect(await cancel(half)).toMatchObject({ state: 'canceled' });
});

test('[J66] the preview shows what the cancel then charges, until its time', async () => {
  const { create, doer } = await openShop(world, 10_000);
  const { delivery } = await carry(world, await create({ extras: { tip: 30 } }), 'arrived');
  await world.clock.advance(11.5 * MINUTE_MS);
  const here = hereAt(world, delivery, null);
  const terms = cancelTerms(delivery, doer, here);
  const fee = Math.round(delivery.fee / 2) + 40;
  expect(terms).toMatchObject({ rule: 'at_pickup', fee, refund: delivery.fee + 30 - fee });
  expect(terms.validUntilAt).toBe(here.now + MINUTE_MS / 2);
  expect(cancelTerms(delivery, doer, here, 'courier_late').fee).toBe(fee);
  await world.clock.advance(terms.validUntilAt - here.now);
  const { funds } = await cancelDelivery(world, { deliveryId: delivery.id, reason: null }, doer);
  expect(funds?.charges).toEqual(terms.breakdown);
});

test('[J67] a create without a quote has the discounts of the rules', async () => {
  const { vendorId, create, balance } = await openShop(world, 10_000);
  const half = { type: 'promotion', code: 'HALF', rate_bp: 5000, paid_by: 'platform' } as const;
  const free = { type: 'free_delivery_threshold', order_value: 5000 } as const;
  for (const terms of [half, free])
    await addPricingRule(world, vendorId, { terms, activeFrom: null, activeTo: null }, newId('prl'));
  const { fee, funds } = await create({ extras: { promo: 'HALF' } });
  const platform = Math.round(fee / 2);
  expect(funds?.shares).toEqual({ customer: fee - platform, vendor: 0, platform });
  expect(await balance()).toMatchObject({ held: fee - platform });
  const large = await create({ dropOffs: [{ ...aNewStop(1), orderValue: 5000 }] });
  expect(large.funds?.shares).toMatchObject({ customer: 0, vendor: large.fee });
});

test('[J57] after all of this, the ledger verifies', async () => {
  for (;;) if ((await world.ledger.seal(500)) === 0) break;
  expect((await verifyLedger(world.mongo, () => undefined)).faults).toEqual([]);
});
