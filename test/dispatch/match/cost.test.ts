import { expect, test } from 'vitest';
import { pairCostS, UNMATCHED_S } from '../../../src/dispatch/match/cost.ts';
import type { Candidate, Start } from '../../../src/dispatch/match/candidates.ts';
import { newId } from '../../../src/domain/ids.ts';
import { aDelivery, aStop, CENTER, NOON } from '../../builders.ts';
import { at } from './fixtures.ts';

const idle: Start = { courierId: newId('cou'), vehicle: 'scooter', place: at(1000), at: NOON, isBusy: false };
const after = (seconds: number): Candidate => ({ courier: 0, travelS: seconds, arriveAt: NOON + seconds * 1000 });

test('[M7] the cost is the lateness still to come and 0.15 of the courier time', () => {
  // 300 s away and 60 s to the counter: 360 s late; the courier gives 360 s and the route's 540 s.
  expect(pairCostS(aDelivery({ durationS: 540 }), after(300), idle, NOON)).toBeCloseTo(360 + 0.15 * 900, 6);
});

test('[M7] waiting for food is no lateness, but takes the time of the courier', () => {
  const pickup = aStop(0, { place: CENTER, window: { readyAt: NOON + 600_000, deadlineAt: null } });
  expect(pairCostS(aDelivery({ pickup, durationS: 540 }), after(300), idle, NOON)).toBeCloseTo(0.15 * (600 + 540), 6);
});

test('[M7] lateness already suffered makes a delivery cheaper, never dearer, up to an hour', () => {
  const cost = (ageS: number) => pairCostS(aDelivery({ searchFromAt: NOON - ageS * 1000 }), after(300), idle, NOON);
  expect(cost(0) - cost(100)).toBeCloseTo(100, 6);
  expect(cost(0) - cost(7200)).toBeCloseTo(3600, 6);
});

test('[M7] of two couriers as soon there the idle one is cheaper, and any pair is cheaper than none', () => {
  expect(pairCostS(aDelivery(), after(300), { ...idle, isBusy: true }, NOON)).toBeGreaterThan(
    pairCostS(aDelivery(), after(300), idle, NOON),
  );
  expect(pairCostS(aDelivery(), after(6429), { ...idle, isBusy: true }, NOON)).toBeLessThan(UNMATCHED_S);
});
