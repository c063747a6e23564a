import { expect, test } from 'vitest';
import { findPlace, putInPlace } from '../../../../src/dispatch/match/search/insert.ts';
import { chainsOf, searchPlan } from '../../../../src/dispatch/match/search/search-plan.ts';
import { aWorld, openBoard, someRules, type CourierPlan, type Layout, type OrderPlan } from '../worlds.ts';

const rules = someRules({ limits: { bundles: 3, bundleSize: 3, readyGapS: 600 } });

/** Puts the orders on an empty board one after the other, and tells the bundles of each courier. */
function putAll(layout: Layout, own = rules): number[][][] {
  const inserter = openBoard(aWorld(layout), own);
  for (const order of layout.orders.keys()) {
    findPlace(inserter, order);
    putInPlace(inserter, order);
  }
  return bundlesOf(inserter.board);
}

/** The bundles of each courier, the orders of each sorted. */
function bundlesOf(board: Parameters<typeof chainsOf>[0]): number[][][] {
  const chains = new Map(chainsOf(board).map(({ courier, bundles }) => [courier, bundles]));
  return [...board.arena.couriers.ids.keys()].map((courier) =>
    (chains.get(courier) ?? []).map((bundle) => bundle.toSorted((a, b) => a - b)),
  );
}

const one: CourierPlan[] = [{ at: [0, 0] }];
/** Orders of one pickup whose drop-offs lie side by side far away are cheap together. */
const together = (count: number, over: readonly OrderPlan[] = []): OrderPlan[] =>
  Array.from({ length: count }, (_, i) => ({ at: [600, 0], doors: [[6000, i * 20]], counter: 1, ...over[i] }));

test('[M27] a courier is planned for several bundles, up to the limit, besides the one they are fetching', () => {
  const apart: OrderPlan[] = Array.from({ length: 5 }, (_, i) => ({ at: [i * 500, 0] }));
  expect(putAll({ couriers: one, orders: apart })[0]).toHaveLength(3);
  expect(putAll({ couriers: one, orders: apart }, someRules({ limits: { bundles: 1 } }))[0]).toHaveLength(1);
  const world = aWorld({ couriers: one, orders: [{ ...apart[0]!, heldBy: 0 }, ...apart.slice(1)] });
  const [bundles] = bundlesOf(
    searchPlan(
      world,
      [],
      rules,
      () => 0,
      () => true,
    ).board,
  );
  expect(bundles).toHaveLength(4);
  expect(bundles![0]).toEqual([0]);
});

test('[M28] a bundle holds only orders of one counter', () => {
  expect(putAll({ couriers: one, orders: together(2) })).toEqual([[[0, 1]]]);
  expect(
    putAll({ couriers: one, orders: together(2, [{ at: [600, 0] }, { at: [600, 0], counter: 2 }]) })[0],
  ).toHaveLength(2);
});

test('[M29] a bundle keeps to its size and to the courier’s capacity', () => {
  expect(putAll({ couriers: one, orders: together(4) })).toEqual([[[0, 1, 2], [3]]]);
  expect(putAll({ couriers: [{ at: [0, 0], capacity: 2 }], orders: together(3) })).toEqual([[[0, 1], [2]]]);
  expect(
    putAll(
      { couriers: [{ at: [0, 0], capacity: 9 }], orders: together(4) },
      someRules({ limits: { bundleSize: 9, readyGapS: 600 } }),
    ),
  ).toEqual([[[0, 1, 2, 3]]]);
});

test('[M29] the goods of a bundle are ready within the gap, and goods that are ready already count from now', () => {
  const readyAt = (...times: readonly number[]) =>
    together(
      times.length,
      times.map((readyS) => ({ at: [600, 0], readyS })),
    );
  expect(putAll({ couriers: one, orders: readyAt(900, 1500) })).toEqual([[[0, 1]]]);
  expect(putAll({ couriers: one, orders: readyAt(900, 1501) })[0]).toHaveLength(2);
  expect(putAll({ couriers: one, orders: readyAt(1501, 900) })[0]).toHaveLength(2);
  expect(putAll({ couriers: one, orders: readyAt(-3000, 600) })).toEqual([[[0, 1]]]);
  expect(putAll({ couriers: one, orders: readyAt(-3000, 601) })[0]).toHaveLength(2);
});

test('[M30] no order is planned before the one that a courier is fetching, whichever orders join it', () => {
  const orders = together(3, [
    { at: [600, 0], heldBy: 0, doors: [[6000, 0]] },
    { at: [600, 0], doors: [[5000, 0]] },
    { at: [0, 0], counter: 2, doors: [[0, 50]] },
  ]);
  const { board } = searchPlan(
    aWorld({ couriers: one, orders }),
    [{ courier: 'c0', bundles: [['o1', 'o0']] }],
    rules,
    () => 0,
    () => true,
  );
  // The fresh order would be done at once if it came first. The nearer drop-off is first in the bundle, so that the
  // bundle begins with an order that the courier is not on the way to yet.
  expect(chainsOf(board)[0]!.bundles).toEqual([[1, 0], [2]]);
});

test('[M29] a courier to whom staff assigned more than a bundle holds gets no order along with it, and bundles behind it up to the limit', () => {
  const held = together(6).map((order) => ({ ...order, heldBy: 0 }));
  const more = together(1);
  const apart: OrderPlan[] = Array.from({ length: 8 }, (_, i) => ({ at: [i * 500, 500] }));
  const tight = someRules({ limits: { bundles: 2, bundleSize: 2 } });
  const couriers: CourierPlan[] = [{ at: [0, 0], capacity: 6 }, { at: [90_000, 0] }];
  const { board } = searchPlan(
    aWorld({ couriers, orders: [...held, ...more, ...apart] }),
    [],
    tight,
    () => 0,
    () => true,
  );
  const [first, ...others] = chainsOf(board)[0]!.bundles;
  expect(first).toEqual([0, 1, 2, 3, 4, 5]);
  expect(others).toHaveLength(2);
});
