import { expect, test } from 'vitest';
import { deliverStop } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import { chargedOf } from '../../../src/domain/pricing/funds.ts';
import { Refusal } from '../../../src/domain/refusals/refusals.ts';
import { verifyLedger } from '../../../src/models/ledger/verify-ledger.ts';
import { asStaff } from '../../callers.ts';
import { at, bookedFor, openShop, storeFunded } from '../shop.ts';
import { openWorld } from '../world.ts';

const RACES = 10_000;
const AT_ONCE = 25;
/** It only ends a hanging test, also on a busy machine. */
const LIMIT_MS = 1_800_000;
/** Shops that share the races: each wallet has several at once. */
const SHOPS = 5;
const FUNDS = 100_000_000;
const world = await openWorld('charge-races');
/** A second process on the same engines. */
const other = { ...world, ...world.elsewhere };

async function isDone(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    // Losing a race is an answer. Any other error is a fault.
    if (error instanceof Refusal && error.code === 'invalid_state_transition') return false;
    throw error;
  }
}

test(
  '[J70] cancel against the last handover: one end and one charge of each delivery',
  async () => {
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => openShop(world, FUNDS)));
    const charged = shops.map(() => 0);
    const ends: Record<string, number> = {};
    const race = async (index: number): Promise<void> => {
      const shop = shops[index % SHOPS]!;
      const { delivery } = await storeFunded(world, shop, 'in_transit');
      const cancel = () => isDone(cancelDelivery(world, { deliveryId: delivery.id, reason: null }, shop.doer));
      const deliver = () => isDone(deliverStop(other, at(delivery, 1), asStaff()));
      // The first call has a small advantage, so they take turns.
      const won = await Promise.all(index % 2 === 0 ? [cancel(), deliver()] : [deliver(), cancel()]);
      expect(won.toSorted()).toEqual([false, true]);
      const { state, funds, fee } = await world.deliveries.get(delivery.id);
      const paid = chargedOf(funds?.charges ?? []);
      expect(paid).toBe(state === 'delivered' ? fee : fee + Math.round(fee * 0.6));
      const { wallet = 0, receivable = 0 } = await bookedFor(world, delivery);
      expect(0 - wallet - receivable).toBe(paid);
      charged[index % SHOPS] = (charged[index % SHOPS] ?? 0) + paid;
      ends[state] = (ends[state] ?? 0) + 1;
    };
    let started = 0;
    const runner = async (): Promise<void> => {
      while (started < RACES) await race((started += 1));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runner));
    expect(Object.keys(ends).toSorted()).toEqual(['canceled', 'delivered']);
    for (const [index, shop] of shops.entries())
      expect(await shop.balance()).toEqual({ posted: FUNDS - (charged[index] ?? 0), held: 0, owed: 0 });
    expect((await verifyLedger(world.mongo, () => undefined)).faults).toEqual([]);
  },
  LIMIT_MS,
);
