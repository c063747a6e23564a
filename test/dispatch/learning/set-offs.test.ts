import { beforeEach, expect, test } from 'vitest';
import { arriveAtStop, deliverStop, depart, pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { cancelDelivery } from '../../../src/dispatch/deliveries/cancel-delivery.ts';
import type { Courier } from '../../../src/domain/couriers/courier.ts';
import { STREET_FACTOR } from '../../../src/domain/geo/street.ts';
import { asCourier, asStaff } from '../../callers.ts';
import { courierAt, pass, passUntil, stand } from '../region-world.ts';
import { at, openWays, place } from '../ways.ts';

const { world, learning, from, assign, collect, ride, told, hearsOf, settle } = await openWays('set-offs');

beforeEach(() => {
  world.travel.learned.length = 0;
});

type Play = {
  /** The recorder of the departure with each of the deliveries. */
  readonly by: readonly ('courier' | 'system')[];
  /** Something that happens between the collection and the departure. */
  readonly meanwhile?: (courier: Courier) => Promise<void>;
  /** Metres from the pickup to the phone when the first departure is recorded; null if the phone is silent. */
  readonly fixM?: number | null;
};

/** A leg of 2 km from a pickup. The courier leaves 100 s after the collection and rides for eight minutes. */
async function leave({ by, meanwhile = async () => {}, fixM = null }: Play): Promise<void> {
  const courier = await courierAt(world, place(0), { capacity: 3 });
  const carried = await Promise.all(by.map(() => from([place(0), place(2000)])));
  for (const one of carried) await assign(one, courier);
  for (const one of carried) await hearsOf(pickUp(world, at(one), asCourier(courier)));
  await pass(world, 50_000, 5000);
  await meanwhile(courier);
  await pass(world, 50_000, 5000);
  if (fixM !== null) stand(world, courier.id, place(fixM));
  for (const [index, one] of carried.entries()) {
    const doer = by[index] === 'courier' ? asCourier(courier) : ({ type: 'system' } as const);
    await hearsOf(depart(world, at(one), doer));
    await pass(world, 20_000, 5000);
  }
  await ride(courier, 8 - by.length / 3, place(2000));
  for (const one of carried) await deliverStop(world, at(one, 1), asCourier(courier));
  await passUntil(world, () => world.travel.learned.length === 1);
}
const setOffS = (): number | undefined => world.travel.learned[0]?.setOffS;

test('[K3][K21] a leg begins at the departure that the courier reports, and teaches how long it took', async () => {
  await learning();
  await leave({ by: ['courier'] });
  expect(told()).toEqual([[2, 8]]);
  expect(setOffS()).toBeCloseTo(100, 0);
});

test('[K3][K21] the first departure with goods of several deliveries counts, whoever records the next ones', async () => {
  await learning();
  await leave({ by: ['courier', 'system', 'courier'] });
  expect(told()).toEqual([[2, 8]]);
  expect(setOffS()).toBeCloseTo(100, 0);
});

test('[K3][K21] a departure that the geofence noticed was a little before the fix that is away', async () => {
  await learning();
  await leave({ by: ['system'], fixM: 130 });
  const rideS = (130 * STREET_FACTOR) / 6.5;
  expect(setOffS()).toBeCloseTo(100 - rideS, 0);
  expect(world.travel.learned[0]?.seconds).toBeCloseTo(480 + rideS, 0);
});

test.each([null, 60])('[K3][K21] a leg begins when couriers usually leave if a fix does not tell: %s', async (fixM) => {
  await learning({ travel: { ...world.travel, setOffS: () => 40 } });
  await leave({ by: ['system'], fixM });
  expect(told()).toEqual([[2, 9]]);
  expect(setOffS()).toBeUndefined();
});

test('[K3][K21] an assignment before the departure does not change it, and neither does its cancel', async () => {
  await learning();
  const meanwhile = async (courier: Courier): Promise<void> => {
    const other = await from([place(4000), place(6000)]);
    await assign(other, courier);
    await hearsOf(cancelDelivery(world, { deliveryId: other.id, reason: 'other' }, asStaff()));
  };
  await leave({ by: ['courier'], meanwhile });
  expect(told()).toEqual([[2, 8]]);
  expect(setOffS()).toBeCloseTo(100, 0);
});

/** A courier delivers 2 km away, is given the next delivery there after a minute, and rides 3 km to its pickup after ten more. */
async function goOn(leaves: (courier: Courier) => Promise<void>): Promise<void> {
  const courier = await courierAt(world, place(0));
  const [done, next] = [await from([place(0), place(2000)]), await from([place(2000, 3000), place(6000)])];
  await assign(done, courier);
  await collect(done, courier);
  await ride(courier, 8, place(2000));
  await hearsOf(deliverStop(world, at(done, 1), asCourier(courier)));
  await pass(world, 60_000, 5000);
  stand(world, courier.id, place(2000));
  await assign(next, courier);
  await leaves(courier);
  await ride(courier, 10, place(2000, 3000));
  await arriveAtStop(world, at(next), asCourier(courier));
  await passUntil(world, () => world.travel.learned.length === 2);
}
const lastS = (): number => world.travel.learned[1]?.seconds ?? NaN;

test('[K3] a leg from a drop-off begins when fixes show that the courier has left it', async () => {
  await learning();
  await goOn(async (courier) => {
    await pass(world, 40_000, 5000);
    stand(world, courier.id, place(2000, 130));
    await pass(world, 5000, 5000);
  });
  expect(lastS()).toBeCloseTo(605 + (130 * STREET_FACTOR) / 6.5, 0);
});

test('[K3] a leg begins at the assignment if the first fix away from the last stop is too far from it to tell', async () => {
  await learning();
  await goOn(async (courier) => {
    await pass(world, 40_000, 5000);
    stand(world, courier.id, place(2000, 700));
    await pass(world, 5000, 5000);
  });
  expect(lastS()).toBeCloseTo(645, 0);
});

test('[K3] a leg teaches nothing if fixes show the courier away from the stop where it begins', async () => {
  await learning();
  const courier = await courierAt(world, place(0, -2000));
  const delivery = await from([place(0), place(2000)]);
  await assign(delivery, courier);
  await ride(courier, 5, place(150));
  await pickUp(world, at(delivery), asCourier(courier));
  await passUntil(world, () => told().length === 1);
  await hearsOf(depart(world, at(delivery), asCourier(courier)));
  await ride(courier, 8, place(2000));
  await hearsOf(deliverStop(world, at(delivery, 1), asCourier(courier)));
  await settle();
  // The leg to the pickup counts.
  expect(told()).toEqual([[2, 5]]);
});

test('[K3] a courier who waited at the last stop leaves it at the assignment at the earliest', async () => {
  await learning();
  await goOn(async () => {});
  expect(lastS()).toBeCloseTo(600, 0);
});
