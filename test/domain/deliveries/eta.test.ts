import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { offsetBy } from '../../../src/domain/geo/geo.ts';
import { etaOf as etaAt, type Etas, type SeenAt } from '../../../src/domain/deliveries/eta.ts';
import { aCourier, aDelivery, aMoment, aStop, CENTER, heldBy, NOON } from '../../builders.ts';
import { SET_OFF_S, STOP_SERVICE_S, travelS } from '../../../src/domain/deliveries/way.ts';
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
