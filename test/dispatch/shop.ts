import { expect } from 'vitest';
import type { NewDelivery } from '../../src/dispatch/commands.ts';
import { arriveAtStop, depart, pickUp } from '../../src/dispatch/deliveries/advance-delivery.ts';
import { createDelivery } from '../../src/dispatch/deliveries/create-delivery.ts';
import { assignCourier } from '../../src/dispatch/offers/assign-courier.ts';
import type { Delivery } from '../../src/domain/deliveries/delivery.ts';
import { newId } from '../../src/domain/ids.ts';
import { ENTRIES, HOLDS } from '../../src/models/ledger/ledger-shapes.ts';
import { amountOf } from '../../src/money/amount.ts';
import { bookOf, kindOfAccount, platformAccount, vendorAccount } from '../../src/money/ledger/accounts.ts';
import { fundsAtBirth } from '../../src/money/charges/fund-delivery.ts';
import { move } from '../../src/money/ledger/entries.ts';
import { aNewDelivery, aVendor } from '../builders.ts';
import { asCourier, asStaff, asVendor } from '../callers.ts';
import { storeCourier, storeHeld, type World } from './world.ts';

export const BOOK = bookOf(false, 'EUR');
const staff = asStaff();

/** A vendor whose wallet has this amount. */
export async function openShop(world: World, amount: number) {
  const { id: vendorId } = await world.vendors.add(aVendor());
  const wallet = vendorAccount('wallet', vendorId, BOOK);
  const fund = async (money: number) => {
    const postings = move(amountOf(money), platformAccount('adjustment', BOOK), wallet);
    const fact = {
      key: newId('req'),
      kind: 'adjustment',
      book: BOOK,
      vendorId,
      about: vendorId,
      reason: null,
    } as const;
    expect(await world.ledger.post({ do: 'post', entry: { ...fact, postings } }, null)).toMatchObject({ ok: true });
  };
  await fund(amount);
  const doer = asVendor({ vendorId, liveMode: false });
  const command = (over: Partial<NewDelivery> = {}): NewDelivery => aNewDelivery({ vendorId, ...over });
  const create = async (over: Partial<NewDelivery> = {}) => (await createDelivery(world, command(over), doer)).delivery;
  const balance = async () => {
    const { posted, held, owed } = await world.ledger.balance(wallet);
    return { posted, held, owed };
  };
  return { vendorId, doer, command, create, fund, balance };
}

/** A delivery and one of its stops, as commands name them. The courier has a reason for any place. */
export const at = ({ id }: Delivery, stop = 0) => ({ deliveryId: id, stop, overrideReason: 'no satellites' });
/** A delivery in this state with a new courier. The wallet of its vendor holds its fee of 4.50. */
export function storeFunded(world: World, { vendorId }: Pick<Delivery, 'vendorId'>, state: Delivery['state']) {
  const id = newId('del');
  const funds = fundsAtBirth({ id, fee: 450 }, null, world.settings.pay);
  return storeHeld(world, state, { id, vendorId, funds });
}

/** Gives the delivery to a new courier, who brings it as far as this. */
export async function carry(world: World, delivery: Delivery, to: 'assigned' | 'arrived' | 'in_transit') {
  const courier = await storeCourier(world);
  const pairing = { deliveryId: delivery.id, courierId: courier.id, offerId: null, overrideReason: 'by hand' };
  await assignCourier(world, pairing, staff);
  if (to !== 'assigned') await arriveAtStop(world, at(delivery), asCourier(courier));
  if (to === 'in_transit') {
    await pickUp(world, at(delivery), staff);
    await depart(world, at(delivery), { type: 'system' });
  }
  return { courier, delivery: await world.deliveries.get(delivery.id) };
}

/** The entry of the end of a delivery; null if it booked none. */
export function entryOf({ mongo }: World, { id }: Pick<Delivery, 'id'>) {
  return mongo.collection(ENTRIES).findOne({ _id: `charge:${id}` });
}

/** The first hold of a delivery. */
export function holdOf({ mongo }: World, { id }: Pick<Delivery, 'id'>) {
  return mongo.collection(HOLDS).findOne({ _id: `delivery:${id}` });
}

/** The amounts that the end of the delivery booked, by kind of account. */
export async function bookedFor(world: World, delivery: Pick<Delivery, 'id'>): Promise<Record<string, number>> {
  const postings = (await entryOf(world, delivery))?.postings ?? [];
  return Object.fromEntries(postings.map(({ account, amount }) => [kindOfAccount(account), Number(amount)]));
}
