import { expect, test } from 'vitest';
import { rulesOf } from '../../../src/dispatch/match/rules.ts';
import { defaultSettings } from '../../../src/settings.ts';
import { aWorld, openBoard, someRules, type CourierPlan, type Layout, type OrderPlan } from './worlds.ts';

const FAR = someRules({ limits: { shortlist: 16, pickupDistanceM: 20_000 } });

/** The couriers listed for the first order, the first one first. */
function listed(layout: Layout, rules = FAR): number[] {
  const { from, couriers } = openBoard(aWorld(layout), rules).shortlist;
  return [...couriers.subarray(from[0], from[1])];
}

test('[M4] those at the counter first are listed, whatever their vehicles, and the best of them stand first', () => {
  const couriers = Array.from({ length: 200 }, (_, i): CourierPlan => {
    const at = [((i * 7919) % 9000) - 4500, ((i * 104_729) % 9000) - 4500] as const;
    return { at, vehicle: i % 2, startS: (i * 37) % 400 };
  });
  const speeds = (_: number, vehicle: number) => (vehicle === 0 ? 4 : 9);
  const arriveS = couriers.map(({ at, startS, vehicle }) => startS! + Math.hypot(...at) / (vehicle === 0 ? 4 : 9));
  // Only the vehicle and the time until they are there differ between them, so the first are the best.
  const vehicleOrder: OrderPlan = { at: [0, 0], vehicles: 1 };
  const fit = [...couriers.keys()].filter((one) => couriers[one]!.vehicle === 0);
  const first = fit.toSorted((a, b) => arriveS[a]! - arriveS[b]!).slice(0, 16);
  expect(listed({ couriers, orders: [vehicleOrder], speeds })).toEqual(first);
  const all = listed({ couriers, orders: [{ at: [0, 0], doors: [[0, 0]] }], speeds });
  expect(all).toEqual([...couriers.keys()].toSorted((a, b) => arriveS[a]! - arriveS[b]!).slice(0, 16));
});

test('[M4] if all couriers arrive before the goods are ready, the farthest stands first', () => {
  const couriers = [100, 500, 3000, 9000].map((x): CourierPlan => ({ at: [x, 0] }));
  // After 600 s the goods are ready: only the last courier is later.
  expect(listed({ couriers, orders: [{ at: [0, 0], readyS: 600 }] })).toEqual([2, 1, 0, 3]);
});

test('[M5] group, vehicle, distance and being barred each rule a pair out', () => {
  const couriers: CourierPlan[] = [
    { at: [100, 0] },
    { at: [50, 0], group: 1 },
    { at: [60, 0], vehicle: 1 },
    { at: [20_001, 0] },
    { at: [19_999, 0] },
  ];
  const orders: OrderPlan[] = [{ at: [0, 0], vehicles: 1 }];
  expect(listed({ couriers, orders })).toEqual([0, 4]);
  expect(listed({ couriers, orders: [{ at: [0, 0], vehicles: 2 }] })).toEqual([2]);
  expect(listed({ couriers, orders: [{ at: [0, 0], group: 1 }] })).toEqual([1]);
  expect(listed({ couriers, orders, barred: [[0, 0]] })).toEqual([4]);
});

test('[M6] a courier is not listed if they would set out after the search or collect after the end of their time', () => {
  const orders: OrderPlan[] = [{ at: [0, 0], readyS: 500, searchUntilS: 300 }];
  const couriers: CourierPlan[] = [
    { at: [100, 0], startS: 301 },
    { at: [100, 0], startS: 300 },
    { at: [100, 0], untilS: 499 },
    { at: [100, 0], untilS: 500 },
  ];
  expect(listed({ couriers, orders }).toSorted((a, b) => a - b)).toEqual([1, 3]);
});

test('[M34] where open orders exceed 0.7 of the couriers, more of them are listed for each', () => {
  const listedAt = (orders: number, couriers: number) => rulesOf(defaultSettings(), orders, couriers).limits.shortlist;
  const { candidates, scarceCandidates } = defaultSettings().dispatch;
  expect(scarceCandidates).toBeGreaterThan(candidates);
  expect(listedAt(70, 100)).toBe(candidates);
  expect(listedAt(71, 100)).toBe(scarceCandidates);
  const couriers = Array.from({ length: 100 }, (_, i): CourierPlan => ({ at: [i * 10, 0] }));
  expect(listed({ couriers, orders: [{ at: [0, 0] }] }, rulesOf(defaultSettings(), 71, 100))).toHaveLength(
    scarceCandidates,
  );
});

test('[M40] a way that a routing server told counts instead of the straight one', () => {
  const couriers: CourierPlan[] = [{ at: [100, 0] }, { at: [600, 0] }];
  const orders: OrderPlan[] = [{ at: [0, 0] }];
  expect(listed({ couriers, orders })).toEqual([0, 1]);
  // Places 0 and 1 are the couriers', 2 is the counter: there is a river before the nearer one.
  expect(listed({ couriers, orders, legs: [[0, 2, 61]] })).toEqual([1, 0]);
  expect(listed({ couriers, orders, legs: [[2, 0, 61]] })).toEqual([0, 1]);
});
