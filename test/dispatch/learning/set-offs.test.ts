import { beforeEach, expect, test } from 'vitest';
import { deliverStop, depart, pickUp } from '../../../src/dispatch/deliveries/advance-delivery.ts';
import { asCourier } from '../../callers.ts';
import { courierAt, pass, passUntil } from '../region-world.ts';
import { at, openWays, place } from '../ways.ts';

const { world, learning, from, assign, ride, told } = await openWays('set-offs');

beforeEach(() => {
  world.travel.learned.length = 0;
});

/** A leg of 2 km from a pickup, which the courier leaves 100 s after the collection and which ends eight minutes later. */
const leave = async (by: 'courier' | 'system', takes = 1): Promise<void> => {
  const courier = await courierAt(world, place(0), { capacity: 2 });
  const carried = await Promise.all(Array.from({ length: takes }, () => from([place(0), place(2000)])));
  for (const one of carried) await assign(one, courier);
  for (const one of carried) await pickUp(world, at(one), asCourier(courier));
  await pass(world, 100_000, 5000);
  const doer = by === 'courier' ? asCourier(courier) : ({ type: 'system' } as const);
  for (const one of carried) await depart(world, at(one), doer);
  await ride(courier, 8, place(2000));
  for (const one of carried) await deliverStop(world, at(one, 1), asCourier(courier));
  await passUntil(world, () => world.travel.learned.length === 1);
};

test('[K3][K21] a leg begins at the departure that the courier reports, and teaches how long it took', async () => {
  await learning();
  await leave('courier');
  expect(told()).toEqual([[2, 8]]);
  expect(world.travel.learned[0]?.setOffS).toBeCloseTo(100, 0);
});

test('[K3][K21] a departure teaches once for the goods of several deliveries', async () => {
  await learning();
  await leave('courier', 2);
  expect(told()).toEqual([[2, 8]]);
  expect(world.travel.learned[0]?.setOffS).toBeCloseTo(100, 0);
});

test('[K3][K21] a leg begins when couriers usually leave, if the geofence noticed the departure', async () => {
  await learning({ travel: { ...world.travel, setOffS: () => 40 } });
  await leave('system');
  expect(told()).toEqual([[2, 9]]);
  expect(world.travel.learned[0]).not.toHaveProperty('setOffS');
});
