import { expect, test } from 'vitest';
import { takeSnapshot } from '../../../src/dispatch/regions/run/snapshot.ts';
import type { RunInput } from '../../../src/dispatch/regions/run/run-input.ts';
import { enter } from '../../../src/dispatch/match/world.ts';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { newId } from '../../../src/domain/ids.ts';
import { UNLEARNED_WAYS } from '../../../src/domain/learning/travel.ts';
import { aDelivery, anOffer, aStop, CENTER, NOON } from '../../builders.ts';
import { at, recentOrder, runCourier, runInput, settings } from '../match/fixtures.ts';
import { STOP_SERVICE_S, travelS } from '../../../src/domain/deliveries/way.ts';

/** The world of all of a run's deliveries. */
const worldOf = (over: Partial<RunInput>) => takeSnapshot(runInput(over), over.deliveries ?? []).world;
const suits = (over: Partial<RunInput>) => {
  const world = worldOf(over);
  const arena = enter(world);
  return world.couriers.ids.map((_, courier) => arena.suits(0, courier));
};

const carrying = (metres: number, over: Parameters<typeof aDelivery>[0] = {}) =>
  aDelivery({
    state: 'in_transit',
    pickup: aStop(0, { place: at(-5000), state: 'delivered' }),
    dropOffs: [aStop(1, { place: at(metres) })],
    times: { pickedUpAt: NOON - 60_000 },
    ...over,
  });
const underWay = (over: Parameters<typeof aDelivery>[0] = {}) => aDelivery({ state: 'assigned', ...over });

test('[M5] mode, kind, vehicle, weight and a bar each exclude a pair', () => {
  const couriers = [
    runCourier(at(100)),
    runCourier(at(100), { liveMode: true }),
    runCourier(at(100), { kind: 'robo' }),
    runCourier(at(100), { vehicleType: 'bicycle' }),
    runCourier(at(100), { vehicleType: 'van' }),
  ];
  const suited = (over: Parameters<typeof aDelivery>[0], more: Partial<RunInput> = {}) =>
    suits({ couriers, deliveries: [aDelivery(over)], ...more });
  expect(suited({})).toEqual([true, false, false, true, true]);
  expect(suited({ liveMode: true })).toEqual([false, true, false, false, false]);
  expect(suited({ robo: { timeScale: 1 } })).toEqual([false, false, true, false, false]);
  expect(suited({ vehicleTypes: ['van', 'car'] })).toEqual([false, false, false, false, true]);
  expect(suited({ metadata: { weight: 15 } })).toEqual([true, false, false, true, true]);
  expect(suited({ metadata: { weight: 15.1 } })).toEqual([true, false, false, false, true]);
  expect(suited({ metadata: { weight: 30.1 } })).toEqual([false, false, false, false, true]);
  expect(suited({ formerCouriers: [couriers[0]!.courier.id] })).toEqual([false, false, false, true, true]);
});

test('[M6] a busy courier counts from the place and time of the last stop, unless that is too late', () => {
  const held = carrying(500, { dropOffs: [aStop(1, { place: at(500) }), aStop(2, { place: at(100) })] });
  const busy = runCourier(at(3000), {}, [held]);
  const legS = travelS(at(3000), at(500), 'scooter') + travelS(at(500), at(100), 'scooter') + 2 * 120;
  const { couriers, places } = worldOf({ couriers: [busy, runCourier(at(100))], deliveries: [aDelivery()] });
  expect(couriers.startS[0]).toBeCloseTo(legS, 6);
  expect([...couriers.startS].slice(1)).toEqual([0]);
  expect([...couriers.isFree]).toEqual([0, 1]);
  // Both stand 100 m east of the centre by then.
  expect(Math.hypot(places.x[0]! - places.x[1]!, places.y[0]! - places.y[1]!)).toBeLessThan(1);
  const soonFreeMs = Math.floor(legS * 1000) - 1000;
  const tight = { ...settings, dispatch: { ...settings.dispatch, soonFreeMs } };
  expect(worldOf({ couriers: [busy], deliveries: [aDelivery()], settings: tight }).couriers.ids).toEqual([]);
});

test('[M6] a courier with goods at two pickup locations, or on board, finishes all of it first', () => {
  const window = { readyAt: NOON + 1_200_000, deadlineAt: null };
  const later = underWay({ pickup: aStop(0, { place: at(10), window }), dropOffs: [aStop(1, { place: at(10) })] });
  const { couriers, orders } = worldOf({
    couriers: [runCourier(at(0), { capacity: 2 }, [carrying(10), later])],
    deliveries: [aDelivery()],
  });
  expect(couriers.startS[0]).toBeCloseTo(1200 + 240, -1);
  expect([...orders.heldBy]).toEqual([-1]);
});

test('[M30] the plan has a courier’s waiting delivery as theirs, from where they are now', () => {
  const held = underWay({ pickup: aStop(0, { place: at(2000) }) });
  const { couriers, orders } = worldOf({ couriers: [runCourier(at(0), {}, [held])], deliveries: [aDelivery()] });
  expect(orders.ids[1]).toBe(held.id);
  expect([...orders.heldBy]).toEqual([-1, 0]);
  expect([couriers.startS[0], couriers.isFree[0]]).toEqual([0, 0]);
  expect(orders.searchUntilS[1]).toBe(Infinity);
});

test('[M11] the plan has an offered delivery as the courier’s; a courier with an offer elsewhere is left out', () => {
  const [asked, free, other] = [runCourier(at(10)), runCourier(at(20)), runCourier(at(30))];
  const one = aDelivery();
  const { couriers, orders } = worldOf({
    couriers: [asked!, free!, other!],
    deliveries: [one],
    openOffers: [
      anOffer({ deliveryId: one.id, courierId: asked!.courier.id }),
      anOffer({ courierId: other!.courier.id }),
    ],
  });
  expect(couriers.ids).toEqual([asked!.courier.id, free!.courier.id]);
  expect([...couriers.isAsked]).toEqual([1, 0]);
  expect([...couriers.isFree]).toEqual([0, 1]);
  expect([...orders.heldBy]).toEqual([0]);
});

test('[M28] one pickup location is one place and one kind of goods; fragile goods have one of their own', () => {
  const food = { category: 'Food' } as const;
  const fragile = { ...food, fragility: 'high' } as const;
  const deliveries: Delivery[] = [
    aDelivery({ metadata: food }),
    aDelivery({ metadata: food }),
    aDelivery({ metadata: { category: 'Package' } }),
    aDelivery({ metadata: food, pickup: aStop(0, { place: at(50) }) }),
    aDelivery({ metadata: fragile }),
    aDelivery({ metadata: fragile }),
  ];
  expect([...worldOf({ deliveries }).orders.counter]).toEqual([0, 0, 1, 2, 3, 4]);
});

test('[M37] several drop-offs belong to one order, in the order of their visits', () => {
  const dropOffs = [1, 2, 3].map((index) => aStop(index, { visit: 4 - index, place: at((4 - index) * 700) }));
  const { orders, places } = worldOf({ deliveries: [aDelivery({ dropOffs }), aDelivery()] });
  expect([...orders.doorsFrom]).toEqual([0, 3, 4]);
  const [first, second, third] = [...orders.doors].map((door) => places.x[door]!);
  expect(second! - first!).toBeCloseTo(700, 0);
  expect(third! - second!).toBeCloseTo(700, 0);
});

test('[M36] the plan has the vendor’s time for the pickup and the promise for the drop-off', () => {
  const window = { readyAt: NOON + 60_000, deadlineAt: NOON + 900_000 };
  const { orders } = worldOf({ deliveries: [aDelivery({ pickup: aStop(0, { place: CENTER, window }) }), aDelivery()] });
  expect([...orders.pickupByS]).toEqual([900, Infinity]);
  expect([...orders.readyS]).toEqual([60, 0]);
  const promiseS = settings.search.promiseMs / 1000;
  expect([...orders.targetS]).toEqual([60 + promiseS, promiseS]);
  expect(orders.latestS[0]! - orders.targetS[0]!).toBe(settings.dispatch.tooLateAfterMs / 1000);
});

test('[M53] a courier with goods is free when they have finished at the learned speed', () => {
  const delivery = carrying(1200);
  const couriers = [runCourier(at(0), {}, [delivery])];
  const slow = {
    ...UNLEARNED_WAYS,
    speedsAt: () => new Float64Array(VEHICLE_TYPES.length).fill(2),
    legs: () => new Float64Array(0),
  };
  const { startS } = worldOf({ couriers, travel: slow, deliveries: [] }).couriers;
  expect(startS[0]).toBeCloseTo(1200 / 2 + STOP_SERVICE_S, 0);
});

test('[M37] a courier with several drop-offs to go is free at the last visit', () => {
  const doors = [aStop(1, { visit: 2, place: at(500) }), aStop(2, { visit: 1, place: at(900) })];
  const couriers = [runCourier(at(0), {}, [carrying(0, { dropOffs: doors })]), runCourier(at(500))];
  const { couriers: seats, places } = worldOf({ couriers, deliveries: [aDelivery()] });
  const legsS = travelS(at(0), at(900), 'scooter') + travelS(at(900), at(500), 'scooter') + 2 * STOP_SERVICE_S;
  expect(seats.startS[0]).toBeCloseTo(legsS, 0);
  // Both stand 500 m east of the centre by then.
  expect(Math.hypot(places.x[0]! - places.x[1]!, places.y[0]! - places.y[1]!)).toBeLessThan(1);
});

test('[M51] only a learned ready time is uncertain', () => {
  const [said, learned] = [aDelivery(), aDelivery()];
  const { orders } = worldOf({ deliveries: [said, learned], isEstimate: ({ id }) => id === learned.id });
  expect([...orders.readySpreadS]).toEqual([0, settings.dispatch.readySpreadMs / 1000]);
});

test('[M40] the plan has the ways that a routing server returned for the candidates of the last run', () => {
  const couriers = [runCourier(at(1000)), runCourier(at(2000))];
  const one = aDelivery();
  const candidates = [
    ...couriers.map(({ courier }) => ({ courierId: courier.id, deliveryId: one.id })),
    { courierId: newId('cou'), deliveryId: one.id },
  ];
  const base = runInput({});
  const asked: number[] = [];
  const legs: RunInput['travel']['legs'] = (pairs) => {
    asked.push(pairs.length);
    return Float64Array.of(777, NaN);
  };
  const input = { couriers, deliveries: [one], candidates, travel: { ...base.travel, legs } };
  const world = worldOf(input);
  const counter = world.orders.place[0]!;
  expect([...world.legs]).toEqual([0, counter, 777]);
  expect(asked).toEqual([2]);
  expect(enter(world).travelS(0, counter, world.couriers.vehicle[0]!)).toBe(777);
  expect(enter(world).travelS(1, counter, world.couriers.vehicle[1]!)).toBeGreaterThan(100);
});

test('[M32] the expected orders are the recent ones, by pickup location, with the time that their goods took', () => {
  const recent = [
    recentOrder(aDelivery(), NOON + 600_000),
    recentOrder(aDelivery(), NOON + 300_000),
    recentOrder(aDelivery({ pickup: aStop(0, { place: at(900) }) }), NOON - 1000),
    recentOrder(aDelivery({ liveMode: true }), NOON + 900_000),
  ];
  const [test, live] = worldOf({ recent }).demand;
  expect([...test!.orders]).toEqual([2, 1]);
  expect([...test!.preparationS]).toEqual([0, 300, 600]);
  // The modes are apart, as for couriers.
  expect([...live!.preparationS]).toEqual([900]);
  expect(live!.group).not.toBe(test!.group);
});
