import { expect, test } from 'vitest';
import { carriedOf } from '../../../src/domain/deliveries/carried.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { etaOf as etaAt, type Etas, type SeenAt } from '../../../src/domain/deliveries/eta.ts';
import { aCourier, aDelivery, aMoment, aStop, CENTER, heldBy, NOON } from '../../builders.ts';
import { SET_OFF_S, STOP_SERVICE_S, travelS } from '../../../src/domain/deliveries/way.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { UNLEARNED_WAYS } from '../../../src/domain/learning/travel.ts';

const MINUTE = 60_000;
const courier = aCourier();
const searchFromAt = NOON + 30 * MINUTE;

/** The arrivals on a server that has learned nothing and has no routing server. */
function etaOf(delivery: Delivery, place: SeenAt | null, now: number): Etas {
  return etaAt(delivery, aMoment(now, { place }));
}

test('[D79] an arrival counts from now or, while the delivery has no courier, from its search', () => {
  const held = etaOf(heldBy(courier, 'assigned', { searchFromAt }), CENTER, NOON);
  const wayS = travelS(CENTER, aStop(0).place, courier.vehicleType);
  expect(held.pickup?.at).toBe(Math.round(NOON + wayS * 1000));
  const searching = etaOf(aDelivery({ searchFromAt }), null, NOON);
  expect(searching.pickup?.at).toBeGreaterThan(searchFromAt);
  const late = NOON + 40 * MINUTE;
  expect(etaOf(aDelivery({ searchFromAt }), null, late).pickup?.at).toBeGreaterThan(late);
  expect(searching.dropOff?.at).toBeGreaterThan(searching.pickup?.at ?? Infinity);
});

test('[D81] each open stop has its arrival, in the order of the visits', () => {
  const doors = [aStop(1, { visit: 3 }), aStop(2, { visit: 1, state: 'delivered' }), aStop(3, { visit: 2 })];
  const assigned = etaOf(heldBy(courier, 'assigned', { dropOffs: doors }), aStop(5).place, NOON);
  expect([...assigned.stops.keys()]).toEqual([0, 3, 1]);
  const [pickup, third, first] = [...assigned.stops.values()];
  expect([assigned.pickup, assigned.dropOff]).toEqual([pickup, third]);
  // From the pickup, wherever the courier is, after the service there.
  const wayMs = (travelS(aStop(0).place, aStop(3).place, courier.vehicleType) + STOP_SERVICE_S) * 1000;
  expect((third?.at ?? 0) - (pickup?.at ?? 0)).toBeCloseTo(wayMs, -1);
  // Two kilometres back, and the service at the drop-off before.
  const legMs = (travelS(aStop(3).place, aStop(1).place, courier.vehicleType) + STOP_SERVICE_S) * 1000;
  expect((first?.at ?? 0) - (third?.at ?? 0)).toBeCloseTo(legMs, -1);
  const carried = heldBy(courier, 'in_transit', { dropOffs: doors, times: { pickedUpAt: NOON } });
  expect([...etaOf(carried, CENTER, NOON).stops.keys()]).toEqual([3, 1]);
});

test('[D81] a courier at another drop-off than the next one serves it first', () => {
  const doors = [aStop(1), aStop(2, { state: 'arrived' })];
  const carried = heldBy(courier, 'in_transit', { dropOffs: doors, times: { pickedUpAt: NOON } });
  const { stops, dropOff } = etaOf(carried, aStop(2).place, NOON);
  expect([...stops.keys()]).toEqual([2, 1]);
  expect(dropOff?.at).toBe(NOON);
  const backMs = (travelS(aStop(2).place, aStop(1).place, courier.vehicleType) + STOP_SERVICE_S) * 1000;
  expect((stops.get(1)?.at ?? 0) - NOON).toBeCloseTo(backMs, -1);
});

test('[D79] a pickup is not expected before the named ready time', () => {
  const readyAt = NOON + 50 * MINUTE;
  const pickup = aStop(0, { window: { readyAt, deadlineAt: null } });
  expect(etaOf(heldBy(courier, 'assigned', { pickup }), CENTER, NOON).pickup?.at).toBe(readyAt);
  expect(etaOf(aDelivery({ pickup }), null, NOON).pickup?.at).toBe(readyAt);
});

test('[D95] the range of a scheduled delivery is as narrow as the known facts allow, however far ahead it is', () => {
  const readyAt = NOON + 20 * 60 * MINUTE;
  const window = { readyAt, deadlineAt: readyAt + 60 * MINUTE };
  const pickup = aStop(0, { window });
  const planned = { pickup, priority: 'scheduled', state: 'scheduled', searchFromAt: readyAt - 20 * MINUTE } as const;
  const { pickup: there, dropOff } = etaOf(aDelivery(planned), null, NOON);
  expect(there).toMatchObject({ at: readyAt, lowerAt: readyAt });
  expect(there?.upperAt).toBeLessThanOrEqual(readyAt + 5 * MINUTE);
  expect(dropOff?.lowerAt).toBeGreaterThan(readyAt);
  // The way takes five minutes, so it is uncertain by a few minutes and not by hours.
  expect((dropOff?.upperAt ?? Infinity) - (dropOff?.lowerAt ?? 0)).toBeLessThan(8 * MINUTE);
  const { basis: _later, ...later } = etaOf(aDelivery(planned), null, readyAt - 60 * MINUTE);
  expect(etaOf(aDelivery(planned), null, NOON)).toMatchObject(later);
});

test('[D95] no arrival is promised before the goods are ready or before the window of a drop-off starts', () => {
  const readyAt = NOON + 30 * MINUTE;
  const opensAt = NOON + 90 * MINUTE;
  const pickup = aStop(0, { window: { readyAt, deadlineAt: null } });
  const dropOffs = [aStop(1, { window: { readyAt: opensAt, deadlineAt: null } }), aStop(2)];
  for (const place of [aStop(0).place, aStop(40).place]) {
    const { stops } = etaOf(heldBy(courier, 'assigned', { pickup, dropOffs }), place, NOON);
    const [first, second, third] = [...stops.values()];
    expect(first?.lowerAt).toBeGreaterThanOrEqual(readyAt);
    expect(second?.lowerAt).toBeGreaterThanOrEqual(opensAt);
    expect(third?.lowerAt).toBeGreaterThan(opensAt);
    for (const eta of stops.values()) {
      expect(eta.lowerAt).toBeLessThanOrEqual(eta.at);
      expect(eta.upperAt).toBeGreaterThan(eta.at);
    }
  }
});

test('[D160] an arrival names the fact on which it rests and since when it is known', () => {
  const held = heldBy(courier);
  const basis = (of: Parameters<typeof etaOf>[0], at: Parameters<typeof etaOf>[1]) => etaOf(of, at, NOON).basis;
  expect(basis(aDelivery(), null)).toEqual({ reason: 'no_courier', at: NOON });
  expect(basis(held, null)).toEqual({ reason: 'no_position', at: NOON });
  expect(basis(held, { ...CENTER, at: NOON - MINUTE })).toEqual({ reason: 'position', at: NOON - MINUTE });
  expect(basis(held, { ...CENTER, at: NOON - MINUTE - 1 })).toEqual({ reason: 'old_position', at: NOON - MINUTE - 1 });
  const window = { readyAt: NOON + 50 * MINUTE, deadlineAt: null };
  expect(basis(heldBy(courier, 'assigned', { pickup: aStop(0, { window }) }), CENTER)?.reason).toBe('not_ready');
  const timed = heldBy(courier, 'in_transit', { dropOffs: [aStop(1, { window })] });
  expect(basis(timed, CENTER)?.reason).toBe('window');
  expect(basis(aDelivery({ state: 'delivered' }), CENTER)).toBeNull();
});

test('[D161] a courier is imminent within 500 m of the next stop, unless their position is old or they are there', () => {
  const carried = heldBy(courier, 'in_transit');
  const near = offsetBy(aStop(1).place, 490, 0);
  expect(etaOf(carried, { ...near, at: NOON - MINUTE }, NOON).isImminent).toBe(true);
  expect(etaOf(carried, { ...near, at: NOON - MINUTE - 1 }, NOON).isImminent).toBe(false);
  expect(etaOf(carried, offsetBy(aStop(1).place, 510, 0), NOON).isImminent).toBe(false);
  expect(etaOf(carried, null, NOON).isImminent).toBe(false);
  const there = heldBy(courier, 'in_transit', { dropOffs: [aStop(1, { state: 'arrived' })] });
  expect(etaOf(there, near, NOON).isImminent).toBe(false);
  expect(etaOf(aDelivery(), CENTER, NOON).isImminent).toBe(false);
});

test('[K21] an arrival counts what is left until the courier departs with the goods, and all of it before', () => {
  const ways = { ...UNLEARNED_WAYS, setOffS: () => 90 };
  const wayMs = travelS(aStop(0).place, aStop(1).place, courier.vehicleType) * 1000;
  const at = (delivery: Delivery, now: number): number =>
    Math.round(
      ((etaAt(delivery, aMoment(now, { place: aStop(0).place, ways })).dropOff?.at ?? NaN) - wayMs - NOON) / 1000,
    );
  const collected = heldBy(courier, 'picked_up', { times: { pickedUpAt: NOON } });
  expect([0, 60, 90, 120].map((seconds) => at(collected, NOON + seconds * 1000))).toEqual([90, 90, 90, 120]);
  expect(at(heldBy(courier, 'in_transit', { times: { pickedUpAt: NOON } }), NOON)).toBeCloseTo(0);
  // Until then the way begins at the pickup, wherever the phone is in the shop.
  const inShop = aMoment(NOON, { place: offsetBy(aStop(0).place, 0, 60), ways });
  expect(etaAt(collected, inShop).dropOff).toEqual(etaAt(collected, aMoment(NOON, { place: null, ways })).dropOff);
  // The time to set off is expected and not certain.
  const { dropOff } = etaAt(collected, aMoment(NOON, { place: aStop(0).place, ways }));
  expect(dropOff?.lowerAt).toBeLessThan((dropOff?.at ?? NaN) - 0.09 * (90_000 + wayMs));
  expect(at(heldBy(courier, 'assigned'), NOON)).toBe(STOP_SERVICE_S - SET_OFF_S + 90);
});

test('[D208] arrivals count the stops that the courier visits before for other deliveries', () => {
  const [near, far] = [1, 3].map((kilometre) =>
    heldBy(courier, 'assigned', { dropOffs: [aStop(1, { place: offsetBy(CENTER, kilometre * 1000, 0) })] }),
  ) as [Delivery, Delivery];
  const carried = [near, far].map((one) => carriedOf(one)!);
  const place = offsetBy(CENTER, -1000, 0);
  const together = (one: Delivery): Etas => etaAt(one, aMoment(NOON, { place, carried }));
  // Goods of one pickup take the time there once.
  expect(together(near)).toEqual(etaOf(near, place, NOON));
  expect(together(far).pickup).toEqual(etaOf(far, place, NOON).pickup);
  // On the straight way to the farther drop-off, only the handover at the nearer one is added.
  const addedMs = (together(far).dropOff?.at ?? NaN) - (etaOf(far, place, NOON).dropOff?.at ?? NaN);
  expect(addedMs).toBeCloseTo(STOP_SERVICE_S * 1000, -3);
});

test('[D208] a courier who brings other goods first comes to the pickup from there', () => {
  const door = offsetBy(CENTER, 0, 2000);
  const first = heldBy(courier, 'in_transit', { dropOffs: [aStop(1, { place: door })] });
  const next = heldBy(courier, 'assigned', { times: { assignedAt: NOON + MINUTE } });
  const moment = aMoment(NOON, { place: CENTER, carried: [first, next].map((one) => carriedOf(one)!) });
  const thereAndBackS = 2 * travelS(CENTER, door, courier.vehicleType) + STOP_SERVICE_S;
  expect(((etaAt(next, moment).pickup?.at ?? NaN) - NOON) / 1000).toBeCloseTo(thereAndBackS, 0);
  expect(etaAt(first, moment)).toEqual(etaOf(first, CENTER, NOON));
});

test('[D208] a courier near a drop-off is imminent there only if it is their next stop of all', () => {
  const [next, later] = [100, 400].map((metres) =>
    heldBy(courier, 'in_transit', { dropOffs: [aStop(1, { place: offsetBy(CENTER, metres, 0) })] }),
  ) as [Delivery, Delivery];
  const moment = aMoment(NOON, { place: CENTER, carried: [next, later].map((one) => carriedOf(one)!) });
  expect([etaAt(next, moment).isImminent, etaAt(later, moment).isImminent]).toEqual([true, false]);
  const both = [heldBy(courier), heldBy(courier)] as const;
  const near = aMoment(NOON, { place: offsetBy(CENTER, 100, 0), carried: both.map((one) => carriedOf(one)!) });
  expect(both.map((one) => etaAt(one, near).isImminent)).toEqual([true, true]);
});

test('[D208] before the courier has left the shop, all that was collected there departs together', () => {
  const ways = { ...UNLEARNED_WAYS, setOffS: () => 90 };
  const of = (kilometre: number): Delivery =>
    heldBy(courier, 'picked_up', { dropOffs: [aStop(1, { place: offsetBy(CENTER, kilometre * 1000, 0) })] });
  const [early, late] = [of(1), { ...of(-1), times: { ...of(-1).times, pickedUpAt: NOON + MINUTE } }];
  const carried = [early, late].map((one) => carriedOf(one)!);
  const moment = aMoment(NOON + MINUTE, { place: aStop(0).place, carried, ways });
  const rideS = travelS(CENTER, offsetBy(CENTER, 1000, 0), courier.vehicleType);
  expect(((etaAt(early, moment).dropOff?.at ?? NaN) - NOON) / 1000).toBeCloseTo(60 + 90 + rideS, 0);
});

test('[D208] arrivals count the wait for goods of another delivery that is collected there too', () => {
  const window = { readyAt: NOON + 40 * MINUTE, deadlineAt: null };
  const slow = heldBy(courier, 'assigned', { pickup: aStop(0, { window }) });
  const quick = heldBy(courier, 'assigned', { times: { assignedAt: NOON + 1 } });
  const moment = aMoment(NOON, { place: CENTER, carried: [carriedOf(slow)!] });
  expect(etaAt(quick, moment).dropOff?.at).toBeGreaterThan(window.readyAt);
  expect(etaAt(quick, moment).dropOff?.lowerAt).toBeGreaterThan(window.readyAt);
});

test('[D208] the time that the courier has spent at a stop does not count again', () => {
  const place = aStop(1).place;
  const at = (arrivedAt: number): number => {
    const dropOffs = [aStop(1, { state: 'arrived', arrivedAt }), aStop(2)];
    return etaOf(heldBy(courier, 'in_transit', { dropOffs }), place, NOON).stops.get(2)?.at ?? NaN;
  };
  const sinceNoonS = (seconds: number): number => Math.round((at(NOON - seconds * 1000) - NOON) / 1000);
  const rideS = Math.round(travelS(place, aStop(2).place, courier.vehicleType));
  const expected = [STOP_SERVICE_S, STOP_SERVICE_S - 90, 0, 0].map((leftS) => rideS + leftS);
  expect([0, 90, 120, 900].map(sinceNoonS)).toEqual(expected);
  // At a pickup, what is left after the collection counts all the same.
  const pickup = aStop(0, { state: 'arrived', arrivedAt: NOON - 15 * MINUTE });
  const { dropOff } = etaOf(heldBy(courier, 'assigned', { pickup }), aStop(0).place, NOON);
  const wayMs = travelS(aStop(0).place, aStop(1).place, courier.vehicleType) * 1000;
  expect(((dropOff?.at ?? NaN) - NOON - wayMs) / 1000).toBeCloseTo(SET_OFF_S, 0);
});

test('[D208] what a courier carries says nothing of a delivery that they no longer have', () => {
  const other = carriedOf(heldBy(courier, 'in_transit'))!;
  const searching = aDelivery();
  expect(etaAt(searching, aMoment(NOON, { carried: [other] }))).toEqual(etaOf(searching, null, NOON));
});

test('[D218] the arrival of a delivery that its courier forgot is not known, wherever their phone reports from', () => {
  const { promiseMs } = defaultSettings().search;
  const held = (over: object = {}) =>
    heldBy(courier, 'in_transit', { durationS: 600, times: { pickedUpAt: NOON }, ...over });
  const lastAt = NOON + promiseMs + 2 * 600_000;
  const known = (delivery: Delivery, now: number) => etaOf(delivery, CENTER, now).dropOff !== null;
  expect([known(held(), lastAt), known(held(), lastAt + 1)]).toEqual([true, false]);
  const readyAt = NOON + 60 * MINUTE;
  const waits = held({ dropOffs: [aStop(1, { window: { readyAt, deadlineAt: null } })] });
  expect([known(waits, lastAt + 60 * MINUTE), known(waits, lastAt + 60 * MINUTE + 1)]).toEqual([true, false]);
  const deadlineAt = lastAt + 120 * MINUTE;
  const windowed = held({ dropOffs: [aStop(1, { window: { readyAt: NOON, deadlineAt } })] });
  expect([known(windowed, deadlineAt), known(windowed, deadlineAt + 1)]).toEqual([true, false]);
  const assigned = heldBy(courier, 'assigned', { durationS: 600, times: { assignedAt: NOON } });
  expect([known(assigned, lastAt), known(assigned, lastAt + 1)]).toEqual([true, false]);
});

test('[D161] [D218] a courier near the next stop is imminent, also if they are long overdue', () => {
  const held = heldBy(courier, 'in_transit', { times: { pickedUpAt: NOON } });
  const near = aMoment(NOON + 600 * MINUTE, { place: aStop(1).place });
  const { dropOff, isImminent } = etaAt(held, near);
  expect([dropOff, isImminent]).toEqual([null, true]);
});
