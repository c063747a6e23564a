import { expect, test } from 'vitest';
import { decideDispute } from '../../../src/dispatch/billing/decide-dispute.ts';
import { raiseDispute } from '../../../src/dispatch/billing/raise-dispute.ts';
import { refundDelivery, type RefundDelivery } from '../../../src/dispatch/billing/refund-delivery.ts';
import { deliverStop, failStop } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { chargedOf, refundedOf } from '../../../src/domain/pricing/funds.ts';
import type { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { ENTRIES } from '../../../src/models/ledger/ledger-shapes.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { courierAccount } from '../../../src/money/ledger/accounts.ts';
import { asInternal, asStaff, asVendor } from '../../callers.ts';
import { at, BOOK, carry, openShop } from '../shop.ts';
import { codeOf, historyOf, openWorld, type World } from '../world.ts';

const world = await openWorld('refunds');
const finance = asStaff();
/** Another process. */
const other: World = { ...world, ...world.elsewhere };

const asked = ({ id }: Pick<Delivery, 'id'>, over: Partial<RefundDelivery> = {}): RefundDelivery => ({
  deliveryId: id,
  id: newId('rfd'),
  reference: newId('req'),
  reason: 'cold soup',
  amount: null,
  ...over,
});
const entriesOf = ({ id }: Pick<Delivery, 'id'>) => world.mongo.collection(ENTRIES).find({ about: id }).toArray();

/** A vendor with a delivered delivery and its courier. */
async function delivered(tip = 0) {
  const shop = await openShop(world, 10_000);
  const { delivery, courier } = await carry(
    world,
    await shop.create(tip === 0 ? {} : { extras: { tip } }),
    'in_transit',
  );
  return { ...shop, courier, delivery: await deliverStop(world, at(delivery, 1), finance) };
}

test('[J170] a refund credits the wallet, is shown by the delivery and its event, and is audited', async () => {
  const { delivery, balance, courier } = await delivered(200);
  const charged = delivery.fee + 200;
  const earned = await world.ledger.balance(courierAccount('earnings', courier.id, BOOK));
  const part = await refundDelivery(world, asked(delivery, { amount: 100, reference: 'ticket-1' }), finance);
  const whole = await refundDelivery(other, asked(delivery), asInternal());
  expect(chargedOf(whole.refund.lines)).toBe(charged - 100);
  expect(await balance()).toEqual({ posted: 10_000, held: 0, owed: 0 });
  expect(await world.ledger.balance(courierAccount('earnings', courier.id, BOOK))).toEqual(earned);
  expect((await historyOf(world, delivery.id)).slice(-3)).toEqual([
    'delivered',
    'delivery.refunded',
    'delivery.refunded',
  ]);
  const [, first] = await world.eventLog.list(delivery.id, delivery.sequence - 1, 9);
  expect(first?.data).toMatchObject({
    from: 'delivered',
    to: 'delivered',
    reason: 'cold soup',
    refund: { id: part.refund.id, amount: 100, tax: 0 },
    delivery: { charge: { amount: charged, refunded: 100 } },
  });
  const stored = await world.deliveries.get(delivery.id);
  expect(stored).toStrictEqual(whole.delivery);
  expect([stored.state, refundedOf(stored.funds ?? {})]).toEqual(['delivered', charged]);
  const { items } = await world.audit.list(
    { action: 'delivery.refund', objectId: delivery.id },
    { limit: 9, after: null },
  );
  expect(items.map(({ changes }) => changes['amount']?.to)).toEqual([charged - 100, 100]);
  expect(items.at(-1)?.changes).toMatchObject({ reference: { to: 'ticket-1' }, reason: { to: 'cold soup' } });
});

test('[J172] of many refunds at once in two processes, exactly the charge comes back', async () => {
  const { delivery, balance } = await delivered();
  const { fee } = delivery;
  const size = Math.floor(fee / 3);
  const tries = Array.from({ length: 8 }, (_, index) =>
    refundDelivery(index % 2 === 0 ? world : other, asked(delivery, { amount: size }), finance),
  );
  const results = await Promise.allSettled(tries);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Refusal] : []));
  for (const { code } of refusals) expect(['refund_exceeds_charge', 'refund_not_possible']).toContain(code);
  expect(await balance()).toEqual({ posted: 10_000 - fee + 3 * size, held: 0, owed: 0 });
  expect(refundedOf((await world.deliveries.get(delivery.id)).funds ?? {})).toBe(3 * size);
  expect(await verifyLedger(world.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J171] one reference makes one refund, however often it is sent in two processes', async () => {
  const { delivery, balance } = await delivered();
  const one = { reference: 'ticket-7', amount: 30 };
  const tries = Array.from({ length: 6 }, (_, index) =>
    refundDelivery(index % 2 === 0 ? world : other, asked(delivery, one), finance),
  );
  const ids = (await Promise.all(tries)).map(({ refund }) => refund.id);
  expect(new Set(ids).size).toBe(1);
  expect(await balance()).toEqual({ posted: 10_000 - delivery.fee + 30, held: 0, owed: 0 });
  const again = refundDelivery(world, asked(delivery, { ...one, amount: 31 }), finance);
  expect(await codeOf(again)).toBe('idempotency_key_reused');
  expect((await entriesOf(delivery)).filter(({ kind }) => kind === 'refund')).toHaveLength(1);
});

test('[J174] the money that comes back pays what the vendor owes first', async () => {
  const { fee } = await (await openShop(world, 10_000)).create();
  const { create, balance } = await openShop(world, fee);
  const { delivery } = await carry(world, await create(), 'in_transit');
  const failing = { reason: 'customer_refused', contactTries: [] } as const;
  const failed = await failStop(world, { ...at(delivery, 1), ...failing }, finance);
  const owed = Math.round(fee * 0.6);
  expect(await balance()).toEqual({ posted: 0, held: 0, owed });
  await refundDelivery(world, asked(failed, { amount: owed - 5 }), finance);
  expect(await balance()).toEqual({ posted: 0, held: 0, owed: 5 });
  await refundDelivery(world, asked(failed, { amount: 12, reference: 'last' }), finance);
  expect(await balance()).toEqual({ posted: 7, held: 0, owed: 0 });
  const kinds = (await entriesOf(failed)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['charge', 'refund', 'refund', 'repayment', 'repayment']);
  expect(await verifyLedger(world.mongo, () => undefined)).toMatchObject({ ok: true, faults: [] });
});

test('[J176] refunds that come while a dispute is open do not keep it from being accepted', async () => {
  const { delivery } = await delivered();
  const raise = (amount: number) =>
    raiseDispute(
      world,
      {
        id: newId('dsp'),
        deliveryId: delivery.id,
        reason: 'arrived_late',
        description: 'It was late.',
        proofIds: [],
        amount,
      },
      asVendor({ vendorId: delivery.vendorId, liveMode: false }),
    );
  const dispute = await raise(100);
  for (let count = 0; count < 20; count += 1) await refundDelivery(world, asked(delivery, { amount: 1 }), finance);
  expect(await codeOf(refundDelivery(world, asked(delivery, { amount: 1 }), finance))).toBe('refund_not_possible');
  const verdict = { outcome: 'accepted', partyAtFault: 'courier', amount: null, note: 'We are sorry.' } as const;
  const by = { doer: finance, actor: { type: 'staff', id: newId('stf') }, refundId: newId('rfd') } as const;
  expect(await decideDispute(world, dispute.id, verdict, by)).toMatchObject({ state: 'accepted', refunded: 100 });
  expect(await codeOf(raise(1))).toBe('refund_not_possible');
});
