import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { STOP_SERVICE_S, travelS } from '../../../src/domain/deliveries/way.ts';
import { startOf } from '../../../src/domain/regions/start.ts';
import { UNLEARNED_WAYS } from '../../../src/domain/learning/travel.ts';
import { offsetBy, type Coordinates } from '../../../src/domain/geo/geo.ts';
import { aCourier, aStop, CENTER, heldBy, NOON } from '../../builders.ts';

const courier = aCourier();

test('[K21] a courier who has collected goods is free after what is left of the time to set off, the way and the drop-off', () => {
  const travel = { ...UNLEARNED_WAYS, setOffS: () => 90 };
  const place = aStop(0).place;
  const freeS = (state: 'picked_up' | 'in_transit', now: number): number => {
    const assigned = [heldBy(courier, state, { times: { pickedUpAt: NOON } })];
    const { at } = startOf({ courier, place, assigned }, { now, readyAt: () => NOON, travel });
    return (at - now) / 1000 - travelS(place, aStop(1).place, courier.vehicleType) - STOP_SERVICE_S;
  };
  expect(freeS('picked_up', NOON)).toBeCloseTo(90, 3);
  expect(freeS('picked_up', NOON + 60_000)).toBeCloseTo(30, 3);
  expect(freeS('picked_up', NOON + 200_000)).toBeCloseTo(0, 3);
  expect(freeS('in_transit', NOON)).toBeCloseTo(0, 3);
});

test('[D208] a courier who collects two deliveries at one place takes the time there once and does not ride back', () => {
  const [near, far] = [1, 3].map((kilometre) =>
    heldBy(courier, 'assigned', { dropOffs: [aStop(1, { place: offsetBy(CENTER, kilometre * 1000, 0) })] }),
  ) as [Delivery, Delivery];
  const place = offsetBy(CENTER, -1000, 0);
  const readyAt = (one: Delivery): number => (one === far ? NOON + 2 * 3_600_000 : NOON);
  const startWith = (at: typeof readyAt) =>
    startOf({ courier, place, assigned: [near, far] }, { now: NOON, readyAt: at, travel: UNLEARNED_WAYS });
  const rideS = (from: Coordinates, kilometre: number): number =>
    travelS(from, offsetBy(CENTER, kilometre * 1000, 0), courier.vehicleType);
  const afterPickupS = rideS(CENTER, 1) + rideS(offsetBy(CENTER, 1000, 0), 3) + 3 * STOP_SERVICE_S;
  const start = startWith(() => NOON);
  expect((start.at - NOON) / 1000).toBeCloseTo(rideS(place, 0) + afterPickupS, 1);
  expect(start.place).toEqual(far.dropOffs[0]?.place);
  // They wait for the goods that are ready last.
  expect((startWith(readyAt).at - NOON) / 1000).toBeCloseTo(7200 + afterPickupS, 1);
});
