import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainCostS, inHandS } from '../../../src/dispatch/match/board.ts';
import { aWorld, openBoard, someRules, type CourierPlan, type OrderPlan } from './worlds.ts';

const rules = someRules({
  weights: { idleCreditS: 0, notFreeS: 0, overageWeight: 0.3, tooLateFineS: 12_000, unservedS: 24_000 },
});

/** The cost of the orders if the one courier carries them, each as a bundle of its own, in their order. */
function costOf(orders: readonly OrderPlan[], courier: Partial<CourierPlan> = {}): number {
  const { board } = openBoard(aWorld({ couriers: [{ at: [0, 0], ...courier }], orders }), rules);
  const slots = Int32Array.from(orders, (_, order) => order * 2 + 1);
  return chainCostS(board, 0, slots, 0, slots.length);
}

// 60 s to the pickup, a minute in and out, 100 s to the drop-off and a minute to it.
const near: OrderPlan = { at: [600, 0] };

test('[M7] a plan pays the time from the order to its last drop-off, and 0.3 of the time past the target', () => {
  expect(costOf([near])).toBe(340);
  expect(costOf([{ ...near, placedS: -500 }])).toBe(840);
  expect(costOf([{ ...near, targetS: 240 }])).toBe(340 + 0.3 * 100);
  // Goods that are ready later are collected later: the courier waits.
  expect(costOf([{ ...near, readyS: 1000 }])).toBe(1000 + 60 + 160);
});

test('[M52] goods whose ready time is uncertain are expected as they come on average, equally likely within the spread', () => {
  // 1,000 s ± 600: who comes at 1,000 waits for half of them, 300 s each.
  expect(costOf([{ ...near, readyS: 1000, readySpreadS: 600, targetS: 9000 }])).toBe(1000 + 60 + 160);
  expect(costOf([{ ...near, readyS: 120, readySpreadS: 600 }])).toBe(120 + 150 + 60 + 160);
  fc.assert(
    fc.property(
      fc.integer({ min: -3000, max: 3000 }),
      fc.integer({ min: 0, max: 1200 }),
      fc.integer({ min: -3000, max: 3000 }),
      fc.integer({ min: 1, max: 100 }),
      (readyS, spreadS, atS, moreS) => {
        const { orders } = aWorld({ couriers: [], orders: [{ ...near, readyS, readySpreadS: spreadS }] });
        const expectedS = inHandS(orders, 0, atS);
        const steps = Array.from({ length: 2001 }, (_, step) => readyS + spreadS * (step / 1000 - 1));
        const meanS = steps.reduce((sum, oneS) => sum + Math.max(oneS, atS), 0) / steps.length;
        expect(Math.abs(expectedS - meanS)).toBeLessThan(0.5);
        expect(expectedS).toBeGreaterThanOrEqual(Math.max(atS, readyS));
        expect(inHandS(orders, 0, atS + moreS)).toBeGreaterThanOrEqual(expectedS);
      },
    ),
  );
});

test('[M7] an order past its latest time is fined once, and one second before it is not', () => {
  expect(costOf([{ ...near, latestS: 339 }])).toBe(340 + 12_000);
  expect(costOf([{ ...near, latestS: 340 }])).toBe(340);
});

test('[M36] goods collected after their vendor’s time are fined, whenever they reach the door', () => {
  expect(costOf([{ ...near, pickupByS: 119 }])).toBe(340 + 12_000);
  expect(costOf([{ ...near, pickupByS: 120 }])).toBe(340);
});

test('[M6] a plan that sets out after a search has ended, or collects after the end of the courier’s time, is none', () => {
  // The courier has finished the first after 400 s, with a minute at its drop-off.
  const second: OrderPlan = { at: [600, 1000] };
  expect(costOf([near, { ...second, searchUntilS: 400 }])).toBeLessThan(Infinity);
  expect(costOf([near, { ...second, searchUntilS: 399 }])).toBe(Infinity);
  expect(costOf([near], { untilS: 120 })).toBe(340);
  expect(costOf([near], { untilS: 119 })).toBe(Infinity);
  expect(costOf([near], { startS: 10 })).toBe(350);
});

test('[M6] a courier collects the order they are fetching, however late, and no later order is added', () => {
  const held = { ...near, heldBy: 0, counter: 1 };
  expect(costOf([held], { untilS: 10 })).toBe(340);
  expect(costOf([{ ...held, searchUntilS: 5 }], { startS: 10 })).toBe(350);
  const { board } = openBoard(
    aWorld({ couriers: [{ at: [0, 0], untilS: 150 }], orders: [held, { ...near, counter: 1, readyS: 200 }] }),
    rules,
  );
  // One bundle: it would wait for the second one past the end.
  expect(chainCostS(board, 0, Int32Array.of(1, 2), 0, 2)).toBe(Infinity);
  expect(chainCostS(board, 0, Int32Array.of(1), 0, 1)).toBeLessThan(Infinity);
});

test('[M37] several drop-offs are one order: carried in their order, and done at the last', () => {
  const doors = [
    [600, 1000],
    [600, 3000],
    [600, 0],
  ] as const;
  // The courier leaves the pickup after 180 s. Then come 100, 200 and 300 s of way, and two minutes at each drop-off,
  // half at the last.
  expect(costOf([{ ...near, doors }])).toBe(180 + 100 + 200 + 300 + 120 * 3 - 60);
  expect(costOf([{ ...near, doors: [doors[1], doors[0], doors[2]] }])).toBe(180 + 300 + 200 + 100 + 120 * 3 - 60);
  const next: OrderPlan = { at: [600, 0] };
  // The next bundle begins at the last drop-off, which is the next pickup.
  expect(costOf([{ ...near, doors }, next]) - costOf([{ ...near, doors }])).toBe(1080 + 60 + 60 + 60 + 160);
});

test('[M35] to leave an order costs more than to carry it, however far, slowly and late that is', () => {
  const doors = [
    [90_000, 0],
    [0, 90_000],
  ] as const;
  const at = [20_000, 0] as const;
  const orders: OrderPlan[] = [
    { at },
    { at, doors },
    { at, latestS: 1500 },
    { at, doors, placedS: -5000, latestS: 0, pickupByS: 0 },
    // A courier who comes at once would keep the latest time. The courier far away does not.
    { at, latestS: 1500, pickupByS: 0 },
    // They do not keep the vendor's time either.
    { at, latestS: 1500, pickupByS: 1000 },
  ];
  // A bicycle at the far end of the area.
  const world = aWorld({ couriers: [{ at: [0, 0] }], orders, speeds: () => 3.1 });
  const { board } = openBoard(world, rules);
  for (const order of orders.keys()) {
    expect(board.leaveS[order]!).toBeGreaterThan(chainCostS(board, 0, Int32Array.of(order * 2 + 1), 0, 1));
  }
});

test('[M35] of two orders alike the older one is the worse to leave, and one whose search is about to end the worst', () => {
  const orders: OrderPlan[] = [{ ...near }, { ...near, placedS: -600 }, { ...near, searchUntilS: 100 }];
  const { board } = openBoard(aWorld({ couriers: [], orders }), rules);
  expect(board.leaveS[1]!).toBeGreaterThan(board.leaveS[0]!);
  expect(board.leaveS[2]!).toBe(board.leaveS[0]! + 12_000);
});
