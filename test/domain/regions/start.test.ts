import { expect, test } from 'vitest';
import { STOP_SERVICE_S, travelS } from '../../../src/domain/deliveries/way.ts';
import { startOf } from '../../../src/domain/regions/start.ts';
import { UNLEARNED_WAYS } from '../../../src/domain/learning/travel.ts';
import { aCourier, aStop, heldBy, NOON } from '../../builders.ts';

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
