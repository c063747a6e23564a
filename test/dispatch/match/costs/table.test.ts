import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainCostS, type Board } from '../../../../src/dispatch/match/board.ts';
import { COST_TERMS, pairCostS, weightsOf, type Weights } from '../../../../src/dispatch/match/costs/table.ts';
import { NOBODY } from '../../../../src/dispatch/match/world.ts';
import { defaultSettings } from '../../../../src/settings.ts';
import { aWorld, layouts, openBoard } from '../worlds.ts';

type Row = (typeof COST_TERMS)[number];
/**
 * One charge of each place: a pair at its times, the bundle that begins with its order, its courier, and its order
 * left.
 */
type At = { readonly courier: number; readonly doneS: number; readonly collectedS: number };

/** The charge of a row for order 0, seconds. */
function chargeOf(row: Row, board: Board, { courier, doneS, collectedS }: At): number {
  switch (row.counts) {
    case 'pair':
      return row.charge(board, 0, courier, doneS, collectedS);
    case 'bundle':
      return row.charge(board, 0, courier, true);
    case 'chain':
      return row.charge(board)[courier]!;
    case 'leave':
      return row.charge(board, 0);
  }
}

/**
 * A courier and an order for which every term charges something. They collect it after 130 s and arrive after 350 s.
 */
const { board } = openBoard(
  aWorld({
    couriers: [{ at: [0, 0], startS: 10, accepts: 0.5 }],
    orders: [{ at: [600, 0], targetS: 100, latestS: 200, pickupByS: 100, searchUntilS: 100 }],
    demand: [{ at: [0, 0], orders: 18 }],
    preparationS: [300, 900],
  }),
);
const CARRIED: At = { courier: 0, doneS: 350, collectedS: 130 };
/** The slowest way to carry it: the goods are taken at once, and 220 s later they are at the drop-off. */
const SLOWEST: At = { courier: NOBODY, doneS: 220, collectedS: Infinity };

/** The sum of the rows of a place, added up here row by row. */
const sumAt = (place: Row['counts'], at: At): number =>
  COST_TERMS.filter(({ counts }) => counts === place).reduce((sumS, row) => sumS + chargeOf(row, board, at), 0);

test('[D99] each cost is charged once for each pair, bundle, chain or order left, as its row says', () => {
  for (const row of COST_TERMS) expect(chargeOf(row, board, CARRIED), row.name).toBeGreaterThan(0);
  const totalS = chainCostS(board, 0, Int32Array.of(1), 0, 1, Infinity, board.eachS);
  expect(board.eachS[0]).toBeCloseTo(sumAt('pair', CARRIED), 6);
  expect(board.priceS[0]).toBeCloseTo(sumAt('chain', CARRIED), 6);
  expect(totalS - board.eachS[0]! - board.priceS[0]!).toBeCloseTo(sumAt('bundle', CARRIED), 6);
  expect(board.leaveS[0]).toBeCloseTo(sumAt('leave', SLOWEST) + sumAt('pair', SLOWEST), 6);
});

test('[D100] a cost whose first setting is 0 charges nothing', () => {
  const scaled = COST_TERMS.filter(({ settings }) => settings.length > 0);
  for (const row of scaled) {
    const dispatch = { ...defaultSettings().dispatch, [row.settings[0]!]: 0 };
    const off: Weights = weightsOf(dispatch);
    expect(chargeOf(row, { ...board, weights: off }, CARRIED), row.name).toBe(0);
  }
  expect(scaled).toHaveLength(COST_TERMS.length - 1);
});

test('[D101] carrying an order never costs less than 0, or more than leaving it includes', () => {
  const property = fc.property(layouts, fc.nat(6000), fc.nat(6000), (layout, tookS, beforeS) => {
    const { board: random } = openBoard(aWorld(layout));
    const { orders, couriers } = random.arena;
    for (const order of orders.ids.keys()) {
      const doneS = orders.placedS[order]! + 240 + tookS;
      const mostS = pairCostS(random, order, NOBODY, doneS, Infinity);
      for (const courier of couriers.ids.keys()) {
        const costS = pairCostS(random, order, courier, doneS, doneS - beforeS);
        expect(costS).toBeGreaterThanOrEqual(0);
        expect(costS).toBeLessThanOrEqual(mostS);
      }
    }
  });
  fc.assert(property, { numRuns: 100 });
});
