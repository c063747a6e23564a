import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VEHICLE_TYPES } from '../../../src/domain/couriers/courier.ts';
import { distanceM, offsetBy } from '../../../src/domain/geo/geo.ts';
import { crowSpeedMps, UNLEARNED_WAYS } from '../../../src/domain/learning/travel.ts';
import { rideS, type Ride, type Ways } from '../../../src/domain/learning/ways.ts';
import { CENTER, NOON } from '../../builders.ts';

const metres = fc.integer({ min: 10, max: 20_000 });
const rides = fc.record({
  from: fc.constant(CENTER),
  to: fc.tuple(metres, metres).map(([east, north]) => offsetBy(CENTER, east, north)),
  vehicle: fc.constantFrom(...VEHICLE_TYPES),
  liveMode: fc.boolean(),
});
const seconds = fc.double({ min: 1, max: 10_000, noNaN: true });
const factors = fc.double({ min: 0.2, max: 5, noNaN: true });
const paces = fc.double({ min: 0.05, max: 3, noNaN: true });
const ways = (over: Partial<Ways>): Ways => ({ ...UNLEARNED_WAYS, ...over });

test('[E43] a way takes the seconds of the routing server times the stretch, whatever else is known', () => {
  const property = fc.property(rides, seconds, factors, paces, (ride, routedS, stretch, pace) => {
    const known = ways({ routedS: () => routedS, stretchAt: () => stretch });
    expect(rideS(known, ride, NOON, pace)).toBeCloseTo(routedS * stretch, 6);
    expect(rideS(known, ride, NOON)).toBeCloseTo(routedS * stretch, 6);
  });
  fc.assert(property);
});

test('[E43] without an answer it goes at the pace of a route nearby, and the stretch counts', () => {
  const property = fc.property(rides, factors, paces, (ride, stretch, pace) => {
    const known = ways({ stretchAt: () => stretch });
    expect(rideS(known, ride, NOON, pace)).toBeCloseTo(distanceM(ride.from, ride.to) * pace * stretch, 6);
  });
  fc.assert(property);
});

test('[E43] without any route it is the straight line at the learned speed, which no stretch changes', () => {
  const property = fc.property(rides, factors, (ride, stretch) => {
    const expectedS = distanceM(ride.from, ride.to) / crowSpeedMps(ride.vehicle);
    expect(rideS(ways({ stretchAt: () => stretch }), ride, NOON)).toBeCloseTo(expectedS, 6);
  });
  fc.assert(property);
});

test('[E43] the learned speed and the stretch are those of the hour in which the way begins', () => {
  const asked: number[] = [];
  const heard = <T>(at: number, answer: T): T => (asked.push(at), answer);
  const ride: Ride = { from: CENTER, to: offsetBy(CENTER, 2000, 0), vehicle: 'van', liveMode: true };
  const known = ways({
    speedsAt: (_places, at) => heard(at, new Float64Array(VEHICLE_TYPES.length).fill(4)),
    stretchAt: (_ride, at) => heard(at, 2),
  });
  expect(rideS(known, ride, NOON + 1)).toBeCloseTo(distanceM(ride.from, ride.to) / 4, 6);
  rideS({ ...known, routedS: () => 100 }, ride, NOON + 2);
  expect(asked).toEqual([NOON + 1, NOON + 2]);
});
