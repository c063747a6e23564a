import { expect, test } from 'vitest';
import { carryOver, keepPlan, type KeptChain } from '../../../src/dispatch/match/carry-over.ts';
import { chainsOf, searchPlan } from '../../../src/dispatch/match/search/search-plan.ts';
import { aWorld, someRules, type OrderPlan } from './worlds.ts';

const rules = someRules({ search: { mostRounds: 0 } });
const couriers = [{ at: [0, 0] as const }, { at: [500, 0] as const }];
const plain = (count: number, over: readonly Partial<OrderPlan>[] = []): OrderPlan[] =>
  Array.from({ length: count }, (_, i) => ({ at: [i * 100, 0], counter: 1, ...over[i] }));

const chain = (courier: string, ...bundles: string[][]): KeptChain => ({ courier, bundles });

test('[M25] the last plan goes on, without the couriers and orders that are gone', () => {
  const world = aWorld({ couriers, orders: plain(4) });
  const kept = [chain('c1', ['o0', 'gone'], ['o2']), chain('left', ['o1']), chain('c0', ['lost'], ['o3'])];
  expect(carryOver(world, kept)).toEqual([
    { courier: 1, bundles: [[0], [2]] },
    { courier: 0, bundles: [[3]] },
  ]);
});

test('[M25] the orders that a courier is fetching stand at the head of that plan alone, with the orders that go along', () => {
  const world = aWorld({ couriers, orders: plain(5, [{}, { heldBy: 0 }, { heldBy: 0 }]) });
  // The courier was to take o3 first and has been given o1 and o2 in the meantime; o4 was to go along with those.
  expect(carryOver(world, [chain('c0', ['o3'], ['o1', 'o4']), chain('c1', ['o2', 'o0'])])).toEqual([
    { courier: 0, bundles: [[1, 2], [3], [4]] },
    { courier: 1, bundles: [[0]] },
  ]);
  expect(carryOver(world, [chain('c0', ['o4', 'o1', 'o2'], ['o3'])])[0]).toEqual({
    courier: 0,
    bundles: [[4, 1, 2], [3]],
  });
  expect(carryOver(world, [])).toEqual([{ courier: 0, bundles: [[1, 2]] }]);
});

test('[M25] told by ids and read back a plan is the same', () => {
  const world = aWorld({ couriers, orders: plain(4) });
  const chains = [
    { courier: 1, bundles: [[2, 0], [3]] },
    { courier: 0, bundles: [[1]] },
  ];
  expect(carryOver(world, keepPlan(world, chains))).toEqual(chains);
});

/** The bundles of each courier after a run with this last plan, without a search. */
function planned(layout: Parameters<typeof aWorld>[0], kept: readonly KeptChain[]) {
  const world = aWorld(layout);
  const { board } = searchPlan(
    world,
    kept,
    rules,
    () => 0,
    () => true,
  );
  return new Map(chainsOf(board).map(({ courier, bundles }) => [courier, bundles]));
}

test('[M25] the plan gives up pairs that are now barred and orders that can no longer be carried out', () => {
  const orders = plain(2, [{ counter: 1 }, { counter: 2 }]);
  const kept = [chain('c0', ['o0'], ['o1'])];
  expect(planned({ couriers, orders }, kept)).toEqual(new Map([[0, [[0], [1]]]]));
  const after = planned({ couriers, orders, barred: [[0, 0]] }, kept);
  expect(after.get(0)).toEqual([[1]]);
  expect(after.get(1)).toEqual([[0]]);
  // The first goods come too late for the rest of the first courier’s time.
  const short = [{ ...couriers[0]!, untilS: 900 }, couriers[1]!];
  const late = [orders[0]!, { ...orders[1]!, readyS: 1000 }];
  expect(planned({ couriers: short, orders: late }, kept)).toEqual(
    new Map([
      [0, [[0]]],
      [1, [[1]]],
    ]),
  );
});

test('[M25] if the order that was to go along no longer fits, the courier still collects the one they are fetching', () => {
  const orders = plain(2, [{ readyS: 5000 }, { heldBy: 0 }]);
  const short = [{ ...couriers[0]!, untilS: 900 }];
  expect(planned({ couriers: short, orders }, [chain('c0', ['o0', 'o1'])])).toEqual(new Map([[0, [[1]]]]));
});

test('[M55] an order that is now ready too late for its bundle leaves it and is planned again', () => {
  const orders = plain(3, [{}, { readyS: 100 }, { readyS: 300 }]);
  const kept = [chain('c0', ['o2', 'o0', 'o1'])];
  expect(planned({ couriers, orders }, kept).get(0)).toEqual([[2, 0, 1]]);
  const delayed = orders.map((order, index) => (index === 2 ? { ...order, readyS: 601 } : order));
  const after = planned({ couriers, orders: delayed }, kept);
  expect(after.get(0)?.[0]).toEqual([0, 1]);
  expect([...after.values()].flat()).toContainEqual([2]);
});

test('[M55] an order leaves its bundle if the courier now has no room for it', () => {
  const kept = [chain('c0', ['o0', 'o1', 'o2'])];
  const [first, second] = couriers;
  const after = planned({ couriers: [{ ...first!, capacity: 2 }, second!], orders: plain(3) }, kept);
  expect(after.get(0)?.[0]).toEqual([0, 1]);
  expect(new Set([...after.values()].flat(2))).toEqual(new Set([0, 1, 2]));
});

test('[M55] a courier keeps the order they are fetching, however late it is, and an order that is ready now goes without it', () => {
  const orders = plain(2, [{ heldBy: 0, readyS: 3000 }]);
  const after = planned({ couriers, orders }, [chain('c0', ['o0', 'o1'])]);
  expect(after.get(0)?.[0]).toEqual([0]);
  expect(new Set([...after.values()].flat(2))).toEqual(new Set([0, 1]));
});

test('[M57] a courier’s plan holds all orders that staff assigned, even more than a plan would give', () => {
  const tight = someRules({ limits: { bundles: 1, bundleSize: 1 }, search: { mostRounds: 0 } });
  const orders = plain(4, [{ heldBy: 0 }, { heldBy: 0 }, { heldBy: 0 }, { counter: 2 }]);
  const { board } = searchPlan(
    aWorld({ couriers: [couriers[0]!], orders }),
    [],
    tight,
    () => 0,
    () => true,
  );
  // And one bundle more, as for everybody else.
  expect(chainsOf(board)).toEqual([{ courier: 0, bundles: [[0, 1, 2], [3]] }]);
});
