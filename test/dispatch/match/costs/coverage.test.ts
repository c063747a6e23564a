import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainCostS } from '../../../../src/dispatch/match/board.ts';
import { priceCoverage } from '../../../../src/dispatch/match/costs/coverage.ts';
import { enter } from '../../../../src/dispatch/match/world.ts';
import { aWorld, layouts, openBoard, someRules, type Layout } from '../worlds.ts';

const COVERAGE = { coverageAheadS: 300, coverageSoonS: 1800 };
const priced = (layout: Layout) => [...priceCoverage(enter(aWorld(layout)), COVERAGE)];

/** One counter with 18 orders in 90 min, whose goods take 5 or 15 min; couriers at so many metres east. */
const town = (...metres: readonly number[]): Layout => ({
  couriers: metres.map((x) => ({ at: [x, 0] })),
  orders: [],
  demand: [{ at: [0, 0], orders: 18 }],
  preparationS: [300, 900],
});

test('[M32] the first courier to reach a counter is charged the time that the next orders would wait for the second', () => {
  // One order is expected in the 5 min ahead. After 600 s and a minute at the counter 5 min goods have waited 360 s.
  expect(priced(town(1000, 6000))).toEqual([(0.5 * 360) / 1, 0]);
  // Where the first comes late as well, only the difference counts.
  expect(priced(town(6000, 9000))).toEqual([(660 + 60) / 2 - 360 / 2, 0]);
  // Both are there before any goods are ready: nobody would wait.
  expect(priced(town(1000, 2000))).toEqual([0, 0]);
  // With nobody second, help is an hour off.
  expect(priced(town(1000))).toEqual([(3660 - 300 + 3660 - 900) / 2]);
});

test('[M32] a courier who is fetching orders, is not free soon or leaves soon covers nothing', () => {
  const alone = town(1000, 6000);
  const [near, far] = alone.couriers;
  const soon = (over: object) => priced({ ...alone, couriers: [{ ...near!, ...over }, far!] })[0];
  expect(soon({ startS: 1801 })).toBe(0);
  expect(soon({ untilS: 1799 })).toBe(0);
  expect(priced({ ...alone, orders: [{ at: [0, 0], heldBy: 0 }] })[0]).toBe(0);
  expect(soon({ startS: 200 })).toBeGreaterThan(0);
});

test('[M32] whatever the world, no price is below 0', () => {
  const property = fc.property(layouts, (layout) => {
    const prices = openBoard(aWorld(layout)).board.priceS;
    expect(prices.every((price) => price >= 0 && price < Infinity)).toBe(true);
  });
  fc.assert(property, { numRuns: 200 });
});

test('[M32] the price of a courier is paid once, however many orders they carry', () => {
  const layout: Layout = { ...town(1000, 6000), orders: [{ at: [0, 0] }, { at: [0, 0] }] };
  const paid = openBoard(aWorld(layout), someRules({ weights: { idleCreditS: 0 } })).board;
  const unpaid = openBoard(aWorld({ ...layout, demand: [] }), paid.rules).board;
  for (const slots of [Int32Array.of(1), Int32Array.of(1, 3), Int32Array.of(1, 2)]) {
    const cost = (board: typeof paid) => chainCostS(board, 0, slots, 0, slots.length);
    expect(cost(paid) - cost(unpaid)).toBeCloseTo(180, 6);
  }
  expect(chainCostS(paid, 0, new Int32Array(0), 0, 0)).toBe(0);
});

test('[M33] a courier who has waited for work costs less, up to the whole credit, and one who is not free yet a little more', () => {
  const weights = { idleCreditS: 20, idleFullS: 1200, notFreeS: 12 };
  const couriers = [{ idleS: 0 }, { idleS: 600 }, { idleS: 1200 }, { idleS: 9000 }, { startS: 60 }];
  const world = aWorld({ couriers: couriers.map((one) => ({ at: [0, 0], ...one })), orders: [] });
  expect([...openBoard(world, someRules({ weights })).board.priceS]).toEqual([20, 10, 0, 0, 32]);
});
