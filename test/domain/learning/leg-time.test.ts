import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import type { Delivery } from '../../../src/domain/deliveries/delivery.ts';
import { etaOf } from '../../../src/domain/deliveries/eta.ts';
import { legS } from '../../../src/domain/learning/leg-time.ts';
import { SPEED_MPS, STOP_SERVICE_S, travelS } from '../../../src/domain/deliveries/way.ts';
import { distanceM, offsetBy } from '../../../src/domain/geo/geo.ts';
import { UNLEARNED_WAYS } from '../../../src/domain/learning/travel.ts';
import type { Ways } from '../../../src/domain/learning/ways.ts';
import { aCourier, aDelivery, aMoment, aStop, CENTER, heldBy, NOON } from '../../builders.ts';

const scooter = aCourier({ vehicleType: 'scooter' });
const [pickup, dropOff] = [aStop(0).place, aStop(1).place];
/** Priced by a route of so many seconds, with the handover at each stop but the last. */
const routed = (seconds: number, stops = 1): Partial<Omit<Delivery, 'times'>> => ({
  distanceSource: 'route',
  durationS: seconds + STOP_SERVICE_S * stops,
});
const stretched = (stretch: number, over: Partial<Ways> = {}): Ways => ({
  ...UNLEARNED_WAYS,
  stretchAt: () => stretch,
  ...over,
});

test('[E46] the arrival at each stop is the sum of the legs before it along streets, and of the handovers', () => {
  const legs = fc.array(fc.integer({ min: 60, max: 3000 }), { minLength: 2, maxLength: 6 });
  const factors = fc.double({ min: 0.5, max: 3, noNaN: true });
  const property = fc.property(legs, factors, (seconds, stretch) => {
    const dropOffs = seconds.slice(1).map((_, index) => aStop(index + 1));
    const stops = [aStop(0), ...dropOffs];
    const routedS: Ways['routedS'] = ({ to }) => seconds[stops.findIndex(({ place }) => place.lng === to.lng)] ?? NaN;
    const held = heldBy(scooter, 'assigned', { dropOffs });
    const place = offsetBy(CENTER, -4000, 0);
    const etas = etaOf(held, aMoment(NOON, { place, ways: stretched(stretch, { routedS }) }));
    let at = NOON;
    for (const [index, leg] of seconds.entries()) {
      at += leg * stretch * 1000;
      expect(Math.abs((etas.stops.get(index)?.at ?? NaN) - at)).toBeLessThan(2);
      at += STOP_SERVICE_S * 1000;
    }
  });
  fc.assert(property);
});

test('[E46] with one drop-off the way from the pickup to it is the route of the price, in every process', () => {
  const delivery = aDelivery(routed(700));
  // The answer for the two cells is a little off, because other places are in them too.
  const near = { routedS: () => 650 };
  expect(legS(stretched(1, near), delivery, pickup, dropOff, NOON)).toBe(700);
  expect(legS(stretched(1.3, near), delivery, pickup, dropOff, NOON)).toBeCloseTo(910, 6);
  const { pickup: first, dropOff: second } = etaOf(delivery, aMoment(NOON, { ways: stretched(1.3) }));
  expect(((second?.at ?? NaN) - (first?.at ?? NaN)) / 1000).toBeCloseTo(910 + STOP_SERVICE_S, 0);
  const estimated = aDelivery({ durationS: 820, distanceSource: 'estimate' });
  expect(legS(stretched(1.3), estimated, pickup, dropOff, NOON)).toBeCloseTo(travelS(pickup, dropOff, 'scooter'), 6);
});

test('[E46] a courier on the way has the rest of the route in proportion until the routing server has answered', () => {
  const property = fc.property(fc.double({ min: 0.01, max: 1, noNaN: true }), (share) => {
    const held = heldBy(scooter, 'in_transit', { ...routed(700), times: { pickedUpAt: NOON } });
    const place = offsetBy(dropOff, -1000 * share, 0);
    const etas = etaOf(held, aMoment(NOON, { place, ways: stretched(1.2) }));
    expect(((etas.dropOff?.at ?? NaN) - NOON) / 1000).toBeCloseTo(700 * share * 1.2, -1);
  });
  fc.assert(property);
  const held = heldBy(scooter, 'in_transit', { ...routed(700), times: { pickedUpAt: NOON } });
  const place = offsetBy(dropOff, -500, 0);
  const answered = etaOf(held, aMoment(NOON, { place, ways: stretched(1.2, { routedS: () => 300 }) }));
  expect(((answered.dropOff?.at ?? NaN) - NOON) / 1000).toBeCloseTo(360, 0);
});

test('[E46] several legs without answers share the route by their lengths, so the last arrival has all of it', () => {
  const dropOffs = [aStop(1), aStop(2, { place: offsetBy(CENTER, 1000, 3000) })];
  const delivery = aDelivery({ ...routed(1600, 2), dropOffs });
  const [first, second] = dropOffs.map(({ place }) => place);
  const one = legS(UNLEARNED_WAYS, delivery, pickup, first ?? CENTER, NOON);
  const other = legS(UNLEARNED_WAYS, delivery, first ?? CENTER, second ?? CENTER, NOON);
  expect([Math.round(one), Math.round(other)]).toEqual([400, 1200]);
});

test('[E46] another vehicle takes the route at the relation of the default speeds, and answers for it come first', () => {
  for (const vehicle of VEHICLE_TYPES) {
    const held = heldBy(aCourier({ vehicleType: vehicle }), 'assigned', routed(700));
    const expectedS = (700 * SPEED_MPS.scooter) / SPEED_MPS[vehicle];
    expect(legS(UNLEARNED_WAYS, held, pickup, dropOff, NOON)).toBeCloseTo(expectedS, 6);
    if (vehicle === 'scooter') continue;
    expect(legS(stretched(1, { routedS: () => 500 }), held, pickup, dropOff, NOON)).toBe(500);
  }
  // Nobody has it yet, so the way is that of the vehicle of the price.
  const cycled = aDelivery({ ...routed(900), vehicleTypes: ['bicycle', 'van'] });
  expect(legS(UNLEARNED_WAYS, cycled, pickup, dropOff, NOON)).toBe(900);
});

test('[E46] a route between two near stops says nothing about the way to the pickup', () => {
  const dropOffs = [aStop(1, { place: offsetBy(CENTER, 100, 0) })];
  const held = heldBy(scooter, 'assigned', { ...routed(900), dropOffs });
  const place = offsetBy(CENTER, -2000, 0);
  expect(legS(UNLEARNED_WAYS, held, place, pickup, NOON)).toBeCloseTo(travelS(place, pickup, 'scooter'), 6);
  expect(distanceM(pickup, dropOffs[0]?.place ?? CENTER)).toBeLessThan(300);
});

test('[E46] a route around a river says nothing about other ways', () => {
  const dropOffs = [aStop(1, { place: offsetBy(CENTER, 310, 0) })];
  const held = heldBy(scooter, 'assigned', { ...routed(1200), dropOffs });
  const place = offsetBy(CENTER, -5000, 0);
  expect(legS(UNLEARNED_WAYS, held, place, pickup, NOON)).toBeCloseTo(travelS(place, pickup, 'scooter'), 6);
  // The way around the river itself takes as long as its route.
  expect(legS(UNLEARNED_WAYS, held, pickup, dropOffs[0]?.place ?? CENTER, NOON)).toBe(1200);
});

test('[E46] the way to a drop-off that has moved has the pace of the route, and its answer comes first', () => {
  const moved = offsetBy(dropOff, 500, 0);
  const delivery = aDelivery({ ...routed(700), dropOffs: [aStop(1, { place: moved, firstPlace: dropOff })] });
  const pace = 700 / distanceM(pickup, dropOff);
  expect(legS(UNLEARNED_WAYS, delivery, pickup, moved, NOON)).toBeCloseTo(pace * distanceM(pickup, moved), 6);
  expect(legS(stretched(1, { routedS: () => 950 }), delivery, pickup, moved, NOON)).toBe(950);
  const back = aDelivery({ ...routed(700), dropOffs: [aStop(1, { place: dropOff, firstPlace: dropOff })] });
  expect(legS(stretched(1, { routedS: () => 650 }), back, pickup, dropOff, NOON)).toBe(700);
});
