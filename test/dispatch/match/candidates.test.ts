import { expect, test } from 'vitest';
import { candidatesFor, indexCouriers, type RunCourier } from '../../../src/dispatch/match/candidates.ts';
import { travelS } from '../../../src/domain/eta.ts';
import type { Courier } from '../../../src/domain/courier.ts';
import type { Delivery } from '../../../src/domain/delivery.ts';
import { aDelivery, aStop, CENTER, NOON } from '../../builders.ts';
import { at, runCourier } from './fixtures.ts';

const LIMITS = { count: 16, maxDistanceM: 20_000 };

function idsFor(asked: Delivery, couriers: readonly RunCourier[], barred: readonly Courier[] = [], limits = LIMITS) {
  const index = indexCouriers(couriers, NOON, 1_500_000);
  const out = candidatesFor(asked, index, new Set(barred.map(({ id }) => id)), limits);
  return out.map(({ courier }) => index.starts[courier]!.courierId);
}

test('[M4] the candidates are the nearest by time, soonest first, whatever their vehicles', () => {
  const couriers = Array.from({ length: 200 }, (_, i) =>
    runCourier(at(((i * 7919) % 9000) - 4500, ((i * 104_729) % 9000) - 4500), {
      vehicleType: (['bicycle', 'scooter', 'motorcycle'] as const)[i % 3]!,
    }),
  );
  const expected = couriers
    .map(({ courier, place }) => ({ id: courier.id, s: travelS(place, CENTER, courier.vehicleType) }))
    .toSorted((a, b) => a.s - b.s)
    .slice(0, 16)
    .map(({ id }) => id);
  expect(idsFor(aDelivery(), couriers)).toEqual(expected);
});

test('[M5] a pair is ruled out by mode, kind, vehicle, distance, and by being barred', () => {
  const near = runCourier(at(100));
  const live = runCourier(at(50), { liveMode: true });
  const robo = runCourier(at(50), { kind: 'robo' });
  const van = runCourier(at(60), { vehicleType: 'van' });
  const far = runCourier(at(21_000));
  const all = [near, live, robo, van, far];
  expect(idsFor(aDelivery(), all)).toEqual([van.courier.id, near.courier.id]);
  expect(idsFor(aDelivery({ vehicleTypes: ['van'] }), all)).toEqual([van.courier.id]);
  expect(idsFor(aDelivery({ robo: { timeScale: 1 } }), all)).toEqual([robo.courier.id]);
  expect(idsFor(aDelivery({ liveMode: true }), all)).toEqual([live.courier.id]);
  expect(idsFor(aDelivery(), all, [near.courier])).toEqual([van.courier.id]);
});

test('[M6] a busy courier counts from the place and time of the last stop, and not when that is too late', () => {
  const held = aDelivery({
    state: 'in_transit',
    pickup: aStop(0, { place: at(-5000), state: 'delivered' }),
    dropOffs: [aStop(1, { place: at(500) }), aStop(2, { place: at(100) })],
  });
  const busy = runCourier(at(3000), {}, [held]);
  const index = indexCouriers([busy], NOON, 1_500_000);
  const legS = travelS(at(3000), at(500), 'scooter') + travelS(at(500), at(100), 'scooter') + 2 * 120;
  expect(index.starts[0]).toMatchObject({ isBusy: true, place: at(100) });
  expect(index.starts[0]!.at).toBeCloseTo(NOON + legS * 1000, -1);
  expect(idsFor(aDelivery(), [busy])).toEqual([busy.courier.id]);
  expect(indexCouriers([busy], NOON, legS * 1000 - 1000).starts).toEqual([]);
  expect(idsFor(aDelivery({ searchUntilAt: NOON + legS * 1000 - 1000 }), [busy])).toEqual([]);
});

test('[M6] a courier who must still collect waits for the food', () => {
  const window = { readyAt: NOON + 1_200_000, deadlineAt: null };
  const held = aDelivery({
    state: 'assigned',
    pickup: aStop(0, { place: at(10), window }),
    dropOffs: [aStop(1, { place: at(10) })],
  });
  const index = indexCouriers([runCourier(at(0), {}, [held])], NOON, 1_500_000);
  expect(index.starts[0]!.at).toBeCloseTo(NOON + 1_200_000 + 240_000, -2);
});
